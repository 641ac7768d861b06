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
    private static final int ROUND_TRIPS = 50;

    /** A message of 4 KiB is four packets of RoCE on an Ethernet of 1500 bytes. */
    private static final int PACKETS = 4 * ROUND_TRIPS;

    private static final String COUNT = "; echo sent $(cat /sys/class/net/eth0/statistics/tx_packets)"
            + " received $(cat /sys/class/net/eth0/statistics/rx_packets)";

    @Test
    void shouldPingPongBetweenJavaAndCOnTheWire() {
        String arguments = " -d rxe0 -g 1 -n " + ROUND_TRIPS;
        try (Network network = Network.newNetwork();
                Pair pair = SoftRoceContainer.pair(network)) {
            pair.left()
                    .running("bash", "-ec", "ibv_rc_pingpong" + arguments + COUNT)
                    .start();
            String client = "verbs pingpong rc" + arguments + " " + Pair.LEFT_ADDRESS;
            String patiently = "until " + client + "; do sleep 1; done"; // the server may not listen yet
            pair.right().running("bash", "-ec", patiently + COUNT).start();
            Ending left = pair.left().awaitEnd(Duration.ofMinutes(5)).requireSuccess();
            Ending right = pair.right().awaitEnd(Duration.ofMinutes(1)).requireSuccess();
            for (Ending end : new Ending[] {left, right}) {
                assertTrue(end.output().contains(ROUND_TRIPS + " iters in"), end::toString); // as both programs say it
                assertTrue(packets(end, "sent") >= PACKETS, end::toString);
                assertTrue(packets(end, "received") >= PACKETS, end::toString);
            }
            assertTrue(left.output().contains("remote address"), left::toString);
            assertTrue(left.output().contains("::ffff:" + Pair.RIGHT_ADDRESS), left::toString);
        }
    }

    private static long packets(Ending end, String direction) {
        Matcher count = Pattern.compile(direction + " ([0-9]+)").matcher(end.output());
        assertTrue(count.find(), end::toString);
        return Long.parseLong(count.group(1));
    }
}
