package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each errno and each reason has a cause of its own, and something to do about it. */
class CauseTest {
    private static final List<String> OPERATIONS = List.of(
            "rdma_bind_addr",
            "rdma_resolve_addr",
            "rdma_resolve_route",
            "rdma_listen",
            "rdma_connect",
            "rdma_establish",
            "rdma_accept",
            "rdma_reject",
            "rdma_disconnect",
            "rdma_init_qp_attr",
            "rdma_join_multicast_ex",
            "rdma_destroy_id");
    private static final Way WAY =
            new Way("fake0", new InetSocketAddress("10.9.0.1", 0), new InetSocketAddress("10.9.0.2", 7471));

    static Stream<Integer> errors() {
        return Stream.of(5, 12, 13, 19, 22, 97, 98, 99, 101, 104, 110, 111, 113, 524);
    }

    @ParameterizedTest
    @MethodSource("errors")
    void shouldKnowTheCauseOfEachErrno(int errno) {
        for (String operation : OPERATIONS) {
            Cause cause = Cause.of(operation, errno, WAY);
            assertFalse(cause.text().isEmpty(), operation);
            assertFalse(cause.next().isEmpty(), operation);
        }
    }

    @Test
    void shouldTellTheErrorsApart() {
        Set<String> causes = new HashSet<>();
        errors().forEach(
                        errno -> causes.add(Cause.of("rdma_connect", errno, WAY).text()));
        assertEquals(errors().count(), causes.size());
    }

    @ParameterizedTest
    @CsvSource({
        "rdma_bind_addr, 13, CAP_NET_BIND_SERVICE",
        "rdma_resolve_addr, 13, prohibits the address",
        "rdma_accept, 22, the peer gave up",
        "rdma_connect, 22, does not expect the call",
        "rdma_resolve_addr, 110, nobody answered for the address",
        "rdma_resolve_route, 110, the address took all the time",
        "rdma_connect, 110, neither an acceptance nor a rejection",
        "rdma_accept, 110, does not confirm the connection",
        "rdma_accept, 110, gave up meanwhile",
        "rdma_disconnect, 110, does not answer that it disconnects",
    })
    void shouldKnowWhatAnErrnoMeansToTheCall(String operation, int errno, String text) {
        Cause cause = Cause.of(operation, errno, WAY);
        assertTrue(cause.text().contains(text), cause::text);
    }

    @ParameterizedTest
    @CsvSource({
        "rdma_accept, a peer that waits longer",
        "rdma_init_qp_attr, the log of the peer", // also of a server, which a client is told of
        "rdma_establish, the log of the peer",
    })
    void shouldTellEachEndWhatToDoAboutAPeerThatIsGone(String operation, String text) {
        Cause cause = Cause.of(operation, 22, WAY);
        assertTrue(cause.next().contains(text), cause::next);
    }

    @Test
    void shouldNameTheInterfaceOfALinkLocalAddress() throws Exception {
        Way way = new Way(null, null, new InetSocketAddress(InetAddress.getByName("fe80::1"), 9));
        assertTrue(Cause.of("rdma_resolve_addr", 22, way).next().contains("fe80:0:0:0:0:0:0:1%"));
    }

    @Test
    void shouldTellWhichInterfaceHasNoDevice() {
        Way way = new Way(
                null,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new InetSocketAddress("127.0.0.1", 9));
        assertTrue(Cause.of("rdma_resolve_route", 19, way).text().contains("lo, an interface without an RDMA device"));
    }

    @Test
    void shouldBlameNoNeighbourForAnAddressOfThisMachine() {
        Way way = new Way(null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
        assertTrue(Cause.silence("rdma_resolve_addr", way).text().contains("this machine's own"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldKnowWhatToDoAboutEachReason(RejectReason reason) {
        assertFalse(reason.text().isEmpty());
        assertFalse(reason.remedy().isEmpty());
    }

    /** As its kernel tells of one that closed its connector, or ended. */
    @Test
    void shouldKnowThatAPeerGaveUp() {
        assertTrue(RejectReason.TIMEOUT.text().contains("closed its connector, or its process ended"));
    }
}
