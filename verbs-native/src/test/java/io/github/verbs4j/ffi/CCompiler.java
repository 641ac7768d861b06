package io.github.verbs4j.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The C compilers that the tests hold the bindings against. They and the headers are required: without them a test fails
 * and says what to install.
 */
final class CCompiler {
    private static final String HEADERS =
            "install the headers with 'apt-get install gcc libc6-dev libibverbs-dev librdmacm-dev' (Debian, Ubuntu) or"
                    + " 'dnf install gcc glibc-devel rdma-core-devel' (RHEL, Fedora)";
    private static final String CROSS =
            "install the cross compiler with 'apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross'";

    private final String command;
    private final String remedy;
    private final List<String> includes;

    private CCompiler(String command, String remedy, List<String> includes) {
        this.command = command;
        this.remedy = remedy;
        this.includes = includes;
    }

    /** The compiler of this machine; RDMA_INCLUDE_DIR in the environment names other headers, as in jextract-config. */
    static CCompiler host() {
        String directory = System.getenv("RDMA_INCLUDE_DIR");
        return new CCompiler("gcc", HEADERS, directory == null ? List.of() : List.of("-I" + directory));
    }

    /**
     * The cross compiler for aarch64, which sees the RDMA headers of this machine, for they are the same on every
     * architecture, and none of its libc's.
     */
    static CCompiler aarch64() {
        Path include = Build.directory("aarch64-include");
        for (String header : List.of("infiniband/verbs.h", "rdma/rdma_cma.h")) {
            Path folder = host().find(header).getParent();
            link(include.resolve(folder.getFileName()), folder);
        }
        return new CCompiler("aarch64-linux-gnu-gcc", CROSS, List.of("-I" + include));
    }

    /** The shared library that a source becomes. */
    Path library(Path source, Path library, String... options) {
        List<String> arguments = new ArrayList<>(List.of("-shared", "-fPIC", "-o", library.toString()));
        arguments.addAll(Arrays.asList(options));
        arguments.add(source.toString());
        compile(arguments);
        return library;
    }

    /** The program that a source becomes. */
    Path program(Path source, Path program) {
        compile(List.of("-o", program.toString(), source.toString()));
        return program;
    }

    /** The content of one section of a source's object code, which need not run on this machine. */
    byte[] section(Path source, String name) {
        Path object = source.resolveSibling(source.getFileName() + ".o");
        Path section = source.resolveSibling(source.getFileName() + ".bin");
        compile(List.of("-c", "-o", object.toString(), source.toString()));
        String objcopy = command.replace("gcc", "objcopy");
        Command.runOrFail(
                List.of(objcopy, "-O", "binary", "--only-section=" + name, object.toString(), section.toString()));
        try {
            return Files.readAllBytes(section);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the compiler tells a debugger about every type, as readelf of binutils prints it. */
    String debugEntries(Path source) {
        Path object = source.resolveSibling(source.getFileName() + ".debug.o");
        compile(List.of(
                "-g",
                "-gdwarf-5",
                "-fno-eliminate-unused-debug-types",
                "-c",
                "-o",
                object.toString(),
                source.toString()));
        return Command.runOrFail(List.of("readelf", "--debug-dump=info", object.toString()))
                .text();
    }

    /** The file that an include finds. */
    private Path find(String header) {
        Path source = Build.write(
                Build.directory("headers").resolve(header.replace('/', '_') + ".c"), "#include <" + header + ">\n");
        for (String file : compile(List.of("-M", source.toString())).split("[\\s\\\\]+")) {
            if (file.endsWith("/" + header)) {
                return Path.of(file).toAbsolutePath();
            }
        }
        throw new AssertionError(command + " does not say where " + header + " is");
    }

    private String compile(List<String> arguments) {
        List<String> line = new ArrayList<>(List.of(command, "-std=gnu11", "-Wall", "-Werror"));
        line.addAll(includes);
        line.addAll(arguments);
        Command.Result result;
        try {
            result = Command.run(line);
        } catch (IOException e) {
            throw new AssertionError("there is no " + command + ": " + remedy, e);
        }
        if (result.status() != 0) {
            throw new AssertionError(
                    String.join(" ", line) + " failed; if a header is missing, " + remedy + "\n" + result.errors());
        }
        return result.text();
    }

    private static void link(Path link, Path target) {
        try {
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
