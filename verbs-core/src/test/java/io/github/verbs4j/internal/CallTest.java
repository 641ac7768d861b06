package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(FakeVerbs.Reset.class)
class CallTest {
    private static final MemorySegment POINTER = MemorySegment.ofAddress(42);

    private final List<Integer> told = new ArrayList<>();
    private final Call call = Call.on(
                    "something", () -> VerbsException.of("ibv_something").argument("state", QueuePairState.INIT))
            .explained((failure, errno) -> told.add(errno));

    @BeforeEach
    void openLibrary() {
        NativeLibrary.libibverbs().open();
    }

    /** An errno as a C call leaves it. */
    private static void fail(CapturedErrno errno, int number) {
        FakeVerbs.failNext("ibv_get_device_list", number);
        assertEquals(
                0, ErrnoVerbs.ibv_get_device_list(errno, MemorySegment.NULL).address());
    }

    private static MemorySegment nothing(CapturedErrno errno, int number) {
        fail(errno, number);
        return MemorySegment.NULL;
    }

    private static int minusOne(CapturedErrno errno, int number) {
        fail(errno, number);
        return -1;
    }

    private static String name(MemorySegment pointer) {
        throw new AssertionError("asked for a name that nobody wants to know");
    }

    private void assertFailed(int errno, VerbsException thrown) {
        assertEquals(List.of(errno), told, "the explanation is given the errno");
        assertTrue(thrown.is(new Errno(errno)), thrown::getMessage);
        assertEquals("ibv_something", thrown.operation());
        assertEquals("INIT", thrown.arguments().get("state"));
    }

    @Test
    void shouldTakeAPointer() {
        assertSame(POINTER, call.pointer(errno -> POINTER, CallTest::name));
        assertTrue(told.isEmpty());
    }

    @Test
    void shouldTakeErrnoWhenThePointerIsNull() {
        assertFailed(
                FakeVerbs.ENOMEM,
                assertThrows(
                        VerbsException.class,
                        () -> call.pointer(errno -> nothing(errno, FakeVerbs.ENOMEM), CallTest::name)));
    }

    @Test
    void shouldSayThatThereIsNoNumberWhenErrnoIsZero() {
        VerbsException thrown =
                assertThrows(VerbsException.class, () -> call.pointer(errno -> MemorySegment.NULL, CallTest::name));

        assertTrue(thrown.errno().isEmpty());
        assertTrue(thrown.getMessage().startsWith("ibv_something failed (no error number given)"));
    }

    @Test
    void shouldLeaveItToTheCallerWhatAFailureMeans() {
        CapturedErrno errno = CapturedErrno.create();

        assertEquals(
                0,
                call.tryPointer(errno, captured -> nothing(captured, FakeVerbs.EBUSY), CallTest::name)
                        .address());
        assertEquals(FakeVerbs.EBUSY, errno.value());
        assertEquals(-1, call.tryNotNegative(errno, captured -> minusOne(captured, FakeVerbs.EINVAL)));
        assertEquals(FakeVerbs.EINVAL, errno.value());
        assertEquals(FakeVerbs.EBUSY, call.tryReturned(() -> FakeVerbs.EBUSY));
        assertTrue(told.isEmpty());

        assertFailed(FakeVerbs.EINVAL, call.failed(FakeVerbs.EINVAL));
    }

    @Test
    void shouldTakeAnErrnoAsTheResult() {
        call.returned(() -> 0);
        assertTrue(told.isEmpty());

        assertFailed(FakeVerbs.EBUSY, assertThrows(VerbsException.class, () -> call.returned(() -> FakeVerbs.EBUSY)));
    }

    @Test
    void shouldTakeANegativeErrnoAsTheResult() {
        assertFailed(
                FakeVerbs.EINVAL, assertThrows(VerbsException.class, () -> call.returned(() -> -FakeVerbs.EINVAL)));
    }

    @Test
    void shouldNotTakeMinusOneForAnErrno() {
        VerbsException thrown = assertThrows(VerbsException.class, () -> call.returned(() -> -1));
        assertTrue(thrown.errno().isEmpty(), thrown::getMessage);
    }

    @Test
    void shouldTakeMinusOneAndErrno() {
        assertEquals(0, call.notNegative(errno -> 0));
        assertEquals(7, call.notNegative(errno -> 7));
        assertTrue(told.isEmpty());

        assertFailed(
                FakeVerbs.EINVAL,
                assertThrows(VerbsException.class, () -> call.notNegative(errno -> minusOne(errno, FakeVerbs.EINVAL))));
    }

    @Test
    void shouldTakeACountOrANegativeErrno() {
        assertEquals(0, call.count(() -> 0));
        assertEquals(5_000_000_000L, call.count(() -> 5_000_000_000L));
        assertTrue(told.isEmpty());

        assertFailed(95, assertThrows(VerbsException.class, () -> call.count(() -> -95)));
    }

    @Test
    void shouldNotDescribeWhatSucceeds() {
        Call untold = Call.on("something", () -> {
            throw new AssertionError("asked for a description");
        });
        untold.returned(() -> 0);
        untold.notNegative(errno -> 0);
        untold.count(() -> 1);
        untold.pointer(errno -> POINTER, CallTest::name);
        untold.done(() -> {});
    }
}
