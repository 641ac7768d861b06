package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.attr.Enhancements;
import io.github.verbs4j.fake.FakeCm;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.ffi.ibv_ece;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What no device here can: enhancements that both ends tell each other, and a message that comes before the peer's word. */
@Timeout(60)
class EnhancingTest extends FakeConnections {
    private static final int VENDOR = 0x2c9;

    private static Enhancements told() {
        MemorySegment struct = FakeCm.localEnhancements();
        return new Enhancements(ibv_ece.vendor_id(struct), ibv_ece.options(struct));
    }

    @Test
    void shouldTellTheListenerOurEnhancementsAndUseItsAnswer() throws Exception {
        FakeVerbs.enhancements(VENDOR, 7);
        FakeCm.remoteEnhancements(VENDOR, 3);

        Connection connection = connected();

        assertEquals(new Enhancements(VENDOR, 7), told());
        assertEquals(new Enhancements(VENDOR, 3), connection.queuePair().enhancements());
    }

    @Test
    void shouldAnswerWithWhatWasTakenOverOfThePeers() throws Exception {
        FakeVerbs.enhancements(VENDOR, 7);
        FakeCm.remoteEnhancements(VENDOR, 5);
        Listener listener = keep(manager.listen(new InetSocketAddress("10.9.0.1", 7471), 4));
        ConnectionRequest request = request(listener, FakeCm.newest());
        assertEquals(Optional.of(new Enhancements(VENDOR, 5)), request.enhancements());

        Connection connection = accepted(request);

        assertEquals(new Enhancements(VENDOR, 5), connection.queuePair().enhancements());
        assertEquals(new Enhancements(VENDOR, 5), told());
    }

    /** As events change it, while a thread asks for what was told. */
    @Test
    void shouldReadWhatWasToldWhileTheStateChanges() throws Exception {
        EventChannel channel = EventChannel.create();
        Identifier identifier = channel.createIdentifier(PortSpace.RDMA_PS_TCP);
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Void> changing = CompletableFuture.runAsync(() -> {
            while (!enough.get()) {
                change(identifier, State.NEW, State.ESTABLISHED);
                change(identifier, State.ESTABLISHED, State.NEW);
            }
        });
        FakeCm.remoteEnhancements(VENDOR, 5);

        try {
            for (int i = 0; i < 10_000; i++) {
                assertEquals(Optional.of(new Enhancements(VENDOR, 5)), Enhancing.told(identifier));
            }
        } finally {
            enough.set(true);
            get(changing);
            identifier.destroy();
            channel.close();
        }
    }

    private static void change(Identifier identifier, State from, State reached) {
        identifier.call("change", from, reached, new Failure(identifier, "change", null), errno -> 0);
    }

    @Test
    void shouldConnectWithoutThemWhereOurDeviceHasNone() throws Exception {
        FakeCm.remoteEnhancements(VENDOR, 5);

        connected();

        assertEquals(0, FakeCm.calls("rdma_set_local_ece"));
    }

    @Test
    void shouldTakeAMessageForThePeersWord() throws Exception {
        Listener listener = keep(manager.listen(new InetSocketAddress("10.9.0.1", 7471), 4));
        ConnectionRequest request = request(listener, FakeCm.newest());
        int id = FakeCm.newest();
        assertThrows(IllegalStateException.class, request::notifyEstablished);
        request.initialize(queuePair());
        CompletableFuture<Connection> accepting = request.acceptAsync(DEFAULTS, LONG);
        await(() -> FakeCm.calls("rdma_accept") == 1);
        assertFalse(accepting.isDone());

        request.notifyEstablished();

        assertEquals(1, FakeCm.calls("rdma_notify"));
        answer("rdma_notify", id, ConnectionEventType.ESTABLISHED); // as the kernel does
        keep(get(accepting));
    }
}
