package io.github.verbs4j.tools;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Completions;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.WaitStrategy;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionEventType;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One end of an rping: a queue pair, with room for the messages, one of which is under way at a time. One thread's. */
final class RpingEnd implements AutoCloseable {
    static final long RECEIVE = 1;
    static final long SEND = 2;
    static final long READ = 3;
    static final long WRITE = 4;

    /** Room for both messages of a client, which do not change, then for the one that comes. */
    private static final long RECEIVED_AT = 2 * RpingAnnouncement.BYTES;

    private static final int SENDS = 4;
    private static final int RECEIVES = 1;

    private final Closing closing;
    private final ProtectionDomain domain;
    private final MemoryRegion messages;
    private final RcQueuePair queuePair;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final Completions completions;
    private final Duration patience;

    private RpingEnd(Closing closing, DeviceContext context, Duration patience) {
        this.closing = closing;
        this.patience = patience;
        this.domain = closing.add(context.allocateProtectionDomain());
        this.messages = allocate(RECEIVED_AT + RpingAnnouncement.BYTES, AccessFlag.LOCAL_WRITE);
        CompletionQueue queue = closing.add(context.createCompletionQueue(SENDS + RECEIVES));
        // it never has more outstanding than it asked for, whatever the device grants on top
        this.queuePair = closing.add(domain.createRc(
                QueuePairOptions.sharing(queue).depth(SENDS, RECEIVES).allowOverrun()));
        this.sends = closing.add(SendQueue.over(queuePair));
        this.receives = closing.add(ReceiveQueue.over(queuePair));
        this.completions = closing.add(Completions.over(queue, SENDS + RECEIVES));
    }

    /** One on a device. */
    static RpingEnd on(String device, Duration patience) {
        return Closing.whole(closing ->
                new RpingEnd(closing, closing.add(Device.named(device).open()), patience));
    }

    /** Memory that is closed with this. */
    MemoryRegion allocate(long bytes, AccessFlag... access) {
        return closing.add(domain.allocate(bytes, access));
    }

    RcQueuePair queuePair() {
        return queuePair;
    }

    SendQueue sends() {
        return sends;
    }

    /** Where the messages to send are. */
    MemorySegment messages() {
        return messages.segment();
    }

    /** The message that came last. */
    RpingAnnouncement received() {
        return RpingAnnouncement.read(messages.segment(), RECEIVED_AT);
    }

    /** Posts the receive for the first message: before the peer may send it. */
    void postReceive() {
        Endpoint.requirePosted(receives.receive(RECEIVE, messages, RECEIVED_AT, RpingAnnouncement.BYTES)
                .post());
    }

    /** Posts the receive for the next message of a ping. */
    void postReceive(int ping, Connection connection) throws InterruptedException {
        whileConnected(this::postReceive, ping, connection);
    }

    /** Sends the message at an offset. */
    void send(long offset, int ping, Connection connection) throws InterruptedException {
        post(sends.send(SEND, messages, offset, RpingAnnouncement.BYTES), ping, connection);
    }

    void post(SendQueue staged, int ping, Connection connection) throws InterruptedException {
        whileConnected(() -> Endpoint.requirePosted(staged.signaled().post()), ping, connection);
    }

    /** The peer may disconnect between any two requests: the next one is refused, and the end may be known a moment later. */
    private void whileConnected(Runnable post, int ping, Connection connection) throws InterruptedException {
        try {
            post.run();
        } catch (IllegalStateException refused) {
            if (queuePair.state() != QueuePairState.ERR) {
                throw refused;
            }
            throw ended(ping, connection, end(connection, refused), "its next request");
        }
    }

    private static CommandFailure ended(int ping, Connection connection, ConnectionEventType end, Object before) {
        return new CommandFailure("ping " + ping + ": the connection to " + Text.address(connection.destination())
                + " ended (" + end + ") before " + before + ": the other end was stopped, or failed; see its output");
    }

    /**
     * Waits for a stage of a ping.
     *
     * @return how the connection has ended instead; empty if it has not
     */
    Optional<ConnectionEventType> await(RpingStage stage, int ping, Connection connection) throws InterruptedException {
        do {
            while (completions.next()) {
                if (!completions.isSuccess()) {
                    return Optional.of(failed(stage, ping, connection));
                }
                if (completions.id() == stage.id()) {
                    requireMessage(ping);
                    return Optional.empty();
                }
            }
        } while (completions.await(WaitStrategy.ADAPTIVE, patience) > 0);
        throw new CommandFailure("ping " + ping + ": " + stage + " did not come within " + patience.toSeconds()
                + " s: see the output of the other end at " + Text.address(connection.destination())
                + ", and whether packets get through (firewall: UDP port 4791)");
    }

    /** As {@link #await}, where the connection must not end. */
    void require(RpingStage stage, int ping, Connection connection) throws InterruptedException {
        Optional<ConnectionEventType> ended = await(stage, ping, connection);
        if (ended.isPresent()) {
            throw ended(ping, connection, ended.get(), stage);
        }
    }

    private void requireMessage(int ping) {
        if (completions.id() == RECEIVE && completions.byteLength() != RpingAnnouncement.BYTES) {
            throw new CommandFailure("ping " + ping + ": a message of " + completions.byteLength()
                    + " bytes came, those of rping have " + RpingAnnouncement.BYTES + ": is the other end an rping?");
        }
    }

    /** When the peer disconnects, what is outstanding is flushed, and that may be seen before the event. */
    private ConnectionEventType failed(RpingStage stage, int ping, Connection connection) throws InterruptedException {
        WorkStatus status = completions.status();
        CommandFailure failure = new CommandFailure(
                "ping " + ping + ": failed before " + stage + ", with " + status + ": " + status.meaning() + "; "
                        + status.hint(),
                completions.failure());
        if (status != WorkStatus.WR_FLUSH_ERR) {
            throw failure;
        }
        return end(connection, failure);
    }

    /** How it has ended; if it has not, the failure stays one. */
    private ConnectionEventType end(Connection connection, RuntimeException failure) throws InterruptedException {
        try {
            return connection.disconnected().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    @Override
    public void close() {
        closing.close();
    }
}
