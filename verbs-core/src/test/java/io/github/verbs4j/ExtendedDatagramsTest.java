package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedSend;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Datagrams that are built ({@code ibv_wr_set_ud_addr}): each for its own peer, whose address handle stays open until then. */
class ExtendedDatagramsTest extends FakeDevice {
    private static final int KEY = 0x8000_0001;
    private static final int ENOSPC = 28;

    private DatagramSendQueue sends;
    private AddressHandle first;
    private AddressHandle second;
    private DatagramPeer one;
    private DatagramPeer other;

    @BeforeEach
    void activate() {
        UdQueuePair queuePair =
                keep(domain.createUd(options().extended(SendOperation.SEND, SendOperation.SEND_IMMEDIATE)));
        QueuePairAddress address = queuePair.initialize(gid(), KEY);
        queuePair.activate();
        first = keep(queuePair.createAddressHandle(address));
        second = keep(queuePair.createAddressHandle(address));
        one = new DatagramPeer(first, 0xfffffe, KEY);
        other = new DatagramPeer(second, DatagramPeer.MULTICAST, 7);
        sends = keep(DatagramSendQueue.over(queuePair));
        FakeVerbs.clearRecords();
    }

    @Test
    void shouldBuildWhomEachIsFor() {
        memory.segment().setString(64, "inline");
        sends.send(1, memory, 16, 100, one).and(memory, 200, 8);
        sends.sendImmediate(2, memory, 64, 6, other, 0x0102_0304).inline().signaled();

        assertEquals(2, sends.post());

        assertEquals(List.of("ibv_wr_start qp1", "ibv_wr_complete qp1"), FakeVerbs.log("ibv_wr"));
        PostedSend send = FakeVerbs.postedSends().getFirst();
        requirePeer(send, first, 0xfffffe, KEY);
        assertEquals(SendOperation.SEND.opcode(), send.opcode());
        assertEquals(memory.address() + 16, send.elements().getFirst().address());
        assertEquals(2, send.elements().size());
        PostedSend immediate = FakeVerbs.postedSends().getLast();
        requirePeer(immediate, second, DatagramPeer.MULTICAST, 7);
        assertEquals(SendOperation.SEND_IMMEDIATE.opcode(), immediate.opcode());
        assertEquals(Integer.reverseBytes(0x0102_0304), immediate.immediate());
        assertArrayEquals("inline".getBytes(), immediate.inlined());
    }

    private static void requirePeer(PostedSend send, AddressHandle handle, int number, int key) {
        assertEquals(handle.handle().address(), send.addressHandle());
        assertEquals(number, send.remoteQpNum());
        assertEquals(key, send.remoteQkey());
    }

    @Test
    void shouldHoldAddressHandlesUntilTheSectionIsComplete() {
        FakeVerbs.failNext("ibv_wr_complete", ENOSPC);
        sends.send(1, memory, 0, 8, one).send(2, memory, 0, 8, other);

        assertThrows(VerbsException.class, sends::post);

        assertEquals(2, sends.staged());
        assertThrows(IllegalStateException.class, first::close);
        assertThrows(IllegalStateException.class, second::close);
        assertEquals(2, sends.post());
        first.close();
        second.close();
    }

    @Test
    void shouldRefuseWhatItWasNotCreatedForBeforeASectionBegins() {
        UdQueuePair queuePair = keep(domain.createUd(options().extended(SendOperation.SEND)));
        queuePair.initialize(gid(), KEY);
        queuePair.activate();
        DatagramSendQueue plain = keep(DatagramSendQueue.over(queuePair));
        plain.sendImmediate(1, memory, 0, 8, one, 0);

        String message =
                assertThrows(UnsupportedOperationException.class, plain::post).getMessage();

        assertTrue(message.startsWith("request 0 is a SEND_IMMEDIATE: UdQueuePair "), message);
        assertEquals(List.of(), FakeVerbs.log("ibv_wr"));
        assertThrows(IllegalStateException.class, first::close);
        plain.discard();
        first.close();
    }
}
