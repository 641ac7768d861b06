package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Limit;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeCompletion;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.ffi.ibv_device_attr_ex;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a completion queue is created with, and what can be changed later. */
class CompletionQueueTest extends FakeDevice {
    private static final int EOPNOTSUPP = 95;

    // ---- creation ----

    @Test
    void shouldTakeACompletionVector() {
        assertEquals(2, context.completionVectors());
        FakeVerbs.clearRecords();
        CompletionQueue other = keep(
                context.createCompletionQueue(CompletionQueueOptions.entries(16).vector(1)));
        assertEquals(List.of("ibv_create_cq context1 cqe=16 channel1 vector=1 -> cq2"), FakeVerbs.log("ibv_create_cq"));
        assertEquals(1, other.options().vector());
        assertEquals(16, other.options().entries());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, Integer.MAX_VALUE})
    void shouldRefuseAVectorThatIsNotThere(int vector) {
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> context.createCompletionQueue(
                        CompletionQueueOptions.entries(16).vector(vector)));
        assertEquals("vector=" + vector + " is not in 0..1 of fake0", thrown.getMessage());
    }

    // ---- resizing ----

    @Test
    void shouldGrowAndShrink() {
        Completions completions = completions();
        FakeVerbs.pushCompletion(queue.handle(), FakeCompletion.success(1, 0, 17));
        queue.resize(2000);
        assertEquals(2000, queue.capacity());
        assertEquals("CompletionQueue 1 (2000 entries) of fake0", queue.toString());
        queue.resize(1);
        assertEquals(1, queue.capacity());
        assertEquals(1, completions.poll(), "what had completed stays");
        assertThrows(IllegalArgumentException.class, () -> queue.resize(0));
    }

    @Test
    void shouldMakeRoomForMoreQueuePairs() {
        CompletionQueue small = keep(context.createCompletionQueue(16));
        queuePair(QueuePairOptions.sharing(small).depth(8, 8));
        QueuePairOptions more = QueuePairOptions.sharing(small).depth(4, 4);
        assertThrows(IllegalArgumentException.class, () -> domain.createRc(more));
        small.resize(24);
        queuePair(more);
        assertEquals(24, small.reserved());
    }

    @Test
    void shouldKeepRoomForWhatMayBeOutstanding() {
        queuePair(QueuePairOptions.sharing(queue).depth(8, 8));
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> queue.resize(15));
        assertEquals(
                "entries=15 is less than the 16 completions that the queue pairs on " + queue
                        + " may have outstanding: what does not fit would be lost; close some of them first",
                thrown.getMessage());
        assertEquals(0, FakeVerbs.calls("ibv_resize_cq"));
        queue.resize(16);
    }

    @Test
    void shouldNotMindThoseThatMayOverrun() {
        CompletionQueue small = keep(context.createCompletionQueue(8));
        queuePair(QueuePairOptions.sharing(small).depth(8, 8).allowOverrun());
        small.resize(10);
        assertEquals(10, small.capacity());
    }

    @Test
    void shouldTellThatCompletionsAreInTheWay() {
        for (int id = 0; id < 5; id++) {
            FakeVerbs.pushCompletion(queue.handle(), FakeCompletion.success(id, 0, 17));
        }
        VerbsException thrown = assertThrows(VerbsException.class, () -> queue.resize(4));
        assertEquals("ibv_resize_cq", thrown.operation());
        assertEquals("poll them first", thrown.nextStep().orElseThrow());
        assertEquals(1024, queue.capacity());
    }

    @Test
    void shouldTellThatTheDeviceIsTooSmall() {
        int most = context.attributes().maxCompletions();
        VerbsException thrown = assertThrows(VerbsException.class, () -> queue.resize(most + 1));
        assertTrue(thrown.is(Errno.EINVAL));
        assertEquals(1, thrown.exceededLimits().size());
    }

    @Test
    void shouldTellThatTheDeviceCannotResize() {
        FakeVerbs.failNext("ibv_resize_cq", EOPNOTSUPP);
        UnsupportedCapabilityException thrown =
                assertThrows(UnsupportedCapabilityException.class, () -> queue.resize(2000));
        assertEquals("ibv_resize_cq", thrown.operation());
        assertEquals(1024, queue.capacity());
    }

    // ---- moderating ----

    @Test
    void shouldModerateEvents() {
        FakeVerbs.clearRecords();
        queue.moderate(8, Duration.ofNanos(16_999));
        queue.moderate(65_535, Duration.ofNanos(65_535_000));
        queue.moderate(0, Duration.ZERO);
        assertEquals(
                List.of(
                        "ibv_modify_cq cq1 count=8 period=16",
                        "ibv_modify_cq cq1 count=65535 period=65535",
                        "ibv_modify_cq cq1 count=0 period=0"),
                FakeVerbs.log("ibv_modify_cq"));
        assertThrows(IllegalArgumentException.class, () -> queue.moderate(-1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> queue.moderate(65_536, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> queue.moderate(1, Duration.ofNanos(-1)));
        assertThrows(IllegalArgumentException.class, () -> queue.moderate(1, Duration.ofNanos(65_536_000)));
    }

    @Test
    void shouldTellThatTheDeviceCannotModerate() {
        FakeVerbs.removeOperation("modify_cq");
        CompletionQueue other = keep(keep(Device.first().open()).createCompletionQueue(16));
        UnsupportedCapabilityException thrown =
                assertThrows(UnsupportedCapabilityException.class, () -> other.moderate(8, Duration.ZERO));
        assertEquals("ibv_modify_cq", thrown.operation());
    }

    @Test
    void shouldNotTryToModerateWhereTheDeviceSaysThatItCannot() {
        try (Arena arena = Arena.ofConfined()) {
            FakeVerbs.extended(0, ibv_device_attr_ex.allocate(arena));
        }
        FakeVerbs.clearRecords();
        UnsupportedCapabilityException thrown =
                assertThrows(UnsupportedCapabilityException.class, () -> queue.moderate(8, Duration.ZERO));
        assertEquals("moderation of completion events", thrown.capability());
        assertEquals("its cq_mod_caps are 0", thrown.likelyCause().orElseThrow());
        assertEquals(0, FakeVerbs.calls("modify_cq"));
    }

    @Test
    void shouldTellOfARefusedModeration() {
        FakeVerbs.failNext("modify_cq", EIO);
        VerbsException thrown = assertThrows(VerbsException.class, () -> queue.moderate(8, Duration.ofNanos(3000)));
        assertEquals(
                List.of(
                        new Limit("cq_count", 8, 65_535, "max_cq_count"),
                        new Limit("cq_period", 3, 65_535, "max_cq_period")),
                thrown.limits());
    }
}
