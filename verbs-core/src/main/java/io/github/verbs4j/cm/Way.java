package io.github.verbs4j.cm;

import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From where to where, as far as it is known.
 *
 * @param device name of ours, null if none is known
 * @param source our address, null if it is not known
 * @param destination the peer's address, null if there is none
 */
record Way(String device, InetSocketAddress source, InetSocketAddress destination) {
    private static final int ANY_PORT = 9;

    /** The same with the address that the kernel would send from, where librdmacm has not told it. */
    Way complete() {
        if (source != null || destination == null) {
            return this;
        }
        try (DatagramSocket socket = new DatagramSocket(null)) {
            socket.connect(new InetSocketAddress(destination.getAddress(), ANY_PORT)); // nothing is sent
            return new Way(device, new InetSocketAddress(socket.getLocalAddress(), 0), destination);
        } catch (SocketException noRoute) {
            return this;
        }
    }

    /** The peer's address, or ours where there is no peer, as a command takes it. */
    String host() {
        InetSocketAddress asked = destination == null ? source : destination;
        return asked == null ? "ADDRESS" : asked.getAddress().getHostAddress();
    }

    /** Whether the peer's address is one of this machine. */
    boolean isToItself() {
        try {
            return destination != null && NetworkInterface.getByInetAddress(destination.getAddress()) != null;
        } catch (SocketException unknown) {
            return false;
        }
    }

    /** The interface that our address is of. */
    Optional<String> netDevice() {
        try {
            return source == null
                    ? Optional.empty()
                    : Optional.ofNullable(NetworkInterface.getByInetAddress(source.getAddress()))
                            .map(NetworkInterface::getName);
        } catch (SocketException unknown) {
            return Optional.empty();
        }
    }

    /** The interfaces of this machine that have an RDMA device; empty if there is none. */
    static String interfacesWithDevice() {
        return Host.local().rdmaDevices().stream().flatMap(Way::interfaces).collect(Collectors.joining(", "));
    }

    private static Stream<String> interfaces(RdmaDevice device) {
        return device.ports().stream()
                .flatMap(port -> port.netDevice().stream())
                .map(name -> name + " (" + device.name() + ")");
    }

    /** An address as people write it. */
    static String text(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        String text = host.getHostAddress();
        return (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + address.getPort();
    }
}
