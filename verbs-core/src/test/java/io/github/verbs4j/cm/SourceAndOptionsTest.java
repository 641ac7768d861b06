package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.fake.FakeCm;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever has an address of ours takes options too, which C wants before the address. */
@Timeout(60)
class SourceAndOptionsTest extends FakeConnections {
    private static final EndpointOptions MARKED = EndpointOptions.defaults().withTypeOfService(0x48);
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");
    private static final InetSocketAddress SIX = new InetSocketAddress("fd09::1", 0);

    private static Named<Maker> maker(String name, Maker maker) {
        return Named.of(name, maker);
    }

    private static Stream<Named<Maker>> makers() {
        return Stream.of(
                maker("connector", (manager, source) -> manager.connector(PEER, source, MARKED)),
                maker("datagramConnector", (manager, source) -> manager.datagramConnector(PEER, source, MARKED)),
                maker(
                        "multicastConnector",
                        (manager, source) -> manager.multicastConnector(GROUP, source.getAddress(), MARKED)));
    }

    @ParameterizedTest
    @MethodSource("makers")
    void shouldSetOptionsBeforeTheAddress(Maker maker) {
        keep(maker.make(manager, OURS));

        String id = " id" + FakeCm.newest();
        List<String> ofThis =
                FakeCm.log().stream().filter(line -> line.endsWith(id)).toList();
        assertEquals(
                List.of("rdma_create_id ->" + id, "rdma_set_option" + id, "rdma_bind_addr" + id),
                ofThis,
                FakeCm.log()::toString);
    }

    @ParameterizedTest
    @MethodSource("makers")
    void shouldRefuseASourceOfAnotherFamily(Maker maker) {
        Exception refusal = assertThrows(IllegalArgumentException.class, () -> maker.make(manager, SIX));

        assertTrue(refusal.getMessage().contains("both IPv4, or both IPv6"), refusal.getMessage());
    }

    private interface Maker {
        AutoCloseable make(ConnectionManager manager, InetSocketAddress source);
    }
}
