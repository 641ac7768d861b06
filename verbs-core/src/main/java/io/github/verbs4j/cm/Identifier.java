package io.github.verbs4j.cm;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.CmIdVerbs;
import io.github.verbs4j.ffi.CmInlineVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.ffi.ibv_device;
import io.github.verbs4j.ffi.rdma_cm_id;
import java.lang.foreign.MemorySegment;
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

    private final EventChannel channel;
    private final MemorySegment pointer;
    private final CompletableFuture<ConnectionEvent> ended = new CompletableFuture<>();
    private BiPredicate<Identifier, ConnectionEvent> requests = (identifier, event) -> false;
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
        if (verbs.address() == 0) {
            return Optional.empty();
        }
        MemorySegment device = ibv_context.device(Pointers.segment(verbs, ibv_context.sizeof()));
        MemorySegment name = ibv_device.name(Pointers.segment(device, ibv_device.sizeof()));
        return Optional.of(Pointers.string(name, (int) name.byteSize()));
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
            end = over && (state == State.ESTABLISHED || state == State.DISCONNECTING);
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
        if (state == State.FAILED && failure != null) {
            throw new Failure(this, operation, null).of(failure);
        }
        if (state != from) {
            throw new IllegalStateException(operation + ": the connection is " + state + ", and has to be " + from);
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
