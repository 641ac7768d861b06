package io.github.verbs4j.it.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.MemoryAdvice;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Where rdma-core's own {@code test_odp.py} and the DMA buffers of {@code test_mr.py} skip: the exact refusals of Soft-RoCE. */
class UnsupportedMemoryIT {
    private DeviceContext context;
    private ProtectionDomain domain;

    @BeforeEach
    void open() {
        assumeTrue(Rdma.isSoftRoceMachine(), "refusals of Soft-RoCE: Soft-RoCE machine only");
        context = Rdma.open();
        domain = context.allocateProtectionDomain();
    }

    @AfterEach
    void close() {
        if (context != null) {
            domain.close();
            context.close();
        }
    }

    private static void assertUnsupported(String capability, Executable use) {
        UnsupportedCapabilityException thrown = assertThrows(UnsupportedCapabilityException.class, use);
        assertEquals(capability, thrown.capability());
        assertEquals("rxe", thrown.provider());
        Troubleshooting.line("A2").when("too much of a device").mustBeIn(thrown.getMessage());
    }

    @Test
    void shouldRefuseOnDemandPaging() {
        assertFalse(context.extendedAttributes().supportsOnDemandPaging());
        assertUnsupported("on-demand paging", () -> domain.allocate(4096, AccessFlag.ON_DEMAND));
    }

    @Test
    void shouldRefuseAdvice() {
        try (MemoryRegion region = domain.allocate(4096, AccessFlag.LOCAL_WRITE)) {
            assertUnsupported("advice on memory", () -> region.advise(MemoryAdvice.PREFETCH, 0, 4096, true));
        }
    }

    @Test
    void shouldRefuseDmaBuffers() {
        assertUnsupported("DMA buffers", () -> domain.registerDmaBuffer(0, 0, 4096, 0, AccessFlag.LOCAL_WRITE));
    }
}
