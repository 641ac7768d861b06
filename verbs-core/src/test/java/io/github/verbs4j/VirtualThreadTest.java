package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.fake.FakeCompletion;
import io.github.verbs4j.fake.FakeVerbs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A virtual thread that waits leaves its carrier to others: in a JVM of its own, which has only one carrier. */
class VirtualThreadTest {
    /** One virtual thread waits for what another one does, which needs the carrier many times. */
    static final class OneCarrier {
        private static volatile boolean waits;

        private OneCarrier() {}

        public static void main(String[] arguments) throws Exception {
            WaitStrategy strategy = WaitStrategy.valueOf(arguments[0]);
            try (DeviceContext context = Device.first().open();
                    CompletionQueue queue = context.createCompletionQueue(16)) {
                Thread waiter = Thread.startVirtualThread(() -> await(strategy, queue));
                Thread worker = Thread.startVirtualThread(() -> work(queue));
                waiter.join();
                worker.join();
            }
        }

        private static void await(WaitStrategy strategy, CompletionQueue queue) {
            try (Completions completions = Completions.over(queue, 16)) {
                waits = true;
                System.out.println(completions.await(strategy, Duration.ofSeconds(30)));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private static void work(CompletionQueue queue) {
            for (int turn = 0; turn < 100 || !waits; turn++) {
                Thread.yield();
            }
            FakeVerbs.pushCompletion(queue.handle(), FakeCompletion.success(1, 0, 17));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveItsCarrierToOthers(WaitStrategy strategy) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "-D" + FakeVerbs.LIBRARY_PROPERTY + "=" + System.getProperty(FakeVerbs.LIBRARY_PROPERTY),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneCarrier.class.getName(),
                        strategy.name())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "it hangs");
        assertEquals("1", output.strip(), "completions within 30 s");
        assertEquals(0, process.exitValue());
    }
}
