package io.github.verbs4j.internal;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.event.CallEvent;
import io.github.verbs4j.ffi.CapturedErrno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * A call of the control path. It is described once, for Flight Recorder and for the exception if it fails; and then made by one of the
 * methods here, one for each error convention of C. This is the only place that tells of calls, so every call goes through here.
 *
 * <p>Nothing is described unless it failed, or a recording wants to know.
 */
public final class Call {
    private static final String NO_NUMBER = "unknown";
    private static final ObjIntConsumer<VerbsException.Builder> NOTHING = (failure, errno) -> {};

    private final Object object;
    private final Supplier<VerbsException.Builder> asked;
    private final ObjIntConsumer<VerbsException.Builder> why;

    static {
        Recorder.listen();
    }

    private Call(Object object, Supplier<VerbsException.Builder> asked, ObjIntConsumer<VerbsException.Builder> why) {
        this.object = object;
        this.asked = asked;
        this.why = why;
    }

    /**
     * {@return a call to be made}
     *
     * @param object what it is made on, by its text; of a creation, what is built on
     * @param asked the function and what is asked of it; without looking at the machine, since the call may well succeed
     */
    public static Call on(Object object, Supplier<VerbsException.Builder> asked) {
        return new Call(object, asked, NOTHING);
    }

    /**
     * {@return the same call, with more to tell if it fails}
     *
     * @param more adds causes and remedies, given the errno, 0 if C gave none; may throw an exception of its own
     */
    public Call explained(ObjIntConsumer<VerbsException.Builder> more) {
        return new Call(object, asked, more);
    }

    /**
     * A pointer, or NULL and errno.
     *
     * @param function the call
     * @param name what to call that which it made; asked only for a recording
     * @return the pointer
     */
    public MemorySegment pointer(
            Function<CapturedErrno, MemorySegment> function, Function<MemorySegment, String> name) {
        try (Arena arena = Arena.ofConfined()) {
            CapturedErrno errno = new CapturedErrno(arena);
            MemorySegment made = tryPointer(errno, function, name);
            if (made.address() == 0) {
                throw failed(errno.value());
            }
            return made;
        }
    }

    /**
     * As {@link #pointer}, where a failure may be no error.
     *
     * @param errno to be captured in the call
     * @param function the call
     * @param name as there
     * @return the pointer, or NULL
     */
    public MemorySegment tryPointer(
            CapturedErrno errno,
            Function<CapturedErrno, MemorySegment> function,
            Function<MemorySegment, String> name) {
        CallEvent event = new CallEvent();
        event.begin();
        MemorySegment made = function.apply(errno);
        event.end();
        if (event.shouldCommit()) {
            boolean good = made.address() != 0;
            tell(event, good, good ? name.apply(made) : "NULL", good ? 0 : errno.value());
        }
        return made;
    }

    /**
     * 0, or an errno as the result; against the manual, some providers return a negative errno, or -1, which tells nothing.
     *
     * @param function the call
     */
    public void returned(IntSupplier function) {
        int result = tryReturned(function);
        if (result != 0) {
            throw failed(number(result));
        }
    }

    /**
     * As {@link #returned}, where a failure may be no error.
     *
     * @param function the call
     * @return what C returned
     */
    public int tryReturned(IntSupplier function) {
        CallEvent event = new CallEvent();
        event.begin();
        int result = function.getAsInt();
        event.end();
        if (event.shouldCommit()) {
            tell(event, result == 0, result, number(result));
        }
        return result;
    }

    private static int number(int result) {
        return result == -1 ? 0 : Math.abs(result);
    }

    /**
     * Not negative, or -1 and errno.
     *
     * @param function the call
     * @return the result
     */
    public int notNegative(ToIntFunction<CapturedErrno> function) {
        try (Arena arena = Arena.ofConfined()) {
            CapturedErrno errno = new CapturedErrno(arena);
            int result = tryNotNegative(errno, function);
            if (result < 0) {
                throw failed(errno.value());
            }
            return result;
        }
    }

    /**
     * As {@link #notNegative}, where a failure may be no error.
     *
     * @param errno to be captured in the call
     * @param function the call
     * @return what C returned
     */
    public int tryNotNegative(CapturedErrno errno, ToIntFunction<CapturedErrno> function) {
        CallEvent event = new CallEvent();
        event.begin();
        int result = function.applyAsInt(errno);
        event.end();
        if (event.shouldCommit()) {
            tell(event, result >= 0, result, result == -1 ? errno.value() : 0);
        }
        return result;
    }

    /**
     * A count, or a negative errno.
     *
     * @param function the call
     * @return the count
     */
    public long count(LongSupplier function) {
        CallEvent event = new CallEvent();
        event.begin();
        long result = function.getAsLong();
        event.end();
        if (event.shouldCommit()) {
            tell(event, result >= 0, result, result >= 0 ? 0 : (int) -result);
        }
        if (result < 0) {
            throw failed((int) -result);
        }
        return result;
    }

    /**
     * Nothing: it cannot fail.
     *
     * @param function the call
     */
    public void done(Runnable function) {
        CallEvent event = new CallEvent();
        event.begin();
        function.run();
        event.end();
        if (event.shouldCommit()) {
            tell(event, true, "", 0);
        }
    }

    /**
     * {@return the exception of a call that failed}
     *
     * @param errno 0 if C gave none
     */
    public VerbsException failed(int errno) {
        VerbsException.Builder failure = asked.get();
        why.accept(failure, errno);
        return failure.errno(errno).explainErrno().build();
    }

    private void tell(CallEvent event, boolean good, Object result, int errno) {
        VerbsException.Builder call = asked.get();
        String on = object.toString();
        event.asked(call.operation(), on, text(call.asked(), on), call.deviceName());
        event.ended(result.toString(), errno, good ? null : errno == 0 ? NO_NUMBER : new Errno(errno).toString());
        event.commit();
    }

    /** Without the argument that is the object, which is told already. */
    private static String text(Map<String, String> arguments, String object) {
        return arguments.entrySet().stream()
                .filter(argument -> !argument.getValue().equals(object))
                .map(argument -> argument.getKey() + "=" + argument.getValue())
                .collect(Collectors.joining(", "));
    }
}
