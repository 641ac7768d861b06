package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.event.CmEvent;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.CmConnectionVerbs;
import io.github.verbs4j.ffi.CmIdVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.rdma_cm_event;
import io.github.verbs4j.ffi.rdma_event_channel;
import io.github.verbs4j.ffi.rdmacm_h;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.EventReader;
import io.github.verbs4j.internal.EventThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code rdma_event_channel}, the thread that takes its events, and the identifiers that they may name.
 *
 * <p>The thread looks an identifier up, copies the event and acknowledges it, in this order, and tells the identifier then: until
 * it is acknowledged {@code rdma_destroy_id} does not return, so the address cannot be another's yet; and once it is, whoever
 * is told may destroy anything. The thread runs no code of users.
 */
final class EventChannel implements EventReader {
    /** They have no other name. */
    private static final AtomicInteger MADE = new AtomicInteger();

    private final MemorySegment pointer;
    private final MemorySegment slot = Arena.ofAuto().allocate(ADDRESS);
    private final Map<Long, Identifier> identifiers = new ConcurrentHashMap<>();
    private final EventThread thread;
    private volatile Throwable failure;

    private EventChannel(MemorySegment pointer) {
        this.pointer = pointer;
        unblock(null);
        this.thread = new EventThread("librdmacm-" + MADE.incrementAndGet(), List.of(this));
    }

    static EventChannel create() {
        MemorySegment made = Call.on("librdmacm", () -> VerbsException.of("rdma_create_event_channel"))
                .explained((failure, number) -> failure.explain(Explanations.connectionManager(new Errno(number))))
                .pointer(CmIdVerbs::rdma_create_event_channel, channel -> ConnectionManager.NAME);
        boolean good = false;
        try {
            EventChannel channel = new EventChannel(made);
            good = true;
            return channel;
        } finally {
            if (!good) {
                destroy(made);
            }
        }
    }

    private static void destroy(MemorySegment channel) {
        Call.on(ConnectionManager.NAME, () -> VerbsException.of("rdma_destroy_event_channel"))
                .done(() -> rdmacm_h.rdma_destroy_event_channel(channel));
    }

    /** A new identifier. */
    Identifier createIdentifier(PortSpace space) {
        long number = Identifier.nextNumber();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(ADDRESS);
            MemorySegment made = Call.on(
                            ConnectionManager.NAME,
                            () -> VerbsException.of("rdma_create_id").argument("ps", space))
                    .pointer(
                            errno -> CmIdVerbs.rdma_create_id(errno, pointer, slot, MemorySegment.NULL, space.code())
                                            == 0
                                    ? slot.get(ADDRESS, 0)
                                    : MemorySegment.NULL,
                            id -> Identifier.name(number));
            return add(number, made, State.NEW);
        }
    }

    /** Takes the events of one that comes from another channel: it is told when they end, or refused if they have. */
    synchronized void adopt(Identifier identifier) {
        if (failure != null) {
            throw noMoreEvents();
        }
        identifiers.put(identifier.pointer().address(), identifier);
    }

    MemorySegment pointer() {
        return pointer;
    }

    private Identifier add(long number, MemorySegment id, State state) {
        Identifier identifier = new Identifier(this, number, id, state);
        identifiers.put(id.address(), identifier);
        if (failure != null) {
            identifier.end(this::noMoreEvents); // it came too late to be told with the others
        }
        return identifier;
    }

    /** After it is destroyed, when another one may have the address already. */
    void forget(Identifier identifier) {
        identifiers.remove(identifier.pointer().address(), identifier);
    }

    @Override
    public int descriptor() {
        return rdma_event_channel.fd(Pointers.segment(pointer, rdma_event_channel.sizeof()));
    }

    @Override
    public String operation() {
        return "rdma_get_cm_event";
    }

    @Override
    public boolean take(CapturedErrno errno) {
        if (CmConnectionVerbs.rdma_get_cm_event(errno, pointer, slot) != 0) {
            return false;
        }
        MemorySegment event = Pointers.segment(slot.get(ADDRESS, 0), rdma_cm_event.sizeof());
        MemorySegment id = rdma_cm_event.id(event);
        ConnectionEvent copy = ConnectionEvent.copy(event);
        boolean request = copy.type() == ConnectionEventType.CONNECT_REQUEST;
        Identifier receiver = identifiers.get((request ? rdma_cm_event.listen_id(event) : id).address());
        CmConnectionVerbs.rdma_ack_cm_event(errno, event);
        tell(receiver, copy);
        if (request) {
            Identifier made = add(Identifier.nextNumber(), id, State.REQUESTED);
            if (receiver == null || !receiver.request(made, copy)) {
                reject(made);
            }
        } else if (receiver != null) {
            receiver.deliver(copy);
        }
        return true;
    }

    private static void tell(Identifier receiver, ConnectionEvent event) {
        CmEvent told = new CmEvent();
        if (told.shouldCommit()) {
            told.tell(
                    receiver == null ? null : receiver.toString(),
                    event.name(),
                    event.status(),
                    receiver == null ? null : receiver.state().name());
        }
    }

    private static void reject(Identifier unwanted) {
        try {
            unwanted.destroy();
        } catch (VerbsException refused) {
            // nobody holds it who could be told; it ends with the channel
        }
    }

    @Override
    public void end(Throwable thrown) {
        synchronized (this) { // not while one is adopted, which would be neither refused nor told
            failure = thrown;
        }
        identifiers.values().forEach(identifier -> identifier.end(this::noMoreEvents));
    }

    private VerbsException noMoreEvents() {
        VerbsException.Builder told = VerbsException.of(operation())
                .headline("no more events of connections come: the thread that takes them gave up")
                .cause("the kernel's connection manager refused to give them; see the cause of this exception")
                .next("close what was opened on this ConnectionManager and it, and open another")
                .thrown(failure);
        if (failure instanceof VerbsException known) {
            known.errno().ifPresent(errno -> told.errno(errno.number()));
        }
        return told.build();
    }

    /** Ends the thread, then destroys the channel, on which nothing may be open any more. */
    void close() {
        thread.stop();
        destroy(pointer);
    }
}
