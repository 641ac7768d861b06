package io.github.verbs4j.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testkit.container.Ending;
import io.github.verbs4j.testkit.container.SoftRoceContainer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The image, started plainly: without privileges, without a device, as it would be by anyone. */
@Tag("plain")
class ImageIT {
    @Test
    void shouldRunAnyCommandOnADeviceOfItsOwnAsAnyUser() {
        String script = "id -u; pwd; ibv_devinfo -d rxe0; verbs devinfo; cat /usr/share/doc/verbs4j/kernel; exit 7";
        try (SoftRoceContainer container = new SoftRoceContainer()
                .running("bash", "-c", script)
                .withEnv("VERBS4J_DEVICE", "auto")
                .withCreateContainerCmdModifier(options -> options.withUser("1234"))) {
            Ending ending = container.run();
            assertEquals(7, ending.exitStatus(), ending::toString);
            assertTrue(ending.output().startsWith("0\n/work\n"), ending::toString); // root of the machine
            assertTrue(ending.output().contains("PORT_ACTIVE"), ending::toString);
            assertTrue(ending.output().contains("rxe0\n    transport"), ending::toString);
            assertTrue(ending.output().contains("apt-get source linux="), ending::toString);
            assertTrue(ending.errors().contains("this container was given no RDMA device"), ending::toString);
            assertTrue(
                    ending.errors().contains("--device /dev/infiniband/uverbs0 --cap-add IPC_LOCK"), ending::toString);
            assertTrue(ending.errors().contains("using Soft-RoCE in a machine of its own"), ending::toString);
        }
    }

    @Test
    void shouldRunOnTheHostsDeviceIfToldSoAndExplainThatThereIsNone() {
        Ending ending = run("host", "devinfo");
        assertTrue(ending.exitStatus() != 0, ending::toString);
        assertTrue(
                ending.errors().contains("VERBS4J_DEVICE is host, but this container was given no RDMA device"),
                ending::toString);
        assertTrue(ending.errors().contains("ibv_get_device_list failed: ENODEV"), ending::toString);
    }

    @Test
    void shouldRefuseADeviceThatItDoesNotKnow() {
        Ending ending = run("mlx5_0", "devinfo");
        assertEquals(2, ending.exitStatus(), ending::toString);
        assertTrue(
                ending.errors().contains("VERBS4J_DEVICE is auto, host or softroce, not 'mlx5_0'"), ending::toString);
    }

    @Test
    void shouldRefuseACommandThatIsNotThereBeforeItStartsAMachine() {
        Ending ending = run("softroce", "nosuch");
        assertEquals(127, ending.exitStatus(), ending::toString);
        assertTrue(ending.errors().startsWith("verbs4j: there is no command 'nosuch' in this image"), ending::toString);
        assertEquals(1, ending.errors().lines().count(), ending::toString);
    }

    @Test
    void shouldShowHelpWithoutADevice() {
        Ending ending = run("auto", "help");
        assertTrue(ending.requireSuccess().output().contains("Usage: ./verbs COMMAND"), ending::toString);
        assertEquals("", ending.errors());
    }

    private static Ending run(String device, String... command) {
        try (SoftRoceContainer container =
                new SoftRoceContainer().running(command).withEnv("VERBS4J_DEVICE", device)) {
            return container.run();
        }
    }
}
