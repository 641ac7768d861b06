package io.github.verbs4j.cm;

import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.CmConnectionVerbs;
import io.github.verbs4j.ffi.CmIdVerbs;
import io.github.verbs4j.ffi.CmInlineVerbs;
import io.github.verbs4j.ffi.CmQueueVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.ffi.ibv_device;
import io.github.verbs4j.ffi.rdma_addr;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.ffi.rdma_ib_addr;
import io.github.verbs4j.ffi.rdma_route;
import io.github.verbs4j.ffi.verbs4j_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
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

    private final MemorySegment pointer;
    private final CompletableFuture<ConnectionEvent> ended = new CompletableFuture<>();
    private BiPredicate<Identifier, ConnectionEvent> requests = (identifier, event) -> false;
    private EventChannel channel;
    private State state;
    private Step step;
    private CompletableFuture<ConnectionEvent> outcome;
    private ConnectionEvent failure;

    Identifier(EventChannel channel, MemorySegment pointer, State state) {
        this.channel = channel;
        this.pointer = Pointers.segment(pointer, rdma_cm_id.sizeof());
        this.state = state;
    }

    MemorySegment pointer() {
        return pointer;
    }

    /** Completes when an established connection ends, with the event that says so. */
    CompletableFuture<ConnectionEvent> ended() {
        return ended;
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
        return verbs.address() == 0 ? Optional.empty() : Optional.of(deviceName(verbs));
    }

    /** Of a {@code struct ibv_context *} of librdmacm's own. */
    static String deviceName(MemorySegment verbs) {
        MemorySegment device = ibv_context.device(Pointers.segment(verbs, ibv_context.sizeof()));
        MemorySegment name = ibv_device.name(Pointers.segment(device, ibv_device.sizeof()));
        return Pointers.string(name, (int) name.byteSize());
    }

    /** {@code rdma_notify}: the event that ends the acceptance follows. */
    synchronized void notifyEstablished() {
        call(
                "rdma_notify",
                State.ACCEPTING,
                State.ACCEPTING,
                new Failure(this, "rdma_notify", null).asking("event", "IBV_EVENT_COMM_EST"),
                errno -> CmConnectionVerbs.rdma_notify(errno, pointer, verbs4j_h.IBV_EVENT_COMM_EST()));
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
        State now = state;
        other.adopt(this);
        boolean moved = false;
        try {
            call(
                    "rdma_migrate_id",
                    now,
                    now,
                    new Failure(this, "rdma_migrate_id", null),
                    errno -> CmIdVerbs.rdma_migrate_id(errno, pointer, other.pointer()));
            moved = true;
        } finally {
            (moved ? channel : other).forget(pointer);
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
                CmQueueVerbs.rdma_leave_multicast(CapturedErrno.create(), pointer, SocketAddresses.write(arena, group));
            }
        }
    }

    /** A call that is done when it returns. */
    synchronized void call(
            String operation, State from, State reached, Failure failure, ToIntFunction<CapturedErrno> function) {
        requireState(operation, from);
        CapturedErrno errno = CapturedErrno.create();
        if (function.applyAsInt(errno) != 0) {
            throw failure.of(errno.value());
        }
        state = reached;
    }

    /** A call whose outcome comes as an event, and not later than the timeout. */
    CompletableFuture<ConnectionEvent> start(
            Step what, Duration timeout, InetSocketAddress towards, ToIntFunction<CapturedErrno> function) {
        CompletableFuture<ConnectionEvent> expected = new CompletableFuture<>();
        synchronized (this) {
            requireState(what.operation(), what.from());
            state = what.during();
            step = what;
            outcome = expected;
            CapturedErrno errno = CapturedErrno.create();
            if (function.applyAsInt(errno) != 0) {
                state = State.FAILED;
                step = null;
                outcome = null;
                return CompletableFuture.failedFuture(new Failure(this, what.operation(), towards).of(errno.value()));
            }
        }
        return expected.orTimeout(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)
                .handleAsync((event, thrown) -> conclude(what, timeout, towards, event, thrown), EXECUTOR);
    }

    private ConnectionEvent conclude(
            Step what, Duration timeout, InetSocketAddress towards, ConnectionEvent event, Throwable thrown) {
        Failure failure = new Failure(this, what.operation(), towards);
        if (thrown instanceof TimeoutException) {
            synchronized (this) {
                if (state == what.during()) {
                    state = State.FAILED;
                }
            }
            throw failure.noEvent(what.awaited(), timeout);
        }
        if (thrown instanceof VerbsException known) {
            throw known;
        }
        if (event.type() != what.awaited()) {
            throw failure.of(event);
        }
        return event;
    }

    /** In the thread of the channel; the event is acknowledged. */
    void deliver(ConnectionEvent event) {
        CompletableFuture<ConnectionEvent> waiting = null;
        boolean end = false;
        synchronized (this) {
            boolean expected = step != null && state == step.during() && event.type() == step.awaited();
            boolean over = event.type().isFailure() || event.type() == ConnectionEventType.DISCONNECTED;
            if (state == State.CLOSED || !expected && !over) {
                return; // late, or nothing that concerns anyone: TIMEWAIT_EXIT, ADDR_CHANGE, or one without a name
            }
            end = over && (state == State.ESTABLISHED || state == State.DISCONNECTING || state == State.JOINED);
            waiting = outcome;
            state = expected ? step.reached() : end ? State.DISCONNECTED : State.FAILED;
            failure = expected ? null : event;
            step = null;
            outcome = null;
        }
        if (end) {
            ended.complete(event);
        }
        if (waiting != null) {
            waiting.complete(event);
        }
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
    void end(VerbsException reason) {
        CompletableFuture<ConnectionEvent> waiting;
        synchronized (this) {
            waiting = outcome;
            state = state == State.CLOSED ? State.CLOSED : State.FAILED;
            outcome = null;
        }
        if (waiting != null) {
            waiting.completeExceptionally(reason);
        }
        ended.completeExceptionally(reason);
    }

    /** Refuses what is not the next thing to do; if that is because of an event, with what the event says. */
    synchronized void requireState(String operation, State from) {
        requireOpen(operation);
        if (state == State.FAILED && failure != null) {
            throw new Failure(this, operation, null).of(failure);
        }
        if (state != from) {
            throw new IllegalStateException(operation + ": the connection is " + state + ", and has to be " + from);
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

    /** {@code rdma_destroy_id}: what was connected is disconnected, a request is rejected. Twice is harmless. */
    void destroy() {
        CompletableFuture<ConnectionEvent> waiting;
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            channel.forget(pointer);
            CapturedErrno errno = CapturedErrno.create();
            CmIdVerbs.rdma_destroy_id(errno, pointer); // fails only if the kernel knows it no more
            state = State.CLOSED;
            waiting = outcome;
            outcome = null;
        }
        if (waiting != null) {
            waiting.completeExceptionally(VerbsException.of("rdma_destroy_id")
                    .headline("the connection was closed while it was being made")
                    .build());
        }
    }
}
