package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.error.VerbsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program is told on a machine without libibverbs: in a JVM of its own, since this one has opened the fake. */
class LibraryMissingTest {
    /** Asks for devices twice and prints what it is told. */
    static final class Asker {
        private Asker() {}

        public static void main(String[] arguments) {
            for (int time = 0; time < 2; time++) {
                try {
                    System.out.println(Device.list());
                } catch (VerbsException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }

    @Test
    void shouldNameThePackagesOfBothFamiliesEveryTime(@TempDir Path directory) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dio.github.verbs4j.libibverbs=" + directory.resolve("libibverbs.so.1"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Asker.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .replaceAll("\\s+", " "); // lines are wrapped
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "it hangs");

        assertEquals(0, process.exitValue(), output);
        assertEquals(2, output.split("RDMA is not usable here: ", -1).length - 1, output);
        assertTrue(output.contains("apt-get install libibverbs1"), output);
        assertTrue(output.contains("dnf install libibverbs"), output);
        assertTrue(output.contains("does not exist"), output);
    }
}
