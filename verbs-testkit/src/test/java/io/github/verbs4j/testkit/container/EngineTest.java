package io.github.verbs4j.testkit.container;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.DockerClient;
import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {
    private static final IllegalStateException NONE =
            new IllegalStateException("Could not find a valid Docker environment.");

    /** As Testcontainers' own, on a machine without an engine. */
    private static final class Lonely extends SoftRoceContainer {
        Lonely(String image) {
            super(image);
        }

        @Override
        public DockerClient getDockerClient() {
            return (DockerClient) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {DockerClient.class}, (self, method, arguments) -> {
                        throw NONE;
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"verbs4j:latest", "registry.example.com/verbs4j:latest"})
    void shouldTellWhatToDoWithoutAnEngine(String image) {
        try (SoftRoceContainer container = new Lonely(image).running("true")) {
            IllegalStateException refusal = assertThrows(IllegalStateException.class, container::run);
            assertSame(NONE, refusal.getCause());
            for (String part : new String[] {
                "a container engine (Docker) is needed",
                NONE.getMessage(),
                "DOCKER_HOST",
                "/var/run/docker.sock",
                "./verbs image",
                "docker/README.md",
                "Failsafe",
                "docs/testing.md"
            }) {
                assertTrue(refusal.getMessage().contains(part), () -> part + " in " + refusal.getMessage());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp://nowhere:2375", ""})
    void shouldTellTheVariable(String host) {
        String text = Engine.explained("none", host.isEmpty() ? null : host);
        assertTrue(text.contains("DOCKER_HOST says (" + (host.isEmpty() ? "it is not set" : host) + ")"), text);
    }
}
