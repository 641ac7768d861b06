package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import org.junit.jupiter.api.Test;

/** Memory that cannot be had, whatever may be pinned. */
@SoftRoceMachine
class MemoryShortageIT {
    private static final long MORE_THAN_ANY_MACHINE_HAS = 1L << 45;

    @Test
    void shouldTellThatThereIsTooLittleMemory() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            VerbsException thrown = assertThrows(
                    VerbsException.class, () -> domain.allocate(MORE_THAN_ANY_MACHINE_HAS, AccessFlag.LOCAL_WRITE));
            Troubleshooting.line("B3").when("memory").mustBeIn(thrown.getMessage());
        }
    }
}
