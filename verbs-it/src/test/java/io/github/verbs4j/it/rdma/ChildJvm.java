package io.github.verbs4j.it.rdma;

import io.github.verbs4j.Device;
import io.github.verbs4j.ffi.NativeLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Another virtual machine with our classes, started in a changed environment, maybe as another user. */
public final class ChildJvm {
    /** Gives up root and every capability. */
    public static final String AS_NOBODY =
            "setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all ";

    private static Path classPath;

    private ChildJvm() {}

    /**
     * {@return what a program did}
     *
     * @param script of sh, runs the program with {@code "$@"}
     * @param program has a main method
     * @param arguments of the program
     */
    public static Shell.Result run(String script, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-ec",
                script,
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xmx64m",
                "-cp",
                classPath().toString(),
                program.getName()));
        command.addAll(List.of(arguments));
        return Shell.run(command);
    }

    /** Our classes, copied to where every user may read them. */
    private static synchronized Path classPath() {
        if (classPath == null) {
            try {
                classPath = Files.createTempDirectory("classes");
                for (Class<?> one : List.of(Device.class, NativeLibrary.class, ChildJvm.class)) {
                    copy(Path.of(one.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI()));
                }
                Shell.output("chmod", "-R", "a+rX", classPath.toString());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> Shell.output("rm", "-r", classPath.toString())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
        return classPath;
    }

    private static void copy(Path source) throws IOException {
        if (Files.isRegularFile(source)) {
            try (var archive = java.nio.file.FileSystems.newFileSystem(source)) {
                copyTree(archive.getPath("/"));
            }
        } else {
            copyTree(source);
        }
    }

    private static void copyTree(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                Path target = classPath.resolve(root.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (!file.toString().endsWith("module-info.class")) {
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
