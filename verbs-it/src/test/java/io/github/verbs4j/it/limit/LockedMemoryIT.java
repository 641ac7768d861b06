package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import org.junit.jupiter.api.Test;

/** A real RLIMIT_MEMLOCK of 64 KiB. */
@SoftRoceMachine
class LockedMemoryIT {
    private static final String LIMIT = "exec prlimit --memlock=65536:65536 ";

    private static final String AS_NOBODY = LIMIT + ChildJvm.AS_NOBODY + "\"$@\"";

    @Test
    void shouldTellLimitPinnedAskedCapabilityAndRemedies() {
        Shell.Result result = ChildJvm.run(AS_NOBODY, Asker.class, "65536", "1048576");
        assertEquals(Asker.REFUSED, result.status(), result::output);
        for (String expected : new String[] {
            "registered 65536",
            "ibv_reg_mr failed on rxe0: ENOMEM",
            "length=1048576",
            "locked-memory limit (RLIMIT_MEMLOCK): 64 KiB, hard limit 64 KiB",
            "pinned now (VmPin): 0 bytes",
            "CAP_IPC_LOCK (lifts the limit): no",
            "0 bytes pinned + 1 MiB asked > 64 KiB allowed",
            "ulimit -l unlimited",
            "/etc/security/limits.conf",
            "LimitMEMLOCK=infinity",
            "--ulimit memlock=-1"
        }) {
            assertTrue(unwrapped(result).contains(expected), () -> expected + " is not in:\n" + result.output());
        }
    }

    private static String unwrapped(Shell.Result result) {
        return result.output().replaceAll("\\s+", " ");
    }

    @Test
    void shouldRegisterAnythingWithTheCapability() {
        Shell.Result result = ChildJvm.run(LIMIT + "\"$@\"", Asker.class, "1048576");
        assertTrue(result.requireSuccess().contains("registered 1048576"), result::output);
    }
}
