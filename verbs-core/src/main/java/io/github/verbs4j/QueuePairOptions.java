package io.github.verbs4j;

import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.SendOperation;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * {@code ibv_qp_init_attr}: what to create a queue pair with. Every method returns a new value; the defaults are 64 sends
 * and 64 receives of one scatter/gather entry each, and no inline data.
 */
public final class QueuePairOptions {
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final QueuePairCapacity capacity;
    private final SharedReceiveQueue shared;
    private final boolean mayOverrun;
    private final Set<SendOperation> operations;

    private QueuePairOptions(
            CompletionQueue sendQueue,
            CompletionQueue receiveQueue,
            QueuePairCapacity capacity,
            SharedReceiveQueue shared,
            boolean mayOverrun,
            Set<SendOperation> operations) {
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.capacity = capacity;
        this.shared = shared;
        this.mayOverrun = mayOverrun;
        this.operations = operations;
    }

    /**
     * {@return options with one completion queue for sends and receives}
     *
     * @param queue of the same device context as the protection domain
     */
    public static QueuePairOptions sharing(CompletionQueue queue) {
        Objects.requireNonNull(queue, "queue");
        return separate(queue, queue);
    }

    /**
     * {@return options with a completion queue each}
     *
     * @param sends where sends are reported
     * @param receives where receives are reported
     */
    public static QueuePairOptions separate(CompletionQueue sends, CompletionQueue receives) {
        Objects.requireNonNull(sends, "sends");
        Objects.requireNonNull(receives, "receives");
        return new QueuePairOptions(sends, receives, new QueuePairCapacity(64, 64, 1, 1, 0), null, false, Set.of());
    }

    /**
     * {@return the same with other depths ({@code max_send_wr}, {@code max_recv_wr})}
     *
     * @param sends send requests that may be outstanding, 0 or more
     * @param receives receives that may be outstanding, 0 or more
     */
    public QueuePairOptions depth(int sends, int receives) {
        return with(new QueuePairCapacity(
                sends, receives, capacity.sendSegments(), capacity.receiveSegments(), capacity.inlineBytes()));
    }

    /**
     * {@return the same with other numbers of scatter/gather entries ({@code max_send_sge}, {@code max_recv_sge})}
     *
     * @param sends pieces of memory in one send request, 0 or more
     * @param receives pieces of memory in one receive, 0 or more
     */
    public QueuePairOptions segments(int sends, int receives) {
        return with(new QueuePairCapacity(
                capacity.sendDepth(), capacity.receiveDepth(), sends, receives, capacity.inlineBytes()));
    }

    /**
     * {@return the same with room for inline data ({@code max_inline_data})}
     *
     * @param bytes that a send request can carry in itself, 0 or more; what a device allows cannot be queried
     */
    public QueuePairOptions inline(int bytes) {
        return with(new QueuePairCapacity(
                capacity.sendDepth(),
                capacity.receiveDepth(),
                capacity.sendSegments(),
                capacity.receiveSegments(),
                bytes));
    }

    /**
     * {@return the same, taking its receives from a shared receive queue ({@code srq})} What {@link #depth} and
     * {@link #segments} say of receives means nothing then: it has none of its own. Each completion queue where receives
     * of the shared queue end reserves room for all of them, once.
     *
     * <p>Lead such a queue pair to ERR and poll until its completion queue is empty before it is reset or closed: some
     * devices forget what it left there, and with it the receives that its messages took.
     *
     * @param queue of the same protection domain
     */
    public QueuePairOptions sharedReceives(SharedReceiveQueue queue) {
        return new QueuePairOptions(
                sendQueue, receiveQueue, capacity, Objects.requireNonNull(queue, "queue"), mayOverrun, operations);
    }

    /**
     * {@return the same, allowed to overrun its completion queue} By default a queue pair is refused when all its
     * requests together, and those of the queue pairs already there, do not fit its completion queue: completions that
     * do not fit are lost in silence.
     */
    public QueuePairOptions allowOverrun() {
        return new QueuePairOptions(sendQueue, receiveQueue, capacity, shared, true, operations);
    }

    /**
     * {@return the same, whose send queue builds its requests ({@code ibv_create_qp_ex} with {@code send_ops_flags},
     * {@code ibv_wr_*})} What a {@link SendQueue#post} has slots for is then taken as a whole or not at all, and there are operations that
     * exist only so, in {@link ExtendedSendQueue}. It costs several calls of C for each request
     * instead of one for all.
     *
     * @param first an operation that will be posted; others are refused
     * @param more further ones
     */
    public QueuePairOptions extended(SendOperation first, SendOperation... more) {
        EnumSet<SendOperation> set = EnumSet.of(Objects.requireNonNull(first, "first"));
        for (SendOperation operation : Objects.requireNonNull(more, "more")) {
            set.add(Objects.requireNonNull(operation, "more contains null"));
        }
        return new QueuePairOptions(
                sendQueue, receiveQueue, capacity, shared, mayOverrun, Collections.unmodifiableSet(set));
    }

    private QueuePairOptions with(QueuePairCapacity other) {
        return new QueuePairOptions(sendQueue, receiveQueue, other, shared, mayOverrun, operations);
    }

    /** {@return where sends are reported} */
    public CompletionQueue sendCompletions() {
        return sendQueue;
    }

    /** {@return where receives are reported} */
    public CompletionQueue receiveCompletions() {
        return receiveQueue;
    }

    /** {@return how much is asked for; no receives if they are shared} */
    public QueuePairCapacity capacity() {
        return shared == null
                ? capacity
                : new QueuePairCapacity(capacity.sendDepth(), 0, capacity.sendSegments(), 0, capacity.inlineBytes());
    }

    /** {@return where receives are taken from; empty if the queue pair has its own} */
    public Optional<SharedReceiveQueue> sharedReceives() {
        return Optional.ofNullable(shared);
    }

    /** {@return whether it may overrun its completion queue} */
    public boolean mayOverrun() {
        return mayOverrun;
    }

    /** {@return the operations that are built; empty if requests are posted the classic way} */
    public Set<SendOperation> operations() {
        return operations;
    }

    @Override
    public String toString() {
        return "QueuePairOptions[" + capacity() + (shared == null ? "" : ", receives from " + shared) + ", sends to "
                + sendQueue + ", receives to " + receiveQueue + (mayOverrun ? ", may overrun" : "")
                + (operations.isEmpty() ? "" : ", builds " + operations) + "]";
    }
}
