package io.github.verbs4j.it.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.verbs4j.AsyncEvent;
import io.github.verbs4j.AsyncEvents;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.AsyncEventType;
import io.github.verbs4j.attr.PortState;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The asynchronous events that Soft-RoCE raises. */
class AsyncEventsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static AsyncEvent await(AsyncEvents events, Predicate<AsyncEvent> wanted) throws InterruptedException {
        AsyncEvent event;
        do {
            event = events.await(PATIENCE).orElseThrow();
        } while (!wanted.test(event));
        return event;
    }

    private static String networkInterface(DeviceContext context) throws SocketException {
        return NetworkInterface.getByIndex(Rdma.gid(context).interfaceIndex()).getName();
    }

    @Test
    void shouldTellThatTheSendQueueHasDrained() throws Exception {
        try (Link link = Link.connected();
                AsyncEvents events = link.client().context().openAsyncEvents()) {
            link.client().queuePair().modify(Transition.to(QueuePairState.SQD).drainedNotification(true));
            AsyncEvent event = await(events, one -> one.type().namesResource());
            assertEquals(AsyncEventType.SQ_DRAINED, event.type());
            assertSame(link.client().queuePair(), event.source());
        }
    }

    @Test
    void shouldTellThatThePortWentDownAndCameBack() throws Exception {
        try (DeviceContext context = Rdma.open();
                AsyncEvents events = context.openAsyncEvents()) {
            String link = networkInterface(context);
            Files.writeString(Path.of("/proc/sys/net/ipv6/conf", link, "keep_addr_on_down"), "1");
            Shell.output("ip", "link", "set", link, "down");
            AsyncEvent down = await(events, one -> one.type() == AsyncEventType.PORT_ERR);
            Shell.output("ip", "link", "set", link, "up");
            AsyncEvent up = await(events, one -> one.type() == AsyncEventType.PORT_ACTIVE);
            assertEquals(Rdma.port(), down.port());
            assertSame(context, up.source());
            assertEquals(PortState.ACTIVE, context.port(Rdma.port()).state());
        }
    }

    @Test
    void shouldTellOfANewAddress() throws Exception {
        try (DeviceContext context = Rdma.open();
                AsyncEvents events = context.openAsyncEvents()) {
            String link = networkInterface(context);
            Shell.output("ip", "address", "add", "192.0.2.77/32", "dev", link);
            try {
                AsyncEvent event = await(events, one -> one.type() == AsyncEventType.GID_CHANGE);
                assertEquals(Rdma.port(), event.port());
            } finally {
                Shell.output("ip", "address", "del", "192.0.2.77/32", "dev", link);
            }
        }
    }

    @Test
    void shouldNotKeepAQueuePairFromBeingClosedRightAfterItsEvent() {
        try (DeviceContext watched = Rdma.open();
                AsyncEvents nobodyTakesThem = watched.openAsyncEvents()) {
            for (int round = 0; round < 20; round++) {
                try (Link link = Link.connected();
                        AsyncEvents events = link.client().context().openAsyncEvents()) {
                    link.client()
                            .queuePair()
                            .modify(Transition.to(QueuePairState.SQD).drainedNotification(true));
                    assertSame(link.client().context(), events.context());
                }
            }
            assertSame(watched, nobodyTakesThem.context());
        }
    }
}
