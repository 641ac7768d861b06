package io.github.verbs4j.it.datagram;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.DatagramPeer;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Rdma;
import org.junit.jupiter.api.Test;

/** Address handles: what the device takes, and what it refuses. */
class AddressHandleIT {
    private static AddressVector toItself(Datagrams end, int gidIndex) {
        return new AddressVector(end.address.gid(), 0, Rdma.port(), gidIndex, 0, 64, 0, 0);
    }

    @Test
    void shouldCreateAndDestroy() {
        try (Datagrams end = new Datagrams()) {
            int index = Rdma.gid(end.context).index();
            AddressHandle handle = end.domain.createAddressHandle(toItself(end, index));
            assertTrue(handle.isOpen());
            assertTrue(assertThrows(IllegalStateException.class, end.domain::close)
                    .getMessage()
                    .contains(handle.toString()));
            handle.close();
            handle.close();
            assertFalse(handle.isOpen());
        }
    }

    @Test
    void shouldExplainAnEmptyRowOfTheGidTable() {
        try (Datagrams end = new Datagrams()) {
            VerbsException refused =
                    assertThrows(VerbsException.class, () -> end.domain.createAddressHandle(toItself(end, 200)));
            assertTrue(refused.getMessage().contains("sgid_index=200"), refused::getMessage);
        }
    }

    @Test
    void shouldRefuseAHandleWithoutDestinationOnEthernet() {
        try (Datagrams end = new Datagrams()) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> end.domain.createAddressHandle(new AddressVector(Gid.NONE, 0, Rdma.port(), 0, 0, 64, 0, 0)));
        }
    }

    /** The provider would read what is freed. */
    @Test
    void shouldNotBeClosedBetweenStagingAndPosting() {
        try (Datagrams end = new Datagrams()) {
            DatagramPeer peer = end.seenFrom(end, Datagrams.KEY);
            end.sends.send(1, end.memory, 0, 8, peer).signaled();
            assertThrows(IllegalStateException.class, peer.way()::close);
            end.post();
            end.await();
            peer.way().close();
            assertThrows(IllegalStateException.class, () -> end.sends.send(2, end.memory, 0, 8, peer));
        }
    }

    @Test
    void shouldMakeAHundred() {
        try (Datagrams end = new Datagrams()) {
            for (int i = 0; i < 100; i++) {
                end.add(end.queuePair.createAddressHandle(end.address));
            }
        }
    }
}
