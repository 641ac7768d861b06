package io.github.verbs4j.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** Libraries that the tests build themselves. */
final class FakeLibrary {
    private FakeLibrary() {}

    /** A library with the fake functions under a soname of choice. */
    static Path withSoname(String soname) {
        Path folder = Build.directory("fake");
        return CCompiler.host()
                .library(
                        copy(folder, "fake_libibverbs.c"),
                        folder.resolve("fake-" + soname),
                        copy(folder, "inlines.c").toString(),
                        copy(folder, "cm_inlines.c").toString(),
                        "-Wl,-soname," + soname);
    }

    /** The fake library as a release of rdma-core would call its file, with what came after release 44 or without. */
    static Path ofRelease(int release, boolean newerFunctions) {
        Path folder = Build.directory("release-" + release);
        Path newer = Build.write(folder.resolve("newer.c"), newerFunctions ? Build.resource("newer.c") : "");
        return CCompiler.host()
                .library(
                        copy(folder, "fake_libibverbs.c"),
                        folder.resolve("libibverbs.so.1.14." + release + ".0"),
                        copy(folder, "inlines.c").toString(),
                        copy(folder, "cm_inlines.c").toString(),
                        newer.toString(),
                        "-Wl,-soname,libibverbs.so.1");
    }

    private static Path copy(Path folder, String resource) {
        return Build.write(folder.resolve(resource), Build.resource(resource));
    }

    /** A librdmacm as a release of rdma-core would call its file, with what came after release 44 or without. */
    static Path librdmacmOfRelease(int release, boolean newerFunctions) {
        Path folder = Build.directory("librdmacm-" + release);
        Path library = folder.resolve("librdmacm.so.1.3." + release + ".0");
        String[] options = {newerFunctions ? "-DNEWER" : "-DOLD", "-Wl,-soname,librdmacm.so.1"};
        return CCompiler.host().library(copy(folder, "fake_librdmacm.c"), library, options);
    }

    /** A library without any function, under the soname of the real one. */
    static Path withoutFunctions() {
        Path folder = Build.directory("empty");
        Path source = Build.write(folder.resolve("empty.c"), "int nothing_of_use;\n");
        return CCompiler.host().library(source, folder.resolve("empty.so"), "-Wl,-soname,libibverbs.so.1");
    }

    /** A library that needs another, which is gone. */
    static Path inNeedOfAMissingOne() {
        Path folder = Build.directory("incomplete");
        Path gone = folder.resolve("libgone.so");
        CCompiler.host().library(Build.write(folder.resolve("gone.c"), "int gone(void)\n{\n\treturn 1;\n}\n"), gone);
        Path source = Build.write(
                folder.resolve("incomplete.c"), "int gone(void);\nint ibv_open_device(void)\n{\n\treturn gone();\n}\n");
        Path library = CCompiler.host()
                .library(source, folder.resolve("incomplete.so"), "-Wl,--no-as-needed", "-L" + folder, "-l:libgone.so");
        Build.delete(gone);
        return library;
    }

    /** The libibverbs of this machine at another place. */
    static Path copyOfTheRealOne() {
        NativeLibrary.libibverbs().open();
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            Path real = maps.filter(line -> line.contains("/libibverbs.so.1"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .findFirst()
                    .orElseThrow();
            return Files.copy(
                    real, Build.directory("copy").resolve("libibverbs.so.1"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
