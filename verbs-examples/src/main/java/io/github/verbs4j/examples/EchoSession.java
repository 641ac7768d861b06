package io.github.verbs4j.examples;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.ConnectionRequest;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;

/**
 * A client of the {@link EchoServer}: its queue pair, and the messages that came from it. A message stays in the slot of the server's
 * memory that it was received into until its answer, sent from there, has arrived.
 */
final class EchoSession {
    /** Answers under way at a time. */
    static final int ANSWERS = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Message END = new Message(-1, 0);

    private record Message(int slot, int length) {}

    private final RcQueuePair pair;
    private final MemoryRegion memory;
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(ANSWERS);
    private final CountDownLatch released = new CountDownLatch(1);

    EchoSession(RcQueuePair pair, MemoryRegion memory) {
        this.pair = pair;
        this.memory = memory;
    }

    /** Answers until either end disconnects. The queue pair is in ERR then, with nothing under way. */
    void run(ConnectionRequest request) throws InterruptedException {
        request.initialize(pair);
        try (SendQueue sends = SendQueue.over(pair)) {
            try (Connection connection = request.accept(ConnectionOptions.defaults(), PATIENCE)) {
                connection.disconnected().thenRun(this::end);
                answerAll(sends);
            } finally {
                pair.toError();
                room.acquireUninterruptibly(ANSWERS);
            }
        }
    }

    private void answerAll(SendQueue sends) throws InterruptedException {
        for (Message message = inbox.take(); message != END; message = inbox.take()) {
            room.acquire();
            try {
                sends.send(~message.slot, memory, (long) message.slot * EchoServer.MESSAGE_BYTES, message.length)
                        .signaled()
                        .post();
            } catch (IllegalStateException gone) { // the client did not wait for its answer
                room.release();
                inbox.add(message);
                return;
            }
        }
    }

    /** A message is in a slot. */
    void received(int slot, int length) {
        inbox.add(new Message(slot, length));
    }

    /** An answer is no longer under way. */
    void answered() {
        room.release();
    }

    /** The connection is over. */
    void end() {
        inbox.add(END);
    }

    /** Nothing of the queue pair can come any more: gives the slots of messages back that were not answered. */
    void release(IntConsumer slots) {
        inbox.stream().filter(message -> message != END).forEach(message -> slots.accept(message.slot));
        released.countDown();
    }

    /** Waits for {@link #release}, even in a thread that was interrupted. */
    void awaitRelease() {
        boolean interrupted = Thread.interrupted();
        while (true) {
            try {
                released.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
