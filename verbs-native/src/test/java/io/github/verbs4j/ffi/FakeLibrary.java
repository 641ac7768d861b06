package io.github.verbs4j.ffi;

import java.nio.file.Path;

/** Libraries that the tests build themselves. */
final class FakeLibrary {
    private FakeLibrary() {}

    /** A library with the fake functions under a soname of choice. */
    static Path withSoname(String soname) {
        Path folder = Build.directory("fake");
        Path source = Build.write(folder.resolve("fake_libibverbs.c"), Build.resource("fake_libibverbs.c"));
        return CCompiler.host().library(source, folder.resolve("fake-" + soname), "-Wl,-soname," + soname);
    }

    /** A library without any function, under the soname of the real one. */
    static Path withoutFunctions() {
        Path folder = Build.directory("empty");
        Path source = Build.write(folder.resolve("empty.c"), "int nothing_of_use;\n");
        return CCompiler.host().library(source, folder.resolve("empty.so"), "-Wl,-soname,libibverbs.so.1");
    }
}
