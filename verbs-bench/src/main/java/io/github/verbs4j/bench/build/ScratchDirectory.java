package io.github.verbs4j.bench.build;

import io.github.verbs4j.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory for what is compiled, which goes with its contents.
 *
 * @param path where it is
 */
public record ScratchDirectory(Path path) implements AutoCloseable {
    /** {@return a new one} */
    public static ScratchDirectory create() {
        try {
            ScratchDirectory made = new ScratchDirectory(Files.createTempDirectory("verbs-bench"));
            // an interrupted run must not leave it behind
            Runtime.getRuntime().addShutdownHook(new Thread(made::close));
            return made;
        } catch (IOException e) {
            throw new BenchFailure("cannot make a temporary directory: " + e, e);
        }
    }

    /** Closing twice is harmless. */
    @Override
    public void close() {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new BenchFailure("cannot remove " + path + ": " + e, e);
        }
    }
}
