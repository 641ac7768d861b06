package io.github.verbs4j.it.rdma;

import io.github.verbs4j.Device;
import io.github.verbs4j.ffi.NativeLibrary;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another virtual machine with our classes, started in a changed environment, maybe as another user. */
public final class ChildJvm {
    /** Gives up root and every capability. */
    public static final String AS_NOBODY =
            "setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all ";

    /** A file system in memory, which the machine has and every user may read. */
    private static final Path MEMORY = Path.of("/dev/shm");

    /** Several threads in an emulated machine, maybe on a busy computer. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private static final List<String> JAVA = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xmx64m");

    private ChildJvm() {}

    /**
     * {@return what a program did}
     *
     * @param script of sh, runs the program with {@code "$@"}
     * @param program has a main method
     * @param arguments of the program
     */
    public static Shell.Result run(String script, Class<?> program, String... arguments) {
        try {
            Path directory = Files.createTempDirectory(MEMORY, "classes");
            try {
                copyClasses(program, directory);
                return run(script, directory, program, arguments);
            } finally {
                Shell.output("rm", "-r", directory.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * {@return what a program did that was started like this virtual machine, with all classes of the tests}
     *
     * @param options of the virtual machine
     * @param program has a main method
     * @param arguments of the program
     */
    public static Shell.Result runHere(List<String> options, Class<?> program, String... arguments) {
        return runHere(PATIENCE, options, program, arguments);
    }

    /**
     * {@return what a program did that was started like this virtual machine, with all classes of the tests}
     *
     * @param patience how long it may take
     * @param options of the virtual machine
     * @param program has a main method
     * @param arguments of the program
     */
    public static Shell.Result runHere(Duration patience, List<String> options, Class<?> program, String... arguments) {
        return Shell.run(here(options, program, arguments), patience);
    }

    private static List<String> here(List<String> options, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>(JAVA);
        command.add("-Dverbs.device=" + System.getProperty("verbs.device", ""));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Shell.Result run(String script, Path directory, Class<?> program, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-ec", script, "sh"));
        command.addAll(JAVA);
        command.addAll(List.of("-cp", classPath(directory), program.getName()));
        command.addAll(List.of(arguments));
        return Shell.run(command);
    }

    private static String classPath(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** Copies the program and what it needs to where every user may read it: home directories may be closed. */
    private static void copyClasses(Class<?> program, Path target) throws IOException {
        copyPackage(program, target.resolve("program"));
        for (Class<?> one : List.of(Device.class, NativeLibrary.class)) {
            Path source = location(one);
            if (Files.isDirectory(source)) {
                copyTree(source, target.resolve(one.getSimpleName()));
            } else {
                Files.copy(source, target.resolve(source.getFileName()));
            }
        }
        Shell.output("chmod", "-R", "a+rX", target.toString());
    }

    private static Path location(Class<?> one) {
        try {
            return Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void copyPackage(Class<?> program, Path target) throws IOException {
        String directory = program.getPackageName().replace('.', '/');
        copyTree(location(program).resolve(directory), target.resolve(directory));
    }

    private static void copyTree(Path source, Path target) throws IOException {
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.toList()) {
                Path copy = target.resolve(source.relativize(file));
                Files.createDirectories(copy.getParent());
                if (!Files.isDirectory(file)) {
                    Files.copy(file, copy);
                }
            }
        }
    }
}
