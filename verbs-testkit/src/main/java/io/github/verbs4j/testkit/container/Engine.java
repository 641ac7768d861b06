package io.github.verbs4j.testkit.container;

import com.github.dockerjava.api.DockerClient;
import java.util.Objects;

/** The container engine, which Testcontainers looks for when it is first asked for something. */
final class Engine {
    private Engine() {}

    /** Makes Testcontainers look, by the question that it would ask itself at a start; without an engine says what to do. */
    static void require(DockerClient client) {
        try {
            client.authConfig();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(explained(e.getMessage(), System.getenv("DOCKER_HOST")), e);
        }
    }

    static String explained(String reason, String host) {
        return """
                a container engine (Docker) is needed, and Testcontainers has none: %s
                  it looks:  where DOCKER_HOST says (%s), or docker.host in ~/.testcontainers.properties; else at \
                /var/run/docker.sock, then at those of Docker's rootless mode and Docker Desktop
                  next:      install and start Docker, and let this user talk to it: docker info must succeed
                  the image: ./verbs image makes it, in a clone of Verbs4J; see its docker/README.md
                  without an engine: RDMA tests run in the java of verbs-testkit's archive, by <jvm> of Maven's Surefire or \
                Failsafe; see "Maven" in Verbs4J's docs/testing.md""".formatted(reason, Objects.requireNonNullElse(host, "it is not set"));
    }
}
