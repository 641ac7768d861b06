package io.github.verbs4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;

/** The provider of {@code sections.c}. */
@SuppressWarnings("restricted")
final class SectionLibrary {
    private static final int SAID_BYTES = 200;

    private final SymbolLookup symbols;

    SectionLibrary() {
        Path folder = Build.directory("sections");
        Path source = Build.write(folder.resolve("sections.c"), Build.resource("sections.c"));
        Path library = CCompiler.host().library(source, folder.resolve("sections.so"));
        symbols = SymbolLookup.libraryLookup(library, Arena.global());
    }

    /** A struct that C has filled, without its size, as C hands it out. */
    MemorySegment object(String name) {
        return symbols.findOrThrow(name);
    }

    /** Function and arguments of the last call. */
    String said() {
        return Pointers.string(object("said"), SAID_BYTES);
    }
}
