package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each generated function is the one that the installed library exports. */
class ExportedFunctionTest {
    @Test
    void shouldBindEveryFunctionOfLibibverbs() {
        assertBound(verbs_h.class, NativeLibrary.libibverbs(), 67);
    }

    @Test
    void shouldBindEveryFunctionOfLibrdmacm() {
        assertBound(rdmacm_h.class, NativeLibrary.librdmacm(), 68);
    }

    private static void assertBound(Class<?> header, NativeLibrary library, int count) {
        Map<String, MemorySegment> bound = new TreeMap<>();
        for (String function : GeneratedClasses.methods(header, "$address")) {
            bound.put(function, (MemorySegment) GeneratedClasses.call(header, function + "$address"));
        }
        for (Class<?> variadic : header.getClasses()) {
            if (variadic.getDeclaringClass() == header) {
                bound.put(variadic.getSimpleName(), (MemorySegment) GeneratedClasses.call(variadic, "address"));
            }
        }
        Map<String, MemorySegment> exported = new TreeMap<>();
        bound.keySet().forEach(function -> exported.put(function, library.require(function)));

        assertEquals(exported, bound);
        assertEquals(count, bound.size());
    }
}
