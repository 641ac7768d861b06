package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(FakeVerbs.Reset.class)
class OutcomeTest {
    private final List<Integer> told = new ArrayList<>();
    private final IntFunction<VerbsException.Builder> failure = errno -> {
        told.add(errno);
        return VerbsException.of("ibv_something").argument("state", QueuePairState.INIT);
    };

    @BeforeEach
    void openLibrary() {
        NativeLibrary.libibverbs().open();
    }

    /** An errno as a C call leaves it. */
    private static CapturedErrno errno(int number) {
        CapturedErrno errno = CapturedErrno.create();
        FakeVerbs.failNext("ibv_get_device_list", number);
        assertEquals(
                0, ErrnoVerbs.ibv_get_device_list(errno, MemorySegment.NULL).address());
        return errno;
    }

    private void assertFailed(int errno, VerbsException thrown) {
        assertEquals(List.of(errno), told, "the failure is told the errno");
        assertTrue(thrown.is(new Errno(errno)), thrown::getMessage);
        assertEquals("ibv_something", thrown.operation());
        assertEquals("INIT", thrown.arguments().get("state"));
    }

    @Test
    void shouldTakeAPointer() {
        MemorySegment pointer = MemorySegment.ofAddress(42);

        assertSame(pointer, Outcome.pointer(pointer, CapturedErrno.create(), failure));
        assertTrue(told.isEmpty());
    }

    @Test
    void shouldTakeErrnoWhenThePointerIsNull() {
        CapturedErrno errno = errno(FakeVerbs.ENOMEM);

        assertFailed(
                FakeVerbs.ENOMEM,
                assertThrows(VerbsException.class, () -> Outcome.pointer(MemorySegment.NULL, errno, failure)));
    }

    @Test
    void shouldSayThatThereIsNoNumberWhenErrnoIsZero() {
        VerbsException thrown = assertThrows(
                VerbsException.class, () -> Outcome.pointer(MemorySegment.NULL, CapturedErrno.create(), failure));

        assertTrue(thrown.errno().isEmpty());
        assertTrue(thrown.getMessage().startsWith("ibv_something failed (no error number given)"));
    }

    @Test
    void shouldTakeAnErrnoAsTheResult() {
        Outcome.returned(0, failure);
        assertTrue(told.isEmpty());

        assertFailed(
                FakeVerbs.EBUSY, assertThrows(VerbsException.class, () -> Outcome.returned(FakeVerbs.EBUSY, failure)));
    }

    @Test
    void shouldTakeANegativeErrnoAsTheResult() {
        assertFailed(
                FakeVerbs.EINVAL,
                assertThrows(VerbsException.class, () -> Outcome.returned(-FakeVerbs.EINVAL, failure)));
    }

    @Test
    void shouldNotTakeMinusOneForAnErrno() {
        VerbsException thrown = assertThrows(VerbsException.class, () -> Outcome.returned(-1, failure));
        assertTrue(thrown.errno().isEmpty(), thrown::getMessage);
    }

    @Test
    void shouldTakeMinusOneAndErrno() {
        CapturedErrno errno = errno(FakeVerbs.EINVAL);
        assertEquals(0, Outcome.notNegative(0, errno, failure));
        assertEquals(7, Outcome.notNegative(7, errno, failure));
        assertTrue(told.isEmpty());

        assertFailed(
                FakeVerbs.EINVAL, assertThrows(VerbsException.class, () -> Outcome.notNegative(-1, errno, failure)));
    }

    @Test
    void shouldTakeACountOrANegativeErrno() {
        assertEquals(0, Outcome.count(0, failure));
        assertEquals(5_000_000_000L, Outcome.count(5_000_000_000L, failure));
        assertTrue(told.isEmpty());

        assertFailed(95, assertThrows(VerbsException.class, () -> Outcome.count(-95, failure)));
    }

    @Test
    void shouldNotMakeUpAMessageWhenAllIsWell() {
        Outcome.returned(0, errno -> {
            throw new AssertionError("asked for a message");
        });
        assertFalse(told.contains(0));
    }
}
