package io.github.verbs4j.it.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Device;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.host.CounterMeaning;
import io.github.verbs4j.host.Counters;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import io.github.verbs4j.it.rdma.Watchdog;
import io.github.verbs4j.tools.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What goes wrong between two queue pairs moves a counter; the names are those of Soft-RoCE. */
@SoftRoceMachine
class CountersIT {
    private static Counters now() {
        return Rdma.device().counters(Rdma.port());
    }

    private static Counters moved(Device device, Counters before, Predicate<Counters> enough) {
        // Soft-RoCE's counters may be some milliseconds old
        Watchdog.await("counters to move", () -> enough.test(device.counters(1).since(before)));
        return device.counters(1).since(before);
    }

    private static Counters moved(Counters before, Predicate<Counters> enough) {
        return moved(Rdma.device(), before, enough);
    }

    /** What {@code ./verbs counters} shows of a device. */
    private static String shown(Device device) {
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        int status = Main.commandLine().setOut(writer).setErr(writer).execute("counters", "-d", device.name());
        assertEquals(0, status, output::toString);
        return output.toString();
    }

    @Test
    void shouldRefusePortsThatTheDeviceDoesNotHave() {
        for (int port : new int[] {-1, 9}) {
            assertThrows(IllegalArgumentException.class, () -> Rdma.device().counters(port));
        }
    }

    private static long value(Counters counters, String name) {
        return counters.value(name).orElseThrow();
    }

    @Test
    void shouldCountPackets() {
        Counters before = now();
        try (Link link = Link.connected()) {
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(1, WorkOpcode.WRITE);
        }

        Counters moved = moved(before, counters -> value(counters, "sent_pkts") >= 2);

        assertTrue(value(moved, "rcvd_pkts") >= 2, moved::toString);
        assertTrue(moved.lifespan().isPresent());
    }

    @Test
    void shouldCountALateReceive() {
        Counters before = now();
        try (Link link = Link.connected()) {
            link.client().sends().send(1, link.client().memory(), 0, 8).signaled();
            link.client().post();
            moved(before, counters -> value(counters, "send_rnr_err") > 0);
            link.server().receive(2, 0, 8);
            link.client().await().requireSuccess(1, WorkOpcode.SEND);
        }

        Counters moved = moved(before, counters -> value(counters, "rcvd_rnr_err") > 0);

        assertTrue(moved.total(CounterMeaning.RECEIVER_NOT_READY) >= 2, moved::toString);
        assertEquals(0, value(moved, "retry_rnr_exceeded_err"));
        Troubleshooting.line("C4").when("late receive").mustBeIn(shown(Rdma.device()));
    }

    @Test
    void shouldCountAReceiveThatNeverCame() {
        Counters before = now();
        try (Link link = Link.builder().path(RcPath.defaults().withRnr(1, 1)).connected()) {
            link.client().sends().send(1, link.client().memory(), 0, 8).signaled();
            link.client().post();
            link.client().await().requireFailure(1, WorkStatus.RNR_RETRY_EXC_ERR);
        }

        moved(before, counters -> value(counters, "retry_rnr_exceeded_err") == 1);
    }

    @Test
    void shouldCountAPeerThatIsGone() {
        Counters before = now();
        try (Link link =
                Link.builder().path(RcPath.defaults().withAckTimeout(12, 2)).connected()) {
            link.server().queuePair().reset();
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            8,
                            link.server().memory().remote(),
                            0)
                    .signaled();
            link.client().post();
            link.client().await().requireFailure(1, WorkStatus.RETRY_EXC_ERR);
        }

        Counters moved = moved(before, counters -> value(counters, "retry_exceeded_err") == 1);

        assertTrue(value(moved, "completer_retry_err") > 0, moved::toString);
        assertEquals(1, moved.total(CounterMeaning.GAVE_UP));
        Troubleshooting.line("C4").when("lost peer").mustBeIn(shown(Rdma.device()));
    }

    @Test
    void shouldCountLostPacketsAtBothEnds() {
        try (LossyWire _ = new LossyWire()) {
            Device near = Device.named(LossyWire.NEAR);
            Device far = Device.named(LossyWire.FAR);
            Counters nearBefore = near.counters(1);
            Counters farBefore = far.counters(1);

            try (Wired link = new Wired(near, far)) {
                Watchdog.await("the receiver to ask for a lost packet", () -> {
                    link.write(20);
                    return value(near.counters(1).since(nearBefore), "rcvd_seq_err") > 0;
                });
            }

            Counters sender = moved(near, nearBefore, counters -> value(counters, "completer_retry_err") > 0);
            Counters receiver = moved(far, farBefore, counters -> value(counters, "out_of_seq_request") > 0);
            assertTrue(value(sender, "rcvd_seq_err") > 0, sender::toString);
            assertTrue(sender.total(CounterMeaning.RETRANSMISSION) > 0, sender::toString);
            assertTrue(receiver.total(CounterMeaning.RETRANSMISSION) > 0, receiver::toString);
            assertEquals(0, sender.total(CounterMeaning.GAVE_UP), sender::toString);
            Troubleshooting.line("C6").when("sender").mustBeIn(shown(near));
            Troubleshooting.line("C6").when("receiver").mustBeIn(shown(far));
        }
    }
}
