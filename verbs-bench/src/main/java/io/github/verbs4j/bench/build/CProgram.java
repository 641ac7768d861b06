package io.github.verbs4j.bench.build;

import io.github.verbs4j.bench.BenchFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles the C side of a comparison, from the sources that lie beside these classes, with the flags that are printed. */
public final class CProgram {
    /** What all of it is compiled with. */
    public static final String FLAGS = "-O2 -Wall -Wextra -Werror";

    private CProgram() {}

    /**
     * Compiles a shared library.
     *
     * @param directory where it goes
     * @param name its file's name
     * @param options more options for gcc
     * @param sources names of the sources
     * @return the file
     */
    public static Path library(Path directory, String name, List<String> options, String... sources) {
        List<String> all = new ArrayList<>(List.of("-shared", "-fPIC"));
        all.addAll(options);
        return compile(directory, name, all, sources);
    }

    /**
     * Compiles a program.
     *
     * @param directory where it goes
     * @param name its file's name
     * @param options more options for gcc; libraries come after the sources
     * @param sources names of the sources
     * @return the file
     */
    public static Path program(Path directory, String name, List<String> options, String... sources) {
        return compile(directory, name, options, sources);
    }

    private static Path compile(Path directory, String name, List<String> options, String... sources) {
        Path output = directory.resolve(name);
        List<String> command = new ArrayList<>(List.of("gcc"));
        command.addAll(List.of(FLAGS.split(" ")));
        command.addAll(List.of("-o", output.toString()));
        unpack(directory, "books.h"); // beside the sources that include it
        for (String source : sources) {
            command.add(unpack(directory, source).toString());
        }
        command.addAll(options);
        run(command);
        return output;
    }

    private static Path unpack(Path directory, String source) {
        Path file = directory.resolve(source);
        try (InputStream stream = CProgram.class.getResourceAsStream("/c/" + source)) {
            Files.write(file, stream.readAllBytes());
            return file;
        } catch (IOException e) {
            throw new BenchFailure("cannot write " + file + ": " + e, e);
        }
    }

    private static void run(List<String> command) {
        try {
            Process gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(gcc.getInputStream().readAllBytes());
            if (gcc.waitFor() != 0) {
                throw new BenchFailure(
                        "'" + String.join(" ", command) + "' failed; it needs gcc and libibverbs-dev:\n" + said);
            }
        } catch (IOException e) {
            throw new BenchFailure("gcc cannot be started: install gcc, libc6-dev and libibverbs-dev (" + e + ")", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted while gcc ran", e);
        }
    }
}
