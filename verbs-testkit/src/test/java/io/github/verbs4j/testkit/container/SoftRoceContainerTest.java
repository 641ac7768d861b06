package io.github.verbs4j.testkit.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.Network;

/** What a container is told, without an engine. */
class SoftRoceContainerTest {
    @Test
    void shouldTellTheMachineItsOptionsInOrder() {
        SoftRoceContainer container = new SoftRoceContainer()
                .withAddress("10.9.3.1/24")
                .withAddress("fd09::3/64")
                .withLockedMemoryLimit(65536);
        assertEquals(
                "--address 10.9.3.1/24 --address fd09::3/64 --memlock 65536",
                container.getEnvMap().get("SOFTROCE_OPTIONS"));
    }

    @Test
    void shouldRefuseOptionsThatAreNotOneWord() {
        SoftRoceContainer container = new SoftRoceContainer();
        assertThrows(IllegalArgumentException.class, () -> container.withAddress("10.9.3.1/24 --verbose"));
        assertThrows(IllegalArgumentException.class, () -> container.withMachineOption("memory", "2G"));
    }

    @Test
    void shouldConnectTheTwoOfAPair() {
        try (Network network = Network.newNetwork();
                Pair pair = SoftRoceContainer.pair(network)) {
            assertPeer(pair.left(), pair.right());
            assertPeer(pair.right(), pair.left());
            assertSame(network, pair.left().getNetwork());
            assertEquals("--address 10.9.0.1/24", pair.left().getEnvMap().get("SOFTROCE_OPTIONS"));
            assertEquals("--address 10.9.0.2/24", pair.right().getEnvMap().get("SOFTROCE_OPTIONS"));
        }
    }

    private static void assertPeer(SoftRoceContainer container, SoftRoceContainer other) {
        String peer = container.getEnvMap().get("SOFTROCE_PEER");
        assertTrue(other.getNetworkAliases().contains(peer), () -> peer + " of " + other.getNetworkAliases());
        assertNotEquals(peer, other.getEnvMap().get("SOFTROCE_PEER"));
    }

    @Test
    void shouldRefuseCablesThatCannotBe() {
        try (Network network = Network.newNetwork();
                Network another = Network.newNetwork()) {
            SoftRoceContainer container = new SoftRoceContainer();
            assertThrows(IllegalArgumentException.class, () -> container.connectedTo(container));
            assertThrows(IllegalStateException.class, () -> container.connectedTo(new SoftRoceContainer()));
            container.withNetwork(network);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> container.connectedTo(new SoftRoceContainer().withNetwork(another)));
        }
    }

    @Test
    void shouldStartJavaWithTheOptionsThatAreGivenBeforeAndAfter(@TempDir Path directory) {
        SoftRoceContainer container = new SoftRoceContainer()
                .withJavaOptions("-Da=1")
                .runningMain(List.of(directory, Path.of("pom.xml")), "example.Main", "x", "y z")
                .withJavaOptions("-Db=2");
        container.configure();
        assertEquals(
                List.of(
                        "java",
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Da=1",
                        "-Db=2",
                        "-cp",
                        "/classpath/0-" + directory.getFileName() + ":/classpath/1-pom.xml",
                        "example.Main",
                        "x",
                        "y z"),
                List.of(container.getCommandParts()));
        assertEquals("softroce", container.getEnvMap().get("VERBS4J_DEVICE"));
    }

    @Test
    void shouldRunTheCommandThatWasSaidLast() {
        SoftRoceContainer container =
                new SoftRoceContainer().runningJar(Path.of("pom.xml")).running("ibv_devinfo", "-v");
        container.configure();
        assertEquals(List.of("ibv_devinfo", "-v"), List.of(container.getCommandParts()));
    }

    @Test
    void shouldRequireSuccess() {
        Ending success = new Ending(0, "out", "err");
        assertSame(success, success.requireSuccess());
        IllegalStateException failure =
                assertThrows(IllegalStateException.class, new Ending(7, "so far", "no memory")::requireSuccess);
        assertTrue(failure.getMessage().contains("exit status 7"), failure::getMessage);
        assertTrue(failure.getMessage().contains("no memory"), failure::getMessage);
    }
}
