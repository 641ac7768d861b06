package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** C strings are read up to their end or the limit, whichever comes first. */
class PointersTest {
    private final Arena arena = Arena.ofAuto();

    @Test
    void shouldEndAtNul() {
        assertEquals("rxe0", Pointers.string(pointer("rxe0\0rest"), 64));
    }

    @Test
    void shouldEndAtTheLimit() {
        assertEquals("mlx5", Pointers.string(pointer("mlx5_0"), 4));
    }

    @Test
    void shouldFillTheLimitExactly() {
        assertEquals("mlx5", Pointers.string(pointer("mlx5\0"), 4));
    }

    @Test
    void shouldReadNullAsEmpty() {
        assertEquals("", Pointers.string(MemorySegment.NULL, 64));
    }

    @Test
    void shouldReadNothingWithALimitOfZero() {
        assertEquals("", Pointers.string(pointer("x"), 0));
    }

    @Test
    void shouldReadUtf8() {
        assertEquals("Gerät", Pointers.string(pointer("Gerät\0"), 64));
    }

    @Test
    void shouldGiveAPointerItsSize() {
        MemorySegment pointer = pointer("12345678");

        MemorySegment segment = Pointers.segment(pointer.address(), 8);

        assertEquals(pointer.address(), segment.address());
        assertEquals(8, segment.byteSize());
        assertEquals(
                8,
                Pointers.segment(MemorySegment.ofAddress(pointer.address()), 8).byteSize());
    }

    /** Without a size, as C hands it out. */
    private MemorySegment pointer(String bytes) {
        byte[] content = bytes.getBytes(StandardCharsets.UTF_8);
        MemorySegment memory = arena.allocate(content.length + 64L);
        memory.copyFrom(MemorySegment.ofArray(content));
        return memory.asSlice(0, 0);
    }
}
