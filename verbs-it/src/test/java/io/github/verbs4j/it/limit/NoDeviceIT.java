package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import org.junit.jupiter.api.Test;

/** Devices belong to one network namespace, and the program runs in another, as in many containers. */
@SoftRoceMachine
class NoDeviceIT {
    /** The mode can change back only when the other namespace is gone, which the kernel does in its own time. */
    private static final String EXCLUSIVE = """
            shared() {
              for i in $(seq 100); do rdma system set netns shared 2>/dev/null && return; sleep 0.1; done
              echo 'devices stay exclusive'
            }
            trap shared EXIT
            rdma system set netns exclusive
            """;

    private static void requireExplained(Shell.Result result) {
        assertEquals(Asker.REFUSED, result.status(), result::output);
        Troubleshooting.line("B5").when("exclusive").mustBeIn(result.output());
        assertTrue(!result.output().contains("devices stay exclusive"), result::output);
        assertTrue(Shell.output("rdma", "system").contains("netns shared"));
    }

    @Test
    void shouldExplainInAContainersNamespaces() {
        String container = EXCLUSIVE + "unshare -n -m sh -ec 'mount -t sysfs none /sys; exec \"$@\"' sh \"$@\"";
        requireExplained(ChildJvm.run(container, Asker.class, "4096"));
    }

    @Test
    void shouldExplainWhenSysStillShowsTheDevice() {
        requireExplained(ChildJvm.run(EXCLUSIVE + "unshare -n \"$@\"", Asker.class, "4096"));
    }
}
