package io.github.verbs4j.it.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What rdma-core's own {@code test_pd.py} tests. */
class ProtectionDomainIT {
    @Test
    void shouldBeAllocatedAndClosedOnce() {
        try (DeviceContext context = Rdma.open()) {
            ProtectionDomain domain = context.allocateProtectionDomain();
            assertTrue(domain.isOpen());
            domain.close();
            domain.close();
            assertFalse(domain.isOpen());
        }
    }

    @Test
    void shouldBeAllocatedManyTimesAtOnce() {
        try (Resources resources = new Resources()) {
            DeviceContext context = resources.add(Rdma.open());
            Set<Long> handles = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                handles.add(resources
                        .add(context.allocateProtectionDomain())
                        .handle()
                        .address());
            }
            assertEquals(100, handles.size());
        }
    }
}
