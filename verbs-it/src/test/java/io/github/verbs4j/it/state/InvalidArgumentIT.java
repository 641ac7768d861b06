package io.github.verbs4j.it.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import io.github.verbs4j.it.rdma.Watchdog;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The kernel says EINVAL of a value that no table of ours could refuse. */
@SoftRoceMachine
class InvalidArgumentIT {
    private static final int TOO_MUCH_INLINE = 513;

    /** In the state before; the kernel is told that it is in INIT, from where there is no such step. */
    private static VerbsException refused(Link link) {
        return assertThrows(
                VerbsException.class,
                () -> link.client().queuePair().modify(Steps.readyToSend().currentState(QueuePairState.INIT)));
    }

    private static Link readyToReceive() {
        Link link = Link.builder().unconnected();
        link.client().queuePair().modify(Steps.initialize());
        link.client().queuePair().modify(Steps.readyToReceive(link.server()));
        return link;
    }

    @Test
    void shouldShowEveryAttributeAndHowToAskTheKernel() {
        try (Link link = readyToReceive()) {
            Troubleshooting.line("B8").when("attributes").mustBeIn(refused(link).getMessage());
            assertEquals(QueuePairState.RTR, link.client().queuePair().query().state());
        }
    }

    /** The kernel tells the limit that nobody can query. The lines of the message are typed as they stand. */
    @Test
    void shouldSwitchTheKernelsDebuggingOnAndOff() {
        try (Link link = Link.builder().unconnected()) {
            String message = tooMuchInline(link);
            long before = kernelsWord().size();
            type(message, "on:");
            try {
                tooMuchInline(link);
                Watchdog.await("the kernel's word", () -> kernelsWord().size() > before);
                Troubleshooting.line("B8").when("the kernel").mustBeIn(message + kernelsWord());
            } finally {
                type(message, "off:");
            }
            long after = kernelsWord().size();
            tooMuchInline(link);
            assertEquals(after, kernelsWord().size());
        }
    }

    private static String tooMuchInline(Link link) {
        QueuePairOptions options = QueuePairOptions.sharing(link.client().sendQueue())
                .allowOverrun()
                .inline(TOO_MUCH_INLINE);
        return assertThrows(VerbsException.class, () -> link.client().domain().createRc(options))
                .getMessage();
    }

    private static List<String> kernelsWord() {
        return Shell.output("dmesg")
                .lines()
                .filter(line -> line.contains("invalid max inline data"))
                .toList();
    }

    private static void type(String message, String label) {
        String line = message.lines()
                .map(String::strip)
                .filter(one -> one.startsWith(label))
                .findFirst()
                .orElseThrow();
        Shell.output("sh", "-c", line.substring(label.length()));
    }

    @Test
    void shouldNameAnEmptyRowOfTheGidTable() {
        try (Link link = Link.builder().unconnected()) {
            link.client().queuePair().modify(Steps.initialize());
            AddressVector good = Steps.path(link.server());
            int empty = emptyRow(link);
            AddressVector path = new AddressVector(
                    good.destination(), good.lid(), good.port(), empty, 0, good.hopLimit(), good.trafficClass(), 0);
            assertRefused(
                    link, Steps.readyToReceive(link.server()).path(path), "sgid_index=" + empty + " is an empty row");
        }
    }

    private static int emptyRow(Link link) {
        List<Integer> filled = link.client().context().gids(Rdma.port()).entries().stream()
                .map(GidEntry::index)
                .toList();
        int index = 0;
        while (filled.contains(index)) {
            index++;
        }
        return index;
    }

    private static void assertRefused(Link link, Transition step, String expected) {
        VerbsException thrown = assertThrows(
                VerbsException.class, () -> link.client().queuePair().modify(step));
        assertTrue(thrown.getMessage().contains(expected), thrown::getMessage);
        assertEquals(QueuePairState.INIT, link.client().queuePair().query().state());
    }
}
