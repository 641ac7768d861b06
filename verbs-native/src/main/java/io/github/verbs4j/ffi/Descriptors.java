package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/**
 * What it takes to wait for file descriptors, by the C names: libibverbs tells its events through them. A result of -1
 * means failure, with errno.
 */
@SuppressWarnings("restricted")
public final class Descriptors {
    /** {@code struct pollfd}. */
    private static final StructLayout POLLFD = MemoryLayout.structLayout(
            JAVA_INT.withName("fd"), JAVA_SHORT.withName("events"), JAVA_SHORT.withName("revents"));

    static final long POLLFD_BYTES = POLLFD.byteSize();
    static final long EVENTS = POLLFD.byteOffset(MemoryLayout.PathElement.groupElement("events"));
    static final long REVENTS = POLLFD.byteOffset(MemoryLayout.PathElement.groupElement("revents"));

    static final short POLLIN = 1;
    static final int F_GETFL = 3;
    static final int F_SETFL = 4;
    static final int O_NONBLOCK = 0x800;
    static final int EFD_CLOEXEC = 0x80000;

    private static final MethodHandle POLL =
            link("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle EVENTFD = link("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle FCNTL = link(
            "fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle WRITE =
            link("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private Descriptors() {}

    private static MethodHandle link(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return Calls.linkWithErrno(Linker.nativeLinker().defaultLookup().findOrThrow(name), descriptor, options);
    }

    /**
     * {@return an array of {@code struct pollfd} that asks for what can be read}
     *
     * @param allocator what its memory comes from
     * @param descriptors one an element
     */
    public static MemorySegment readable(SegmentAllocator allocator, int... descriptors) {
        MemorySegment array = allocator.allocate(POLLFD, descriptors.length);
        for (int i = 0; i < descriptors.length; i++) {
            array.set(JAVA_INT, i * POLLFD_BYTES, descriptors[i]);
            array.set(JAVA_SHORT, i * POLLFD_BYTES + EVENTS, POLLIN);
        }
        return array;
    }

    /**
     * {@code poll}: waits, without a limit, until one of the descriptors has something to read or is in error.
     *
     * @param errno receives errno
     * @param array as from {@link #readable}
     * @return how many have, or -1
     */
    public static int poll(CapturedErrno errno, MemorySegment array) {
        try {
            return (int) POLL.invokeExact(errno.state(), array, array.byteSize() / POLLFD_BYTES, -1);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@return what the last {@link #poll} found of a descriptor: 0 for nothing}
     *
     * @param array as from {@link #readable}
     * @param index of the descriptor
     */
    public static int found(MemorySegment array, int index) {
        return array.get(JAVA_SHORT, index * POLLFD_BYTES + REVENTS);
    }

    /**
     * {@return whether that is an error ({@code POLLERR}, {@code POLLHUP}, {@code POLLNVAL}), maybe beside something to
     * read}
     *
     * @param found from {@link #found}
     */
    public static boolean isError(int found) {
        return (found & ~POLLIN) != 0;
    }

    /**
     * {@code eventfd}: a descriptor for {@link #signal}.
     *
     * @param errno receives errno
     * @return the descriptor, or -1
     */
    public static int eventfd(CapturedErrno errno) {
        try {
            return (int) EVENTFD.invokeExact(errno.state(), 0, EFD_CLOEXEC);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code write} to an {@link #eventfd}, which from then on can be read.
     *
     * @param errno receives errno
     * @param descriptor of the eventfd
     * @param allocator for the 8 bytes to write
     * @return 8, or -1
     */
    public static long signal(CapturedErrno errno, int descriptor, SegmentAllocator allocator) {
        try {
            MemorySegment one = allocator.allocateFrom(JAVA_LONG, 1);
            return (long) WRITE.invokeExact(errno.state(), descriptor, one, one.byteSize());
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code fcntl}: calls on the descriptor fail with EAGAIN from now on where they would have waited.
     *
     * @param errno receives errno
     * @param descriptor an open one
     * @return 0, or -1
     */
    public static int setNonBlocking(CapturedErrno errno, int descriptor) {
        int flags = fcntl(errno, descriptor, F_GETFL, 0);
        return flags == -1 ? -1 : fcntl(errno, descriptor, F_SETFL, flags | O_NONBLOCK);
    }

    private static int fcntl(CapturedErrno errno, int descriptor, int command, int argument) {
        try {
            return (int) FCNTL.invokeExact(errno.state(), descriptor, command, argument);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    /**
     * {@code close}.
     *
     * @param errno receives errno
     * @param descriptor an open one
     * @return 0, or -1
     */
    public static int close(CapturedErrno errno, int descriptor) {
        try {
            return (int) CLOSE.invokeExact(errno.state(), descriptor);
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }
}
