package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SideBySide;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import org.junit.jupiter.api.Test;

/** A real RLIMIT_MEMLOCK of 64 KiB. */
@SoftRoceMachine
class LockedMemoryIT {
    private static final String LIMIT = "exec prlimit --memlock=65536:65536 ";

    private static final String AS_NOBODY = LIMIT + ChildJvm.AS_NOBODY + "\"$@\"";

    @Test
    @SideBySide
    void shouldTellLimitPinnedAskedCapabilityAndRemedies() {
        Shell.Result result = ChildJvm.run(AS_NOBODY, Asker.class, "65536", "1048576");
        assertEquals(Asker.REFUSED, result.status(), result::output);
        assertTrue(result.output().contains("registered 65536"), result::output);
        Troubleshooting.line("B3").when("limit").mustBeIn(result.output());
    }

    @Test
    @SideBySide
    void shouldRegisterAnythingWithTheCapability() {
        Shell.Result result = ChildJvm.run(LIMIT + "\"$@\"", Asker.class, "1048576");
        assertTrue(result.requireSuccess().contains("registered 1048576"), result::output);
    }
}
