package io.github.verbs4j.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Device;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Ulimit;
import io.github.verbs4j.testkit.container.Ending;
import io.github.verbs4j.testkit.container.SoftRoceContainer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A container that is given the device of its host, and what becomes of it without each of the permissions: the doctor
 * names it, with what to type. The engine is one on a machine that has {@code rxe0}.
 */
@Tag("device")
class PermissionsIT {
    private static final Device UVERBS = new Device("rwm", "/dev/infiniband/uverbs0", "/dev/infiniband/uverbs0");
    private static final Device RDMA_CM = new Device("rwm", "/dev/infiniband/rdma_cm", "/dev/infiniband/rdma_cm");

    @Test
    void shouldUseTheDeviceThatItIsGiven() {
        Ending ending = run(PermissionsIT::everything, "auto", "bash", "-c", "ibv_devinfo; verbs doctor");
        assertTrue(ending.requireSuccess().output().contains("PORT_ACTIVE"), ending::toString);
        assertTrue(ending.output().contains("fit for RDMA"), ending::toString);
        assertTrue(
                ending.errors().contains("using the RDMA device of the host: rxe0 (/dev/infiniband/uverbs0)"),
                ending::toString);
    }

    @Test
    void shouldNameTheNodeThatWasNotPassed() {
        requireFinding(
                "node-missing",
                "--device=/dev/infiniband/uverbs0",
                host -> everything(host).withDevices(List.of(RDMA_CM)));
    }

    @Test
    void shouldNameTheConnectionManagersNodeThatWasNotPassed() {
        requireFinding(
                "connection-manager",
                "--device=/dev/infiniband/rdma_cm",
                host -> everything(host).withDevices(List.of(UVERBS)));
    }

    @Test
    void shouldNameTheControlGroupThatDeniesTheNode() {
        Device readable = new Device("r", UVERBS.getPathOnHost(), UVERBS.getPathInContainer());
        requireFinding(
                "node-refused",
                "--device=/dev/infiniband/uverbs0",
                host -> everything(host).withDevices(List.of(readable, RDMA_CM)));
    }

    @Test
    void shouldNameTheLimitOnLockedMemory() {
        requireFinding(
                "memory-limit",
                "--cap-add IPC_LOCK",
                host -> everything(host)
                        .withCapAdd(new Capability[0])
                        .withUlimits(List.of(new Ulimit("memlock", 65536L, 65536L))));
    }

    /** What the README says to give to a container. */
    private static HostConfig everything(HostConfig host) {
        return host.withNetworkMode("host")
                .withDevices(List.of(UVERBS, RDMA_CM))
                .withCapAdd(Capability.IPC_LOCK);
    }

    private static void requireFinding(String code, String remedy, UnaryOperator<HostConfig> configuration) {
        Ending ending = run(configuration, "host", "doctor", "--json");
        assertEquals(1, ending.exitStatus(), ending::toString);
        assertTrue(ending.output().contains("\"code\" : \"" + code + "\""), ending::toString);
        assertTrue(ending.output().contains(remedy), ending::toString);
    }

    private static Ending run(UnaryOperator<HostConfig> configuration, String device, String... command) {
        try (SoftRoceContainer container = new SoftRoceContainer()
                .running(command)
                .withEnv("VERBS4J_DEVICE", device)
                .withCreateContainerCmdModifier(create -> configuration.apply(create.getHostConfig()))) {
            return container.run();
        }
    }
}
