package io.github.verbs4j.doctor;

import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.host.Host;
import java.util.List;

/** Can programs reach the kernel's connection manager? */
final class ConnectionManagerCheck {
    private ConnectionManagerCheck() {}

    static List<Finding> of(Host host) {
        if (host.openRefusal("rdma_cm").isEmpty()) {
            return List.of();
        }
        Explanation explanation = Explanations.connectionManager(host);
        return List.of(new Finding(
                "connection-manager",
                Severity.ERROR,
                "rdma_cm",
                explanation.cause(),
                "connections by IP address (package cm, rping); programs that exchange addresses themselves work",
                explanation.next()));
    }
}
