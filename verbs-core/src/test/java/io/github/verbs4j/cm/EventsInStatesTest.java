package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.fake.FakeCm;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.ffi.NativeLibrary;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every event in every state does what the event means, and nothing else. */
@Timeout(60)
@ExtendWith({FakeVerbs.Reset.class, FakeCm.Reset.class})
class EventsInStatesTest {
    /** The numbers of {@code rdma_cm_event_type}, and three that it does not have. */
    private static final List<Integer> EVENTS =
            List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 99, -1);

    /**
     * What follows, a column for each event: {@code .} nothing, {@code >} the step has gone well, {@code x} it has failed, and
     * only closing is left, {@code e} what was established has ended, {@code +} somebody is told of a request.
     *
     * <p>Columns: ADDR_RESOLVED, ADDR_ERROR, ROUTE_RESOLVED, ROUTE_ERROR, CONNECT_REQUEST, CONNECT_RESPONSE, CONNECT_ERROR, UNREACHABLE,
     * REJECTED, ESTABLISHED, DISCONNECTED, DEVICE_REMOVAL, MULTICAST_JOIN, MULTICAST_ERROR, ADDR_CHANGE, TIMEWAIT_EXIT, and those
     * without a name.
     */
    private static final String TABLE = """
            NEW                . x . x . . x x x . x x . x . . . . .
            LISTENING          . e . e + . e e e . e e . e . . . . .
            RESOLVING_ADDRESS  > x . x . . x x x . x x . x . . . . .
            ADDRESS_RESOLVED   . x . x . . x x x . x x . x . . . . .
            RESOLVING_ROUTE    . x > x . . x x x . x x . x . . . . .
            ROUTE_RESOLVED     . x . x . . x x x . x x . x . . . . .
            CONNECTING         . x . x . > x x x . x x . x . . . . .
            RESPONDED          . x . x . . x x x . x x . x . . . . .
            REQUESTED          . x . x . . x x x . x x . x . . . . .
            REJECTED           . . . . . . . . . . . . . . . . . . .
            ACCEPTING          . x . x . . x x x > x x . x . . . . .
            ESTABLISHED        . e . e . . e e e . e e . e . . . . .
            JOINING            . x . x . . x x x . x x > x . . . . .
            JOINED             . e . e . . e e e . e e . e . . . . .
            DISCONNECTING      . e . e . . e e e . e e . e . . . . .
            DISCONNECTED       . . . . . . . . . . . . . . . . . . .
            FAILED             . . . . . . . . . . . . . . . . . . .
            CLOSED             . . . . . . . . . . . . . . . . . . .
            """;

    private final List<Identifier> made = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private EventChannel channel;
    private CompletableFuture<ConnectionEvent> underWay;

    @BeforeEach
    void open() {
        NativeLibrary.librdmacm().open();
        channel = EventChannel.create();
    }

    @AfterEach
    void close() {
        made.forEach(Identifier::destroy);
        channel.close();
    }

    static Stream<Arguments> cells() {
        return TABLE.lines()
                .map(line -> line.split(" +"))
                .flatMap(words -> IntStream.range(0, EVENTS.size())
                        .mapToObj(i -> Arguments.of(State.valueOf(words[0]), EVENTS.get(i), words[1 + i])));
    }

    @Test
    void shouldHaveARowForEachState() {
        assertEquals(
                List.of(State.values()),
                TABLE.lines().map(line -> State.valueOf(line.split(" ")[0])).toList());
    }

    @ParameterizedTest(name = "{0}, event {1}: {2}")
    @MethodSource("cells")
    void shouldDoWhatTheEventMeans(State state, int code, String follows) throws Exception {
        Identifier identifier = in(state);

        deliver(identifier, code);

        switch (follows) {
            case "." -> assertUntouched(identifier, state);
            case "+" -> assertEquals(1, requests.get());
            case ">" -> assertEquals(code, underWay.get(50, TimeUnit.SECONDS).code());
            case "x" -> assertFailed(identifier, code);
            default -> assertEnded(identifier, state, code);
        }
        assertEquals(follows.equals("+") ? 1 : 0, requests.get());
        if (code == ConnectionEventType.ADDR_CHANGE.code() && !state.isOver()) {
            identifier.addressChanged().get(50, TimeUnit.SECONDS);
        } else if (follows.equals("e") || state == State.DISCONNECTED || state == State.CLOSED) {
            assertTrue(identifier.addressChanged().isCompletedExceptionally(), "it cannot come any more");
        } else {
            assertFalse(identifier.addressChanged().isDone());
        }
    }

    private void assertUntouched(Identifier identifier, State state) {
        assertEquals(state, identifier.state());
        assertFalse(underWay != null && underWay.isDone());
    }

    private void assertFailed(Identifier identifier, int code) {
        assertEquals(State.FAILED, identifier.state());
        assertFalse(identifier.ended().isDone());
        if (underWay != null) {
            assertTells(code, FakeConnections.failure(ConnectionException.class, underWay));
        }
        assertTells(
                code,
                assertThrows(ConnectionException.class, () -> identifier.requireState("whatever is next", State.NEW)));
    }

    private static void assertTells(int code, ConnectionException failure) {
        assertEquals(code, failure.event().orElseThrow().code());
        assertFalse(failure.nextStep().isEmpty(), failure::getMessage);
    }

    private static void assertEnded(Identifier identifier, State state, int code) throws Exception {
        assertEquals(code, identifier.ended().get(50, TimeUnit.SECONDS).code());
        assertEquals(state == State.LISTENING ? State.FAILED : State.DISCONNECTED, identifier.state());
    }

    // ---- the ways to the states ----

    private Identifier in(State state) throws Exception {
        return switch (state) {
            case NEW -> create();
            case LISTENING -> listening();
            case RESOLVING_ADDRESS -> begin(create(), Step.RESOLVE_ADDRESS);
            case ADDRESS_RESOLVED -> carryOut(create(), Step.RESOLVE_ADDRESS);
            case RESOLVING_ROUTE -> begin(in(State.ADDRESS_RESOLVED), Step.RESOLVE_ROUTE);
            case ROUTE_RESOLVED -> carryOut(in(State.ADDRESS_RESOLVED), Step.RESOLVE_ROUTE);
            case CONNECTING -> begin(in(State.ROUTE_RESOLVED), Step.CONNECT);
            case RESPONDED -> carryOut(in(State.ROUTE_RESOLVED), Step.CONNECT);
            case REQUESTED -> requested();
            case REJECTED -> call(in(State.REQUESTED), State.REQUESTED, state);
            case ACCEPTING -> begin(in(State.REQUESTED), Step.ACCEPT);
            case ESTABLISHED -> carryOut(in(State.REQUESTED), Step.ACCEPT);
            case JOINING -> begin(in(State.ADDRESS_RESOLVED), Step.JOIN);
            case JOINED -> carryOut(in(State.ADDRESS_RESOLVED), Step.JOIN);
            case DISCONNECTING -> {
                Identifier identifier = in(State.ESTABLISHED);
                identifier.disconnect();
                yield identifier;
            }
            case DISCONNECTED -> after(ConnectionEventType.DISCONNECTED, in(State.ESTABLISHED));
            case FAILED -> after(ConnectionEventType.DEVICE_REMOVAL, create());
            case CLOSED -> {
                Identifier identifier = create();
                identifier.destroy();
                yield identifier;
            }
        };
    }

    private Identifier create() {
        Identifier identifier = channel.createIdentifier(PortSpace.RDMA_PS_TCP);
        made.add(identifier);
        return identifier;
    }

    private Identifier listening() {
        Identifier listener = call(create(), State.NEW, State.LISTENING);
        listener.onRequest((request, event) -> {
            made.add(request);
            requests.incrementAndGet();
            return true;
        });
        return listener;
    }

    private Identifier requested() throws Exception {
        deliver(listening(), ConnectionEventType.CONNECT_REQUEST.code());
        requests.set(0);
        return made.stream()
                .filter(identifier -> identifier.state() == State.REQUESTED)
                .findFirst()
                .orElseThrow();
    }

    private static Identifier call(Identifier identifier, State from, State reached) {
        identifier.call("a call", from, reached, new Failure(identifier, "a call", null), errno -> 0);
        return identifier;
    }

    private Identifier begin(Identifier identifier, Step step) {
        underWay = identifier.start(step, Deadline.in(FakeConnections.LONG), FakeConnections.PEER, errno -> 0);
        return identifier;
    }

    private Identifier carryOut(Identifier identifier, Step step) throws Exception {
        deliver(begin(identifier, step), step.awaited().code());
        underWay.get(50, TimeUnit.SECONDS);
        underWay = null;
        return identifier;
    }

    private Identifier after(ConnectionEventType event, Identifier identifier) throws Exception {
        deliver(identifier, event.code());
        return identifier;
    }

    /** Returns when the thread of the channel is done with it: it takes a later one then. */
    private void deliver(Identifier identifier, int code) throws Exception {
        if (identifier.state() == State.CLOSED) {
            identifier.deliver(new ConnectionEvent(ConnectionEventType.ofCode(code), code, 0, new byte[0], 0, 0, null));
            return;
        }
        FakeCm.deliver(identifier.pointer(), code, 0, new byte[0]);
        Identifier later = create();
        FakeCm.deliver(later.pointer(), ConnectionEventType.ADDR_CHANGE.code(), 0, new byte[0]);
        later.addressChanged().get(50, TimeUnit.SECONDS);
    }
}
