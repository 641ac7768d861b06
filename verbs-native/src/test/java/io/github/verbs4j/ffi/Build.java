package io.github.verbs4j.ffi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where this build keeps its files. */
final class Build {
    private Build() {}

    /** Classes of the module, an exploded module. */
    static Path classes() {
        return locationOf(verbs4j_h.class);
    }

    static Path testClasses() {
        return locationOf(Build.class);
    }

    /** A directory in the build directory, made if it is missing. */
    static Path directory(String name) {
        try {
            return Files.createDirectories(testClasses().resolveSibling("c").resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A resource of this package. */
    static String resource(String name) {
        try (InputStream in = Build.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError("no test resource " + name);
            }
            return new String(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path locationOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
