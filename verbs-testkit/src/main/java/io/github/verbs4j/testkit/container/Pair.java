package io.github.verbs4j.testkit.container;

import java.util.Objects;
import org.testcontainers.containers.Network;

/**
 * Two hosts on one Ethernet, made by {@link SoftRoceContainer#pair(Network)}: say what each is to run, start one, run the
 * other.
 *
 * <pre>{@code
 * try (Network network = Network.newNetwork();
 *         Pair pair = SoftRoceContainer.pair(network)) {
 *     pair.left().running("pingpong", "rc").start();
 *     pair.right().running("pingpong", "rc", Pair.LEFT_ADDRESS).run().requireSuccess();
 *     pair.left().awaitEnd(Duration.ofMinutes(1)).requireSuccess();
 * }
 * }</pre>
 *
 * @param left the container at {@value #LEFT_ADDRESS}
 * @param right the container at {@value #RIGHT_ADDRESS}
 */
public record Pair(SoftRoceContainer left, SoftRoceContainer right) implements AutoCloseable {
    /** Address of the left one's device. */
    public static final String LEFT_ADDRESS = "10.9.0.1";

    /** Address of the right one's device. */
    public static final String RIGHT_ADDRESS = "10.9.0.2";

    /** Checks that nothing is missing. */
    public Pair {
        Objects.requireNonNull(left, "left");
        Objects.requireNonNull(right, "right");
    }

    /** Stops both and removes them. */
    @Override
    public void close() {
        try (left;
                right) {
            // each is closed, even if closing the other fails
        }
    }
}
