package io.github.verbs4j.bench.overhead;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** The C program of overhead.c: one call runs all batches. */
@SuppressWarnings("restricted")
final class CWay implements Way {
    private final SymbolLookup library;
    private final MemorySegment bench;
    private final Map<Work, MethodHandle> calls = new EnumMap<>(Work.class);

    CWay(Path file, Ends ends) {
        this.library = SymbolLookup.libraryLookup(file, Arena.global());
        MemorySegment pairs = Arena.global().allocate(ADDRESS, ends.pairs().size());
        for (int i = 0; i < ends.pairs().size(); i++) {
            pairs.setAtIndex(ADDRESS, i, ends.pairs().get(i).handle());
        }
        MethodHandle open = link(
                "c_open",
                FunctionDescriptor.of(
                        ADDRESS, ADDRESS, ADDRESS, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
        try {
            this.bench = (MemorySegment) open.invokeExact(
                    ends.queue().handle(),
                    pairs,
                    ends.pairs().size(),
                    DEPTH,
                    ends.memory().address(),
                    ends.memory().localKey().value(),
                    ends.target().address(),
                    ends.target().remoteKey().value());
        } catch (Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    private MethodHandle link(String function, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(function), descriptor);
    }

    @Override
    public long run(Work work, int batch, int batches) {
        MethodHandle call = calls.computeIfAbsent(
                work,
                _ -> link(
                        "c_" + work.toString().replace('-', '_'),
                        FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT)));
        try {
            return (long) call.invokeExact(bench, batch, batches);
        } catch (Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
    }
}
