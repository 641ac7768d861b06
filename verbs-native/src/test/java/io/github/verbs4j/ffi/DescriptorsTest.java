package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The hand-written numbers are C's, on both processors, and the calls do what they say. */
class DescriptorsTest {
    private static final int EBADF = 9;
    private static final List<Check> NUMBERS = List.of(
            new Check("POLLIN", "POLLIN", Descriptors.POLLIN),
            new Check("F_GETFL", "F_GETFL", Descriptors.F_GETFL),
            new Check("F_SETFL", "F_SETFL", Descriptors.F_SETFL),
            new Check("O_NONBLOCK", "O_NONBLOCK", Descriptors.O_NONBLOCK),
            new Check("EFD_CLOEXEC", "EFD_CLOEXEC", Descriptors.EFD_CLOEXEC),
            new Check("size of pollfd", "sizeof(struct pollfd)", Descriptors.POLLFD_BYTES),
            new Check("fd", "offsetof(struct pollfd, fd)", 0),
            new Check("events", "offsetof(struct pollfd, events)", Descriptors.EVENTS),
            new Check("revents", "offsetof(struct pollfd, revents)", Descriptors.REVENTS));

    private final Arena arena = Arena.ofAuto();
    private final CapturedErrno errno = new CapturedErrno(arena);
    private final int quiet = Descriptors.eventfd(errno);
    private final int signalled = Descriptors.eventfd(errno);

    @AfterEach
    void close() {
        assertEquals(0, Descriptors.close(errno, quiet));
        assertEquals(0, Descriptors.close(errno, signalled));
    }

    @Test
    void shouldAgreeWithC() {
        assertEquals(List.of(), CNumbers.disagreementsWhenRun("descriptors", NUMBERS));
        assertEquals(
                List.of(), CNumbers.disagreementsWhenCompiled("descriptors-aarch64", CCompiler.aarch64(), NUMBERS));
    }

    @Test
    void shouldTellWhichDescriptorWasSignalled() {
        MemorySegment array = Descriptors.readable(arena, quiet, signalled);
        assertEquals(8, Descriptors.signal(errno, signalled, arena));

        assertEquals(1, Descriptors.poll(errno, array));
        assertEquals(0, Descriptors.found(array, 0));
        assertTrue(Descriptors.found(array, 1) != 0);
        assertFalse(Descriptors.isError(Descriptors.found(array, 1)));
    }

    @Test
    void shouldTellOfAnError() {
        int closed = Descriptors.eventfd(errno);
        assertEquals(0, Descriptors.close(errno, closed));
        MemorySegment array = Descriptors.readable(arena, quiet, closed);

        assertEquals(1, Descriptors.poll(errno, array));
        assertTrue(Descriptors.isError(Descriptors.found(array, 1)));
    }

    @Test
    void shouldMakeADescriptorNonBlocking() throws Exception {
        assertFalse(isNonBlocking(quiet));
        assertEquals(0, Descriptors.setNonBlocking(errno, quiet));
        assertTrue(isNonBlocking(quiet));
        assertFalse(isNonBlocking(signalled));
    }

    private static boolean isNonBlocking(int descriptor) throws Exception {
        String flags = Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor)).stream()
                .filter(line -> line.startsWith("flags:"))
                .findFirst()
                .orElseThrow();
        return (Integer.parseInt(flags.substring(6).strip(), 8) & Descriptors.O_NONBLOCK) != 0;
    }

    @Test
    void shouldTellTheErrno() {
        assertEquals(-1, Descriptors.close(errno, -1));
        assertEquals(EBADF, errno.value());
        assertEquals(-1, Descriptors.setNonBlocking(errno, -1));
        assertEquals(EBADF, errno.value());
        assertEquals(-1, Descriptors.signal(errno, -1, arena));
        assertEquals(EBADF, errno.value());
    }
}
