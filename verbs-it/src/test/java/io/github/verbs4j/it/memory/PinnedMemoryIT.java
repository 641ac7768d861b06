package io.github.verbs4j.it.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.Test;

class PinnedMemoryIT {
    private static long pinned() {
        return Host.local().memoryUse().pinned().orElseThrow();
    }

    @Test
    void shouldShowRegisteredMemoryAsPinnedUntilItIsClosed() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            long before = pinned();
            try (MemoryRegion memory = domain.allocate(4 << 20, AccessFlag.LOCAL_WRITE)) {
                assertEquals(before + memory.length(), pinned());
            }
            assertEquals(before, pinned());
        }
    }
}
