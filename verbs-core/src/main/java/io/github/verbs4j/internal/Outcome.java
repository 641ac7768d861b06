package io.github.verbs4j.internal;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;

/**
 * The error conventions of libibverbs, one method each; every call site picks one. The last argument tells about the call
 * when it failed, given the errno.
 */
public final class Outcome {
    private Outcome() {}

    /**
     * A pointer, or NULL and errno.
     *
     * @param result what C returned
     * @param errno captured in the same call
     * @param failure tells about the call
     * @return the pointer
     */
    public static MemorySegment pointer(
            MemorySegment result, CapturedErrno errno, IntFunction<VerbsException.Builder> failure) {
        if (result.address() == 0) {
            throw failed(errno.value(), failure);
        }
        return result;
    }

    /**
     * 0, or an errno as the result; against the manual, some providers return a negative errno, or -1, which tells nothing.
     *
     * @param result what C returned
     * @param failure tells about the call
     */
    public static void returned(int result, IntFunction<VerbsException.Builder> failure) {
        if (result != 0) {
            throw failed(result == -1 ? 0 : result, failure);
        }
    }

    /**
     * Not negative, or -1 and errno.
     *
     * @param result what C returned
     * @param errno captured in the same call
     * @param failure tells about the call
     * @return the result
     */
    public static int notNegative(int result, CapturedErrno errno, IntFunction<VerbsException.Builder> failure) {
        if (result < 0) {
            throw failed(errno.value(), failure);
        }
        return result;
    }

    /**
     * A count, or a negative errno.
     *
     * @param result what C returned
     * @param failure tells about the call
     * @return the count
     */
    public static long count(long result, IntFunction<VerbsException.Builder> failure) {
        if (result < 0) {
            throw failed((int) -result, failure);
        }
        return result;
    }

    private static VerbsException failed(int number, IntFunction<VerbsException.Builder> failure) {
        int errno = Math.abs(number);
        return failure.apply(errno).errno(errno).explainErrno().build();
    }
}
