package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import java.lang.foreign.Arena;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever refuses to be made says why, and leaves nothing behind. */
class CreationFailureTest extends FakeDevice {
    private static final int UNHEARD_OF = 4095;

    private VerbsException fail(String function, int errno, Executable creation) {
        Map<String, Integer> before = FakeVerbs.liveObjects();
        FakeVerbs.failNext(function, errno);

        VerbsException thrown = assertThrows(VerbsException.class, creation);
        assertTrue(thrown.is(new Errno(errno)), thrown::getMessage);
        assertEquals("fake0", thrown.device().orElse("none"));
        assertEquals(before, FakeVerbs.liveObjects(), "nothing leaked");
        return thrown;
    }

    private static void assertSays(String part, VerbsException thrown) {
        assertTrue(thrown.getMessage().contains(part), () -> "\"" + part + "\" is not in: " + thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {EPERM, FakeVerbs.ENOMEM, EACCES, FakeVerbs.EINVAL, UNHEARD_OF})
    void shouldExplainAProtectionDomain(int errno) {
        VerbsException thrown = fail("ibv_alloc_pd", errno, () -> context.allocateProtectionDomain());

        assertEquals("ibv_alloc_pd", thrown.operation());
        assertSays("ibv_alloc_pd failed on fake0: " + new Errno(errno), thrown);
    }

    @ParameterizedTest
    @ValueSource(ints = {EPERM, FakeVerbs.ENOMEM, FakeVerbs.EINVAL, UNHEARD_OF})
    void shouldExplainACompletionQueue(int errno) {
        VerbsException thrown = fail("ibv_create_cq", errno, () -> context.createCompletionQueue(100));

        assertEquals("ibv_create_cq", thrown.operation());
        assertEquals("0", thrown.arguments().get("comp_vector"));
        assertEquals(errno != UNHEARD_OF, thrown.likelyCause().isPresent(), thrown::getMessage);
    }

    @Test
    void shouldHoldACompletionQueueAgainstTheLimit() {
        VerbsException thrown = assertThrows(VerbsException.class, () -> context.createCompletionQueue(40_000));

        assertSays("limits:   cqe 40000 > 32767 (max_cqe)   <- over", thrown);
        assertSays("cause:    cqe is over the device's limit", thrown);
        assertSays("next:     ask for at most 32767", thrown);
    }

    @ParameterizedTest
    @ValueSource(ints = {EPERM, FakeVerbs.ENOMEM, 14, FakeVerbs.EINVAL, UNHEARD_OF})
    void shouldExplainAMemoryRegion(int errno) {
        VerbsException thrown = fail("ibv_reg_mr_iova2", errno, () -> domain.allocate(10_000, AccessFlag.LOCAL_WRITE));

        assertEquals("ibv_reg_mr", thrown.operation());
        assertEquals("10000", thrown.arguments().get("length"));
        assertEquals("[LOCAL_WRITE]", thrown.arguments().get("access"));
        if (errno == FakeVerbs.ENOMEM) {
            assertSays("RLIMIT_MEMLOCK", thrown);
        }
        fail("ibv_reg_mr_iova2", errno, () -> domain.register(Arena.ofAuto().allocate(16)));
        fail(
                "ibv_reg_mr_iova2",
                errno,
                () -> domain.registerUnchecked(Arena.global().allocate(16)));
    }

    @Test
    void shouldExplainMemoryThatCannotBeHad() {
        VerbsException thrown =
                assertThrows(VerbsException.class, () -> domain.allocate(1L << 62, AccessFlag.LOCAL_WRITE));

        assertEquals("mmap", thrown.operation());
        assertEquals(Long.toString(1L << 62), thrown.arguments().get("bytes"));
        assertTrue(thrown.is(Errno.ENOMEM));
        assertEquals(
                0,
                FakeVerbs.log("ibv_reg_mr").stream()
                        .filter(line -> line.contains("EFAULT"))
                        .count());
    }

    @ParameterizedTest
    @ValueSource(ints = {EPERM, FakeVerbs.ENOMEM, FakeVerbs.EINVAL, UNHEARD_OF})
    void shouldExplainAQueuePair(int errno) {
        VerbsException thrown = fail("ibv_create_qp", errno, () -> domain.createRc(options()));

        assertEquals("ibv_create_qp", thrown.operation());
        assertEquals("RC", thrown.arguments().get("qp_type"));
        assertSays("max_inline_data=64 (its limit cannot be queried; 0 always fits)", thrown);
        assertEquals(4, thrown.limits().size());
        assertTrue(thrown.exceededLimits().isEmpty());
        assertEquals(0, queue.reserved());
        domain.createRc(options()).close();
    }

    @Test
    void shouldSuspectInlineDataWhereAllElseIsWithinItsLimit() {
        QueuePairOptions much = options().inline(100_000);
        assertSays(
                "cause:    max_inline_data=100000 is most likely too much",
                fail("ibv_create_qp", FakeVerbs.EINVAL, () -> domain.createRc(much)));
        assertSays(
                "cause:    max_send_wr is over the device's limit",
                fail(
                        "ibv_create_qp",
                        FakeVerbs.EINVAL,
                        () -> domain.createRc(much.depth(16_385, 1).allowOverrun())));
        assertSays(
                "EINVAL does not say", fail("ibv_create_qp", FakeVerbs.EINVAL, () -> domain.createRc(much.inline(0))));
    }

    @Test
    void shouldHoldAQueuePairAgainstTheLimits() {
        VerbsException thrown = assertThrows(
                VerbsException.class,
                () -> domain.createRc(
                        options().depth(16_385, 20_000).segments(33, 1).allowOverrun()));

        assertSays("max_send_wr 16385 > 16384 (max_qp_wr)   <- over", thrown);
        assertSays("max_recv_wr 20000 > 16384 (max_qp_wr)   <- over", thrown);
        assertSays("max_send_sge 33 > 32 (max_sge)   <- over", thrown);
        assertSays("max_recv_sge 1 <= 32 (max_sge)", thrown);
        assertSays("cause:    max_send_wr and max_recv_wr and max_send_sge are over the device's limits", thrown);
        assertSays("next:     ask for at most max_send_wr=16384, max_recv_wr=16384, max_send_sge=32", thrown);
        assertEquals(3, thrown.exceededLimits().size());
        assertEquals(0, queue.reserved());
    }
}
