package io.github.verbs4j.it.linkage;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Critical calls and sections that hold a provider's lock over several calls, in virtual machines of their own, since a
 * mistake would stop one for ever.
 */
class LinkageIT {
    @Test
    void shouldNotHangWhileSectionsAndCriticalCallsMeetUnderCollections() {
        String output = ChildJvm.runHere(List.of("-XX:+SafepointTimeout"), Mixture.class)
                .requireSuccess();

        for (String thread : List.of("builder", "extended poller", "first sender", "second sender")) {
            assertTrue(output.contains(thread + " done"), output);
        }
    }

    @Test
    void shouldCollectInsideOfASectionWhileAPlainPollWaitsForItsLock() {
        String output = ChildJvm.runHere(List.of("-XX:+SafepointTimeout"), SharedLock.class, SharedLock.PLAIN)
                .requireSuccess();

        assertTrue(output.contains(SharedLock.COLLECTED), output);
        assertTrue(output.contains("polled 0"), output);
    }

    /** Why extended queues are never polled critically: the virtual machine gives up, naming the poller. */
    @Test
    void shouldStandStillForEverIfACriticalPollWaitsForTheLockOfASection() {
        Shell.Result result = ChildJvm.runHere(
                List.of(
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:+SafepointTimeout",
                        "-XX:SafepointTimeoutDelay=3000",
                        "-XX:+AbortVMOnSafepointTimeout",
                        "-XX:+ErrorFileToStdout",
                        "-XX:-CreateCoredumpOnCrash"),
                SharedLock.class,
                SharedLock.CRITICAL);

        assertNotEquals(0, result.status(), result::output);
        assertTrue(result.output().contains("Threads which did not reach the safepoint:"), result::output);
        assertTrue(result.output().contains("# \"" + SharedLock.POLLER + "\""), result::output);
        assertFalse(result.output().contains(SharedLock.COLLECTED), result::output);
    }
}
