package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.NullArguments;
import io.github.verbs4j.PublicMethods;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.fake.FakeCm;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers do wrong is refused before C sees it, in words that say what to do instead. */
@Timeout(60)
class MisuseTest extends FakeConnections {
    private static final EndpointOptions WITH_TIMEOUT =
            EndpointOptions.defaults().withAckTimeout(14);
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");

    private RcQueuePair pair;
    private UdQueuePair datagrams;

    private static void assertRefused(Class<? extends Exception> type, String words, Executable call) {
        Exception refusal = assertThrows(type, call);
        assertTrue(String.valueOf(refusal.getMessage()).contains(words), refusal.getMessage());
    }

    // ---- the order of calls ----

    @Test
    void shouldSayWhatComesFirst() {
        Connector connector = keep(manager.connector(PEER));

        assertRefused(
                IllegalStateException.class, "resolve(timeout) comes first", () -> connector.initialize(queuePair()));
    }

    @Test
    void shouldNotResolveTwice() throws Exception {
        Connector connector = resolved();

        assertRefused(IllegalStateException.class, "that was done already", () -> connector.resolveAsync(LONG));
    }

    @Test
    void shouldNotTellTheDeviceOfWhatIsClosed() throws Exception {
        Connector connector = resolved();
        connector.close();
        assertRefused(IllegalStateException.class, "is closed", connector::device);
    }

    @Test
    void shouldKnowWhereADecidedRequestCameThrough() throws Exception {
        Listener listener = keep(manager.listen(OURS, 4));
        ConnectionRequest request = request(listener, FakeCm.newest());
        String device = request.device();

        request.close();

        assertEquals(device, request.device());
    }

    // ---- queue pairs ----

    @Test
    void shouldTakeOneQueuePair() throws Exception {
        Connector connector = resolved();
        RcQueuePair first = queuePair();
        connector.initialize(first);

        assertRefused(
                IllegalStateException.class, "has " + first + " already", () -> connector.initialize(queuePair()));
    }

    @Test
    void shouldTakeAQueuePairOfNobodyElse() throws Exception {
        RcQueuePair pair = queuePair();
        resolved().initialize(pair);
        Connector other = resolved();

        assertRefused(IllegalStateException.class, "has to be in RESET", () -> other.initialize(pair));
        other.initialize(queuePair());
    }

    @Test
    void shouldRefuseAccessThatIsNotForPeers() throws Exception {
        Connector connector = resolved();
        RcQueuePair pair = queuePair();

        assertRefused(
                IllegalArgumentException.class,
                "LOCAL_WRITE is none of [REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, FLUSH_GLOBAL, FLUSH_PERSISTENT]",
                () -> connector.initialize(pair, Set.of(AccessFlag.LOCAL_WRITE)));
        connector.initialize(pair, Set.of(AccessFlag.REMOTE_ATOMIC));
    }

    // ---- arguments ----

    @Test
    void shouldKnowThatDatagramsAreNotAcknowledged() {
        Stream.<Executable>of(
                        () -> manager.datagramConnector(PEER, WITH_TIMEOUT),
                        () -> manager.datagramConnector(PEER, OURS, WITH_TIMEOUT),
                        () -> manager.listenDatagrams(OURS, 1, WITH_TIMEOUT),
                        () -> manager.multicastConnector(GROUP, OURS.getAddress(), WITH_TIMEOUT))
                .forEach(call -> assertRefused(IllegalArgumentException.class, "ackTimeout=14", call));
    }

    @ParameterizedTest
    @CsvSource({
        "239.1.2.3, 9, multicastConnector",
        "0.0.0.0, 9, is the wildcard",
        "::, 9, is the wildcard",
        "10.9.0.2, 0, has port 0"
    })
    void shouldConnectToASinglePeer(String host, int port, String why) {
        InetSocketAddress destination = new InetSocketAddress(host, port);
        Stream.<Executable>of(() -> manager.connector(destination), () -> manager.datagramConnector(destination))
                .forEach(call -> assertRefused(IllegalArgumentException.class, why, call));
    }

    @Test
    void shouldJoinGroupsThroughAnInterface() {
        assertRefused(
                IllegalArgumentException.class,
                "source=0.0.0.0 is that of no interface, and group=239.1.2.3",
                () -> manager.multicastConnector(GROUP, InetAddress.ofLiteral("0.0.0.0")));
    }

    private Object argument(Class<?> type) {
        Map<Class<?>, Object> arguments = Map.ofEntries(
                Map.entry(Duration.class, LONG),
                Map.entry(InetSocketAddress.class, OURS),
                Map.entry(InetAddress.class, GROUP),
                Map.entry(EndpointOptions.class, EndpointOptions.defaults()),
                Map.entry(ConnectionOptions.class, DEFAULTS),
                Map.entry(ConnectionManager.class, manager),
                Map.entry(RcQueuePair.class, pair),
                Map.entry(UdQueuePair.class, datagrams),
                Map.entry(Set.class, Set.of()),
                Map.entry(byte[].class, new byte[0]),
                Map.entry(Executor.class, (Executor) Runnable::run),
                Map.entry(RequestHandler.class, (RequestHandler<?>) request -> {}));
        return Objects.requireNonNull(arguments.get(type), type::toString);
    }

    @Test
    void shouldNameWhatIsNull() throws Exception {
        pair = queuePair();
        datagrams = datagramQueuePair();
        Listener listener = keep(manager.listen(OURS, 4));
        int listening = FakeCm.newest();
        DatagramListener datagramListener = keep(manager.listenDatagrams(OURS, 4));
        int listeningForDatagrams = FakeCm.newest();
        FakeCm.deliver(listeningForDatagrams, ConnectionEventType.CONNECT_REQUEST.code(), 0);
        List<String> unnamed = new ArrayList<>();
        for (Object object : List.of(
                manager,
                listener,
                datagramListener,
                request(listener, listening),
                keep(datagramListener.await(LONG).orElseThrow()),
                resolved(),
                keep(manager.datagramConnector(PEER)),
                keep(manager.multicastConnector(GROUP, OURS.getAddress())),
                connected())) {
            for (Method method : PublicMethods.of(object.getClass(), Set.of("equals", "close"))) {
                unnamed.addAll(NullArguments.unnamed(method, object, this::argument, Set.of()));
            }
        }
        assertEquals("", String.join("\n", unnamed));
    }

    @ParameterizedTest
    @CsvSource({
        "10.9.0.1, 99999, service=99999 is not a port",
        "10.9.0.1, 65536, service=65536 is not a port",
        "10.9.0.1|x, 1, node=10.9.0.1\\0x has a character",
        "10.9.0.1, 1|x, service=1\\0x has a character"
    })
    void shouldRefuseNamesThatCReadsDifferently(String node, String service, String words) {
        assertRefused(
                IllegalArgumentException.class,
                words,
                () -> AddressInformation.lookup(node.replace('|', '\0'), service.replace('|', '\0')));
    }

    // ---- values ----

    @Test
    void shouldCompareAndShowPrivateData() {
        byte[] hello = {'h', 'i', 0, 0};
        assertEquals(DEFAULTS.withPrivateData(hello), DEFAULTS.withPrivateData(hello.clone()));
        assertEquals(
                DEFAULTS.withPrivateData(hello).hashCode(),
                DEFAULTS.withPrivateData(hello.clone()).hashCode());
        assertTrue(DEFAULTS.withPrivateData(hello).toString().endsWith("privateData=\"hi\"]"));

        AddressInformation one =
                new AddressInformation(Optional.of(OURS), Optional.empty(), Optional.empty(), new byte[8], hello);
        assertEquals(
                one,
                new AddressInformation(
                        Optional.of(OURS), Optional.empty(), Optional.empty(), new byte[8], hello.clone()));
        assertTrue(one.toString().endsWith("route=8 bytes, connect=\"hi\"]"), one::toString);
    }
}
