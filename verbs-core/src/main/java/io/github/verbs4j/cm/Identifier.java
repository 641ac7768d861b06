package io.github.verbs4j.cm;

import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.CmConnectionVerbs;
import io.github.verbs4j.ffi.CmIdVerbs;
import io.github.verbs4j.ffi.CmInlineVerbs;
import io.github.verbs4j.ffi.CmQueueVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.rdma_addr;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.ffi.rdma_ib_addr;
import io.github.verbs4j.ffi.rdma_route;
import io.github.verbs4j.internal.Call;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * {@code rdma_cm_id} and the state that it is in. Calls and events both go through here, one at a time.
 *
 * <p>An event is acknowledged before it comes here, so a call may wait in C for acknowledgements while it holds the lock. What
 * depends on an outcome runs on a virtual thread of its own: it may block, and close this.
 *
 * <p>Thread-safe.
 */
final class Identifier {
    /** Where what follows an outcome runs. */
    static final Executor EXECUTOR = Thread::startVirtualThread;

    private static final AtomicLong NUMBERS = new AtomicLong();

    /** The same for users: what they have follow, also a failure, runs there. */
    static <T> CompletableFuture<T> toFollow(CompletableFuture<T> future) {
        return future.whenCompleteAsync((result, thrown) -> {}, EXECUTOR);
    }

    /** Counts the identifiers of this process: C gives them no number. */
    private final long number;

    private final MemorySegment pointer;
    private final CompletableFuture<ConnectionEvent> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> addressChanged = new CompletableFuture<>();
    private BiPredicate<Identifier, ConnectionEvent> requests = (identifier, event) -> false;
    private EventChannel channel;
    private State state;
    private Step step;
    private CompletableFuture<ConnectionEvent> outcome;
    /** Why it is FAILED, told anew to each who asks for more. */
    private Function<Failure, VerbsException> why;

    Identifier(EventChannel channel, long number, MemorySegment pointer, State state) {
        this.channel = channel;
        this.number = number;
        this.pointer = Pointers.segment(pointer, rdma_cm_id.sizeof());
        this.state = state;
    }

    static long nextNumber() {
        return NUMBERS.incrementAndGet();
    }

    static String name(long number) {
        return "Identifier " + number;
    }

    @Override
    public String toString() {
        return name(number);
    }

    MemorySegment pointer() {
        return pointer;
    }

    /**
     * Completes when an established connection, or a listener, ends, with the event that says so; fails with a {@link
     * CancellationException} if this is destroyed before.
     */
    CompletableFuture<ConnectionEvent> ended() {
        return ended;
    }

    /** Completes at the first ADDR_CHANGE; fails with a {@link CancellationException} if none came before the end. */
    CompletableFuture<Void> addressChanged() {
        return addressChanged;
    }

    /** What a listener does with a request; false if it takes no more. */
    synchronized void onRequest(BiPredicate<Identifier, ConnectionEvent> taker) {
        requests = taker;
    }

    /** Our address; null before it is known. */
    synchronized InetSocketAddress source() {
        return state == State.CLOSED ? null : SocketAddresses.read(CmInlineVerbs.rdma_get_local_addr(pointer));
    }

    /** The peer's address; null before it is known. */
    synchronized InetSocketAddress destination() {
        return state == State.CLOSED ? null : SocketAddresses.read(CmInlineVerbs.rdma_get_peer_addr(pointer));
    }

    /** The name of the device that it is bound to; empty if it is bound to none, as with a loopback address. */
    synchronized Optional<String> device() {
        MemorySegment verbs = state == State.CLOSED ? MemorySegment.NULL : rdma_cm_id.verbs(pointer);
        return verbs.address() == 0 ? Optional.empty() : Optional.of(LocalDevices.name(verbs));
    }

    /** {@code rdma_bind_addr}. */
    void bind(InetSocketAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = SocketAddresses.write(arena, address);
            call(
                    "rdma_bind_addr",
                    State.NEW,
                    State.NEW,
                    new Failure(this, "rdma_bind_addr", null).from(address),
                    errno -> CmIdVerbs.rdma_bind_addr(errno, pointer, struct));
        }
    }

    /**
     * {@code rdma_migrate_id}: its events are taken from another channel from now on.
     *
     * <p>The other one knows it before the kernel moves the events that wait. C waits for the acknowledgement of those that were
     * taken already, which the thread gives before it asks for our lock.
     */
    synchronized void migrate(EventChannel other) {
        if (other == channel) {
            return; // it must not be forgotten there
        }
        other.adopt(this);
        boolean moved = false;
        try {
            call(
                    "rdma_migrate_id",
                    new Failure(this, "rdma_migrate_id", null),
                    errno -> CmIdVerbs.rdma_migrate_id(errno, pointer, other.pointer()));
            moved = true;
        } finally {
            (moved ? channel : other).forget(this);
        }
        channel = other;
    }

    /** The GID of our end, once an address was resolved. */
    synchronized Gid gid() {
        requireOpen("initialize");
        MemorySegment addresses = rdma_route.addr(rdma_cm_id.route(pointer));
        return Gid.of(rdma_ib_addr
                .sgid(rdma_addr.addr.ibaddr(rdma_addr.addr(addresses)))
                .toArray(ValueLayout.JAVA_BYTE));
    }

    /** {@code rdma_leave_multicast}, which frees what librdmacm keeps of a group; destroying leaves it too. */
    synchronized void leave(InetSocketAddress group) {
        if (state != State.CLOSED) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment address = SocketAddresses.write(arena, group);
                make(
                        new Failure(this, "rdma_leave_multicast", group),
                        CapturedErrno.create(),
                        errno -> CmQueueVerbs.rdma_leave_multicast(errno, pointer, address));
            }
        }
    }

    /** Whether it succeeded. */
    private boolean make(Failure failure, CapturedErrno errno, ToIntFunction<CapturedErrno> function) {
        return Call.on(this, failure::asked).tryNotNegative(errno, function) == 0;
    }

    /** A call that is done when it returns. */
    synchronized void call(
            String operation, State from, State reached, Failure failure, ToIntFunction<CapturedErrno> function) {
        requireState(operation, from);
        CapturedErrno errno = CapturedErrno.create();
        if (!make(failure, errno, function)) {
            throw failure.of(errno.value());
        }
        state = reached;
    }

    /** A call that leaves the state as it is, whichever that is when it is made: an event may change it until then. */
    synchronized void call(String operation, Failure failure, ToIntFunction<CapturedErrno> function) {
        call(operation, state, state, failure, function);
    }

    /** A call whose outcome comes as an event, and not later than the timeout. */
    CompletableFuture<ConnectionEvent> start(
            Step what, Deadline deadline, InetSocketAddress towards, ToIntFunction<CapturedErrno> function) {
        CompletableFuture<ConnectionEvent> expected = new CompletableFuture<>();
        StepWatch watch = new StepWatch(this, what, towards);
        synchronized (this) {
            if (state == State.FAILED) {
                return CompletableFuture.failedFuture(why.apply(new Failure(this, what.operation(), towards)));
            }
            requireState(what.operation(), what.from());
            CapturedErrno errno = CapturedErrno.create();
            Failure failure = new Failure(this, what.operation(), towards);
            watch.begin();
            if (!make(failure, errno, function)) {
                int refusal = errno.value();
                fail(reason -> reason.of(refusal));
                ConnectionException refused = failure.of(refusal);
                watch.end(refused);
                return CompletableFuture.failedFuture(refused);
            }
            state = what.during();
            step = what;
            outcome = expected;
        }
        return expected.orTimeout(TimeUnit.NANOSECONDS.convert(deadline.left()), TimeUnit.NANOSECONDS)
                .handleAsync((event, thrown) -> conclude(what, deadline.asked(), towards, event, thrown), EXECUTOR)
                .whenComplete((event, thrown) -> watch.end(thrown));
    }

    private ConnectionEvent conclude(
            Step what, Duration timeout, InetSocketAddress towards, ConnectionEvent event, Throwable thrown) {
        if (thrown instanceof TimeoutException) {
            synchronized (this) {
                fail(reason -> reason.noEvent(what.awaited(), timeout));
            }
            throw new Failure(this, what.operation(), towards).noEvent(what.awaited(), timeout);
        }
        if (thrown instanceof VerbsException known) {
            throw known;
        }
        if (event.type() != what.awaited()) {
            throw new Failure(this, what.operation(), towards).of(event);
        }
        return event;
    }

    /** Only closing is left. */
    private void fail(Function<Failure, VerbsException> reason) {
        if (!state.isOver()) {
            state = State.FAILED;
            why = reason;
        }
    }

    /** {@code rdma_disconnect}: asks the peer, unless that was done, or the connection is over. {@link #ended} has the answer. */
    synchronized void disconnect() {
        if (state == State.ESTABLISHED) {
            call(
                    "rdma_disconnect",
                    State.ESTABLISHED,
                    State.DISCONNECTING,
                    new Failure(this, "rdma_disconnect", null),
                    errno -> CmConnectionVerbs.rdma_disconnect(errno, pointer));
        }
    }

    /** {@code rdma_disconnect} of one that is over: the peer waits for our answer. */
    synchronized void answerDisconnect() {
        if (state != State.CLOSED) {
            make(
                    new Failure(this, "rdma_disconnect", null),
                    CapturedErrno.create(),
                    errno -> CmConnectionVerbs.rdma_disconnect(errno, pointer));
        }
    }

    /** In the thread of the channel; the event is acknowledged. */
    void deliver(ConnectionEvent event) {
        CompletableFuture<ConnectionEvent> waiting;
        boolean end = false;
        synchronized (this) {
            if (state.isOver()) {
                return; // it comes late
            }
            boolean expected = step != null && event.type() == step.awaited();
            boolean over = event.type().isFailure() || event.type() == ConnectionEventType.DISCONNECTED;
            if (!expected && !over) {
                notice(event);
                return;
            }
            if (expected) {
                state = step.reached();
            } else {
                end = state == State.ESTABLISHED
                        || state == State.DISCONNECTING
                        || state == State.LISTENING
                        || state == State.JOINED;
                state = end && state != State.LISTENING ? State.DISCONNECTED : State.FAILED;
                why = reason -> reason.of(event);
            }
            waiting = settled();
        }
        if (end) {
            ended.complete(event);
            addressChanged.completeExceptionally(new CancellationException("the connection ended: " + event.name()));
        }
        if (waiting != null) {
            waiting.complete(event);
        }
    }

    /** Of no consequence for the connection, as TIMEWAIT_EXIT and what has no name here. */
    private void notice(ConnectionEvent event) {
        if (event.type() == ConnectionEventType.ADDR_CHANGE) {
            addressChanged.complete(null);
        }
    }

    /** Who waits for the outcome of the step, which is known now. */
    private CompletableFuture<ConnectionEvent> settled() {
        CompletableFuture<ConnectionEvent> waiting = outcome;
        step = null;
        outcome = null;
        return waiting;
    }

    /** In the thread of the channel: a request for this listener. False if it takes no more. */
    boolean request(Identifier made, ConnectionEvent event) {
        BiPredicate<Identifier, ConnectionEvent> taker;
        synchronized (this) {
            taker = requests;
        }
        return taker.test(made, event);
    }

    /** No more events come. */
    void end(Supplier<VerbsException> reason) {
        CompletableFuture<ConnectionEvent> waiting;
        synchronized (this) {
            fail(failure -> reason.get());
            waiting = settled();
        }
        if (waiting != null) {
            waiting.completeExceptionally(reason.get());
        }
        ended.completeExceptionally(reason.get());
        addressChanged.completeExceptionally(reason.get());
    }

    /** Refuses what is not the next thing to do; after a failure, with what went wrong then. */
    synchronized void requireState(String operation, State from) {
        requireOpen(operation);
        if (state == State.FAILED) {
            throw why.apply(new Failure(this, operation, null));
        }
        if (state != from) {
            throw new IllegalStateException(
                    operation + ": the connection is " + state + ", and has to be " + from + state.towards(from));
        }
    }

    private void requireOpen(String operation) {
        if (state == State.CLOSED) {
            throw new IllegalStateException(operation + ": the connection is closed");
        }
    }

    synchronized State state() {
        return state;
    }

    /**
     * {@code rdma_destroy_id}: what was connected is disconnected, a request is rejected. Twice is harmless; if C refuses, nothing
     * changes.
     */
    void destroy() {
        CompletableFuture<ConnectionEvent> waiting;
        Failure closed;
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            closed = new Failure(this, "rdma_destroy_id", null); // the addresses are gone after it
            CapturedErrno errno = CapturedErrno.create();
            if (!make(closed, errno, captured -> CmIdVerbs.rdma_destroy_id(captured, pointer))) {
                throw closed.of(errno.value());
            }
            state = State.CLOSED;
            channel.forget(this);
            waiting = settled();
        }
        if (waiting != null) {
            waiting.completeExceptionally(closed.meanwhile());
        }
        ended.completeExceptionally(new CancellationException("it was closed"));
        addressChanged.completeExceptionally(new CancellationException("the connection was closed"));
    }
}
