package io.github.verbs4j.bench.start;

import io.github.verbs4j.bench.BenchFailure;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** From the start of a process to its first completion, in C and in Java. */
final class ProcessStart {
    /** As {@code ./verbs} starts the tools: the serial collector starts faster. */
    private static final List<String> JVM_OPTIONS =
            List.of("-XX:+UseSerialGC", "-Xmx64m", "--enable-native-access=ALL-UNNAMED");

    private final Path program;
    private final Target target;

    ProcessStart(Path program, Target target) {
        this.program = program;
        this.target = target;
    }

    /** {@return nanoseconds of the C program} */
    long c() {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(target.arguments());
        command.add("first");
        return run(command);
    }

    /** {@return nanoseconds of the Java program} */
    long java() {
        return run(javaCommand(List.of()));
    }

    /**
     * {@return nanoseconds of the Java program that finds its classes loaded and linked in a cache}
     *
     * @param cache made by {@link #train}
     */
    long java(Path cache) {
        return run(javaCommand(List.of("-XX:AOTCache=" + cache)));
    }

    /**
     * Makes a cache, in a run of the program.
     *
     * @param directory where
     * @return the file
     */
    Path train(Path directory) {
        Path cache = directory.resolve("start.aot");
        Path errors = directory.resolve("start.aot.err"); // it starts another Java, which tells that it got options
        List<String> options = List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:disable", "-Xlog:all=warning:stderr");
        try {
            run(javaCommand(options), ProcessBuilder.Redirect.to(errors.toFile()));
        } catch (BenchFailure e) {
            throw new BenchFailure(e.getMessage() + ":\n" + read(errors), e);
        }
        if (!Files.isRegularFile(cache)) {
            throw new BenchFailure(
                    "java wrote no cache; -XX:AOTCacheOutput needs the classes in a jar:\n" + read(errors));
        }
        return cache;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return e.toString();
        }
    }

    private List<String> javaCommand(List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(JVM_OPTIONS);
        command.addAll(compilers());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FirstCompletion.class.getName()));
        command.addAll(target.arguments());
        return command;
    }

    /** {@return which compilers it has: as we, for an emulator may not bear two, see softroce/README.md, SIGSEGV} */
    private static List<String> compilers() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.contains("Tiered"))
                .toList();
    }

    private static long run(List<String> command) {
        return run(command, ProcessBuilder.Redirect.INHERIT);
    }

    private static long run(List<String> command, ProcessBuilder.Redirect errors) {
        try {
            long start = System.nanoTime();
            Process process = new ProcessBuilder(command).redirectError(errors).start();
            String said = process.inputReader().readLine();
            long took = System.nanoTime() - start;
            int status = process.waitFor();
            if (!"completed".equals(said) || status != 0) {
                throw new BenchFailure(command.getFirst() + " ended with status " + status + " and said " + said);
            }
            return took;
        } catch (IOException e) {
            throw new BenchFailure("cannot run " + command.getFirst() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted while " + command.getFirst() + " ran", e);
        }
    }
}
