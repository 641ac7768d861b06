package io.github.verbs4j.it.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.ExtendedDeviceAttributes;
import io.github.verbs4j.attr.ForkStatus;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.List;
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

    /** In a virtual machine of its own: in this one others have registered memory before, which may be too late. */
    @Test
    void shouldBeSafeAfterAFork() {
        String status =
                ChildJvm.runHere(List.of(), ForkSafety.class).requireSuccess().strip();

        assertTrue(
                List.of(ForkStatus.ENABLED.name(), ForkStatus.UNNEEDED.name()).contains(status), status);
    }
}
