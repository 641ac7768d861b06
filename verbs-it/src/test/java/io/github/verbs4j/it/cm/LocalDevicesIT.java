package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.Connection;
import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.DeviceAddress;
import io.github.verbs4j.cm.EndpointOptions;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which devices and addresses there are, and connections by device. */
class LocalDevicesIT {
    @Test
    void shouldNameTheDevices() {
        try (ConnectionManager manager = ConnectionManager.open()) {
            assertEquals(List.of(Rdma.device().name()), manager.devices());
        }
    }

    @Test
    void shouldFindTheAddressesOfTheDeviceAndNoOthers() throws Exception {
        String device = Rdma.device().name();
        Shell.output("ip", "link", "add", "plain0", "type", "dummy");
        try (ConnectionManager manager = ConnectionManager.open()) {
            Shell.output("ip", "addr", "add", "10.99.0.1/24", "dev", "plain0");
            Shell.output("ip", "link", "set", "plain0", "up");

            List<DeviceAddress> addresses = manager.addresses();

            assertTrue(
                    addresses.contains(new DeviceAddress(device, InetAddress.getByName("10.9.0.1"))),
                    addresses::toString);
            assertTrue(
                    addresses.contains(new DeviceAddress(device, InetAddress.getByName("fd09::1"))),
                    addresses::toString);
            assertTrue(
                    addresses.stream()
                            .noneMatch(each -> each.toString().startsWith("127.")
                                    || each.toString().startsWith("10.99.")),
                    addresses::toString);
        } finally {
            Shell.output("ip", "link", "del", "plain0");
        }
    }

    /** Its link-local address too, which has a scope. */
    @Test
    void shouldConnectFromEachAddressOfTheDeviceToItself() throws Exception {
        List<DeviceAddress> addresses;
        try (ConnectionManager manager = ConnectionManager.open()) {
            addresses = manager.addresses();
        }
        for (DeviceAddress each : addresses) {
            String text = each.address().getHostAddress();
            try (TwoEnds ends = TwoEnds.listeningOn(text, EndpointOptions.defaults())) {
                InetSocketAddress source = new InetSocketAddress(each.address(), 0);
                CompletableFuture<Connection> connecting = ends.connecting(
                        ends.manager().connector(ends.listener().address(), source, EndpointOptions.defaults()));
                Connection server = ends.accept(ends.request());
                Connection client = ends.add(connecting.get());

                assertEquals(each.address(), client.source().getAddress());
                assertEquals(each.address(), server.destination().getAddress());
                assertEquals(
                        each.device(),
                        client.queuePair().domain().context().device().name());
            }
        }
    }
}
