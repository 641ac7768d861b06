package io.github.verbs4j.containers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testkit.container.Ending;
import io.github.verbs4j.testkit.container.Pair;
import io.github.verbs4j.testkit.container.SoftRoceContainer;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.Network;

/** Two containers are two hosts: Java at one end and C at the other, and every message crosses the network between them. */
@Tag("plain")
class PairIT {
    private static final int ROUND_TRIPS = 100;

    /** The peer's program may not listen yet. */
    private static final String TRY = "for try in $(seq 60); do %s && break; sleep 1; done; ";

    private static final String COUNT = "echo sent $(cat /sys/class/net/eth0/statistics/tx_packets)"
            + " received $(cat /sys/class/net/eth0/statistics/rx_packets)";

    @Test
    void shouldPingPongBetweenJavaAndCOnTheWire() {
        String java = "verbs pingpong rc -d rxe0 -g 1 -n " + ROUND_TRIPS;
        String c = "ibv_rc_pingpong -d rxe0 -g 1 -n " + ROUND_TRIPS;
        try (Network network = Network.newNetwork();
                Pair pair = SoftRoceContainer.pair(network)) {
            pair.left().running("bash", "-ec", c + "; " + java + "; " + COUNT).start();
            String other = " " + Pair.LEFT_ADDRESS;
            pair.right().running("bash", "-c", TRY.formatted(java + other) + TRY.formatted(c + other) + COUNT);
            pair.right().start();
            Ending left = pair.left().awaitEnd(Duration.ofMinutes(8)).requireSuccess();
            Ending right = pair.right().awaitEnd(Duration.ofMinutes(1)).requireSuccess();
            for (Ending end : new Ending[] {left, right}) {
                assertTrue(end.output().contains(ROUND_TRIPS + " iters in"), end::toString); // as both programs say it
                assertTrue(packets(end, "sent") >= 2 * ROUND_TRIPS, end::toString);
                assertTrue(packets(end, "received") >= 2 * ROUND_TRIPS, end::toString);
            }
            assertTrue(left.output().contains("::ffff:10.9.0.2"), left::toString); // who the peer was
            assertTrue(right.output().contains("::ffff:10.9.0.1"), right::toString);
        }
    }

    private static long packets(Ending end, String direction) {
        Matcher count = Pattern.compile(direction + " ([0-9]+)").matcher(end.output());
        assertTrue(count.find(), end::toString);
        return Long.parseLong(count.group(1));
    }
}
