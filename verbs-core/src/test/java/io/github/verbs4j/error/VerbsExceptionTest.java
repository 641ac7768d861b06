package io.github.verbs4j.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerbsExceptionTest {

    private static VerbsException.Builder tooDeep() {
        return VerbsException.of("ibv_create_qp")
                .errno(22)
                .device("rxe0")
                .argument("max_send_wr", 2_000_000)
                .argument("max_recv_wr", 16)
                .argument("max_send_sge", 1)
                .argument("max_recv_sge", 1)
                .argument("max_inline_data", 64)
                .argument("qp_type", "IBV_QPT_RC")
                .argument("sq_sig_all", 0)
                .limit("max_send_wr", 2_000_000, 1_048_576, "max_qp_wr")
                .limit("max_recv_wr", 16, 1_048_576, "max_qp_wr");
    }

    @Test
    void shouldShowWhatIsOverTheLimit() {
        assertEquals("""
                ibv_create_qp failed on rxe0: EINVAL (22, Invalid argument)
                  asked:    max_send_wr=2000000, max_recv_wr=16, max_send_sge=1, max_recv_sge=1, max_inline_data=64,
                            qp_type=IBV_QPT_RC, sq_sig_all=0
                  limits:   max_send_wr 2000000 > 1048576 (max_qp_wr)   <- over
                            max_recv_wr 16 <= 1048576 (max_qp_wr)
                  cause:    max_send_wr is over the device's limit
                  next:     ask for at most 1048576""", tooDeep().build().getMessage());
    }

    @Test
    void shouldNameEveryLimitThatIsExceeded() {
        VerbsException e = tooDeep().limit("max_send_sge", 64, 32, "max_sge").build();

        assertEquals(Optional.of("max_send_wr and max_send_sge are over the device's limits"), e.likelyCause());
        assertEquals(Optional.of("ask for at most max_send_wr=1048576, max_send_sge=32"), e.nextStep());
        assertEquals(
                List.of("max_send_wr", "max_send_sge"),
                e.exceededLimits().stream().map(Limit::field).toList());
    }

    @Test
    void shouldPreferWhatTheCallerKnows() {
        VerbsException e = tooDeep()
                .cause("the moon")
                .next("wait")
                .explain(new Explanation("the sun", "sleep", List.of("it is night")))
                .build();

        assertEquals(Optional.of("the moon"), e.likelyCause());
        assertEquals(Optional.of("wait"), e.nextStep());
        assertTrue(e.getMessage().contains("\n  machine:  it is night\n"), e.getMessage());
    }

    @Test
    void shouldTakeTheFirstExplanationThatHasACause() {
        VerbsException e = VerbsException.of("ibv_reg_mr")
                .errno(12)
                .explain(new Explanation("", "", List.of("one")))
                .explain(new Explanation("second", "do this", List.of("two")))
                .explain(new Explanation("third", "do that", List.of()))
                .build();

        assertEquals("""
                ibv_reg_mr failed: ENOMEM (12, Cannot allocate memory)
                  machine:  one
                            two
                  cause:    second
                  next:     do this""", e.getMessage());
    }

    @Test
    void shouldLetTheErrorNumberSpeakLast() {
        VerbsException alone = VerbsException.of("ibv_create_ah")
                .device("rxe0")
                .errno(22)
                .explainErrno()
                .build();
        assertTrue(alone.likelyCause().orElse("").contains("EINVAL does not say which"), alone::getMessage);
        assertTrue(alone.nextStep().orElse("").contains("dynamic_debug/control"), alone::getMessage);

        VerbsException guessed = VerbsException.of("ibv_create_ah")
                .device("rxe0")
                .errno(22)
                .explain(new Explanation("the row is empty", "take another", List.of()))
                .explainErrno()
                .build();
        assertEquals("the row is empty", guessed.likelyCause().orElse(""));
        assertTrue(guessed.nextStep().orElse("").startsWith("take another\nlet the kernel tell"), guessed::getMessage);

        VerbsException guessedOfMemory = VerbsException.of("ibv_reg_mr")
                .errno(12)
                .explain(new Explanation("the limit", "raise it", List.of()))
                .explainErrno()
                .build();
        assertEquals("raise it", guessedOfMemory.nextStep().orElse(""));
    }

    @Test
    void shouldNotGuessWhereTheCauseIsKnown() {
        VerbsException known = VerbsException.of("ibv_modify_qp")
                .errno(22)
                .cause("it is in ERR")
                .next("reset it")
                .explainErrno()
                .build();
        assertEquals("reset it", known.nextStep().orElse(""));
        VerbsException over = VerbsException.of("ibv_create_cq")
                .errno(22)
                .limit("cqe", 2, 1, "max_cqe")
                .explainErrno()
                .build();
        assertEquals("ask for at most 1", over.nextStep().orElse(""));
        VerbsException without = VerbsException.of("ibv_poll_cq").explainErrno().build();
        assertTrue(without.likelyCause().isEmpty(), without::getMessage);
    }

    @Test
    void shouldSayNothingItDoesNotKnow() {
        VerbsException e =
                VerbsException.of("ibv_query_gid").errno(0).device("").build();

        assertEquals("ibv_query_gid failed (no error number given)", e.getMessage());
        assertEquals(Optional.empty(), e.errno());
        assertEquals(Optional.empty(), e.device());
        assertEquals(Optional.empty(), e.likelyCause());
        assertEquals(Optional.empty(), e.nextStep());
        assertEquals(Map.of(), e.arguments());
        assertFalse(e.is(Errno.ENOMEM));
    }

    @Test
    void shouldOfferEachPartAsAValue() {
        VerbsException e = tooDeep().build();

        assertEquals("ibv_create_qp", e.operation());
        assertEquals(Optional.of(Errno.EINVAL), e.errno());
        assertTrue(e.is(Errno.EINVAL));
        assertEquals(Optional.of("rxe0"), e.device());
        assertEquals("2000000", e.arguments().get("max_send_wr"));
        assertEquals("max_send_wr", e.arguments().keySet().iterator().next());
        assertEquals(
                new Limit("max_send_wr", 2_000_000, 1_048_576, "max_qp_wr"),
                e.limits().getFirst());
        assertThrows(UnsupportedOperationException.class, () -> e.arguments().put("a", "b"));
    }

    @Test
    void shouldTurnNegativeErrorNumbersAround() {
        assertEquals(
                Optional.of(Errno.EAGAIN),
                VerbsException.of("ibv_query_gid_table").errno(-11).build().errno());
    }

    @Test
    void shouldKeepTheExceptionThatLedToIt() {
        IllegalStateException cause = new IllegalStateException();

        assertSame(cause, VerbsException.of("x").thrown(cause).build().getCause());
    }

    @Test
    void shouldKeepArgumentsOnTheirLine() {
        VerbsException e = VerbsException.of("x")
                .argument("text", "two\n  lines")
                .argument("none", null)
                .build();

        assertEquals("x failed (no error number given)\n  asked:    text=two lines, none=null", e.getMessage());
    }

    @Test
    void shouldBreakLongCausesBetweenWords() {
        String message =
                VerbsException.of("x").cause("word ".repeat(40)).build().getMessage();

        assertTrue(message.lines().allMatch(line -> line.length() <= 110), message);
        assertEquals(40, message.split("word", -1).length - 1);
    }

    @Test
    void shouldReplaceTheHeadline() {
        VerbsException e = VerbsException.of("ibv_get_device_list")
                .headline("no RDMA device")
                .build();

        assertEquals("no RDMA device", e.getMessage());
    }

    @Test
    void shouldReportAFailedWorkRequest() {
        WorkFailedException e = notReady();

        assertEquals("""
                work request 41 failed on queue pair 17 of rxe0: IBV_WC_RNR_RETRY_EXC_ERR (13), vendor error 0x81
                  cause:    the peer had no receive posted
                  next:     post receives earlier""", e.getMessage());
        assertEquals(41, e.id());
        assertEquals(13, e.statusCode());
        assertEquals("IBV_WC_RNR_RETRY_EXC_ERR", e.statusName());
        assertEquals(0x81, e.vendorError());
        assertEquals(17, e.queuePairNumber());
        assertEquals(Optional.empty(), e.firstFailure());
    }

    @Test
    void shouldCallAFlushTheEchoOfTheFirstFailure() {
        WorkFailedException first = notReady();
        WorkFailedException flush = WorkFailedException.of(
                42, 5, "IBV_WC_WR_FLUSH_ERR", "the queue pair is in error", "look before", 0, 17, "rxe0", first);

        assertEquals("""
                work request 42 failed on queue pair 17 of rxe0: IBV_WC_WR_FLUSH_ERR (5)
                  cause:    not this request: it is the echo of the queue pair's first failure, work request 41:
                            IBV_WC_RNR_RETRY_EXC_ERR (13)
                            the peer had no receive posted
                  next:     post receives earlier""", flush.getMessage());
        assertSame(first, flush.getCause());
        assertEquals(Optional.of(first), flush.firstFailure());
    }

    private static WorkFailedException notReady() {
        return WorkFailedException.of(
                41,
                13,
                "IBV_WC_RNR_RETRY_EXC_ERR",
                "the peer had no receive posted",
                "post receives earlier",
                0x81,
                17,
                "rxe0",
                null);
    }

    @Test
    void shouldNameTheMissingCapability() {
        UnsupportedCapabilityException e = UnsupportedCapabilityException.of(
                "ibv_alloc_mw", "memory windows of type 2", "rxe0", "rxe", "the provider leaves ibv_alloc_mw out");

        assertEquals("""
                ibv_alloc_mw: rxe0 (provider rxe) does not support memory windows of type 2
                  cause:    the provider leaves ibv_alloc_mw out
                  next:     ask the device first: attributes() and extendedAttributes() of its DeviceContext tell what rxe0 supports;
                            ./verbs devinfo -v prints them""", e.getMessage());
        assertEquals("memory windows of type 2", e.capability());
        assertEquals("rxe", e.provider());
        assertTrue(e.is(Errno.EOPNOTSUPP));
    }

    @Test
    void shouldSurviveSerialization() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(tooDeep().build());
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            VerbsException copy = assertInstanceOf(VerbsException.class, in.readObject());
            assertEquals(tooDeep().build().getMessage(), copy.getMessage());
            assertEquals(tooDeep().build().arguments(), copy.arguments());
            assertEquals(tooDeep().build().limits(), copy.limits());
        }
    }
}
