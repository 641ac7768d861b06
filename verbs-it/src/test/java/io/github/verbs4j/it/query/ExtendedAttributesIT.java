package io.github.verbs4j.it.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.ExtendedDeviceAttributes;
import io.github.verbs4j.attr.ForkStatus;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.Test;

/** {@code test_query_device_ex}, {@code test_phys_port_cnt_ex} and {@code test_fork.py} of rdma-core's own suite. */
class ExtendedAttributesIT {
    @Test
    void shouldAgreeWithTheShorterAnswer() {
        try (DeviceContext context = Rdma.open()) {
            ExtendedDeviceAttributes extended = context.extendedAttributes();
            assertEquals(
                    Integer.toUnsignedLong(context.attributes().capabilityFlags()),
                    extended.capabilityFlags() & 0xffff_ffffL);
            assertEquals(context.attributes().portCount(), extended.portCount());
        }
    }

    @Test
    void shouldBeSafeAfterAFork() {
        Device.initializeFork();
        assertNotEquals(ForkStatus.DISABLED, Device.forkStatus());
        assertNotEquals(ForkStatus.UNKNOWN, Device.forkStatus());
    }
}
