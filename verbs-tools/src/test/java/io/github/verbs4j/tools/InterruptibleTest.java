package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A signal ends work in a virtual machine of its own. */
class InterruptibleTest {
    /** Works until it is interrupted, and takes its time to close. */
    static final class Program {
        private Program() {}

        static void main() {
            Interruptible.run(() -> {
                System.out.println("working");
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException _) {
                    pause();
                    System.out.println("closed");
                }
            });
        }

        private static void pause() {
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    @Timeout(60)
    void shouldLetWorkCloseWhatItHasOpen() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = process.inputReader()) {
            assertEquals("working", output.readLine());
            process.toHandle().destroy(); // SIGTERM, as Ctrl-C is SIGINT
            assertEquals(List.of("closed"), output.lines().toList());
            process.waitFor(20, TimeUnit.SECONDS);
            assertEquals(128 + 15, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldRunWorkThatIsNotInterrupted() {
        boolean[] done = new boolean[1];
        Interruptible.run(() -> done[0] = true);
        assertEquals(true, done[0]);
    }
}
