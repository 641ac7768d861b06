package io.github.verbs4j.cm;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.LibraryUnavailableException;
import io.github.verbs4j.ffi.NativeLibrary;
import io.github.verbs4j.internal.Lifetime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code rdma_event_channel}: the root of connections, and the daemon thread that takes their events. One is enough for a
 * program.
 *
 * <pre>{@code
 * try (ConnectionManager manager = ConnectionManager.open();
 *      Connector connector = manager.connector(new InetSocketAddress("10.9.0.1", 7471))) {
 *     connector.resolve(Duration.ofSeconds(2));     // now connector.device() tells which device the queue pair must be of
 *     connector.initialize(reset);                  // INIT: receives may be posted
 *     receives.post();
 *     try (Connection connection = connector.connect(ConnectionOptions.defaults(), Duration.ofSeconds(5))) {
 *         sends.post();
 *     }
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class ConnectionManager implements AutoCloseable {
    static final String NAME = "ConnectionManager";

    private final EventChannel channel;
    private final Lifetime lifetime;

    private ConnectionManager(EventChannel channel) {
        this.channel = channel;
        this.lifetime = new Lifetime(NAME, null);
    }

    /**
     * {@return a new one ({@code rdma_create_event_channel})}
     *
     * @throws VerbsException if librdmacm is missing, or the kernel has no connection manager
     */
    public static ConnectionManager open() {
        requireLibrary();
        return new ConnectionManager(EventChannel.create());
    }

    static void requireLibrary() {
        try {
            NativeLibrary.librdmacm().open();
        } catch (LibraryUnavailableException e) {
            throw VerbsException.of("dlopen")
                    .headline("connections are not possible here: " + e.library() + " could not be opened")
                    .cause(e.getMessage())
                    .thrown(e)
                    .build();
        }
    }

    /**
     * {@return what connects to an address; nothing is asked of the network yet}
     *
     * @param destination of the peer, resolved, IPv4 or IPv6, with a port from 1 on
     * @throws IllegalArgumentException if it is a name that was not found, or not the address and port of a single peer
     * @throws VerbsException if there are too many connections
     */
    public Connector connector(InetSocketAddress destination) {
        return connector(destination, EndpointOptions.defaults());
    }

    /**
     * {@return what connects to an address, with options ({@code rdma_set_option})}
     *
     * @param destination of the peer, resolved, IPv4 or IPv6, with a port from 1 on
     * @param options how packets are marked and repeated
     * @throws IllegalArgumentException if it is a name that was not found, or not the address and port of a single peer
     * @throws ConnectionException if the kernel does not know an option
     * @throws VerbsException if there are too many connections
     */
    public Connector connector(InetSocketAddress destination, EndpointOptions options) {
        requireDestination(destination);
        Objects.requireNonNull(options, "options");
        return create("connector", identifier -> {
            options.setOn(identifier);
            return new Connector(this, identifier, destination);
        });
    }

    /**
     * {@return what connects to an address from one of ours, and with the device behind that ({@code rdma_bind_addr})}
     *
     * @param destination of the peer, resolved, IPv4 or IPv6, with a port from 1 on
     * @param source our own, resolved, of the same family; port 0 for one of the kernel's choice; {@link #addresses} tells
     *     which there are
     * @param options how packets are marked and repeated
     * @throws IllegalArgumentException if one is a name that was not found, they are not of one family, or the destination is not
     *     the address and port of a single peer
     * @throws ConnectionException if the source is not ours, or in use
     */
    public Connector connector(InetSocketAddress destination, InetSocketAddress source, EndpointOptions options) {
        requireDestination(destination);
        requireResolved("source", source);
        Objects.requireNonNull(options, "options");
        requireOneFamily(source.getAddress(), "destination", destination.getAddress());
        return create("connector", identifier -> {
            options.setOn(identifier);
            identifier.bind(source);
            return new Connector(this, identifier, destination);
        });
    }

    /**
     * {@return what takes requests for an address ({@code rdma_bind_addr}, {@code rdma_listen})}
     *
     * @param address our own, resolved; the wildcard for that of any device; port 0 for one of the kernel's choice
     * @param backlog requests that may wait until they are taken, at least 1; a further one is rejected, as CONSUMER_DEFINED and
     *     with the words "backlog of N is full" as private data
     * @throws IllegalArgumentException if the address is a name that was not found, or the backlog less than 1
     * @throws ConnectionException if the address is not ours, or in use, or has no RDMA device behind it, as that of loopback
     */
    public Listener listen(InetSocketAddress address, int backlog) {
        return listen(address, backlog, EndpointOptions.defaults());
    }

    /**
     * {@return what takes requests for an address, with options ({@code rdma_set_option})}
     *
     * @param address as with {@link #listen(InetSocketAddress, int)}
     * @param backlog as there
     * @param options how it is bound, and how packets of its connections are marked and repeated
     * @throws IllegalArgumentException if the address is a name that was not found, or the backlog less than 1
     * @throws ConnectionException if the address is not ours, or in use, or the kernel does not know an option
     */
    public Listener listen(InetSocketAddress address, int backlog, EndpointOptions options) {
        requireListenable(address, backlog, options);
        return create("listen", identifier -> Listener.listening(this, identifier, address, backlog, options));
    }

    /**
     * {@return the names of the devices that connections may use ({@code rdma_get_devices})} A device that was plugged in after
     * librdmacm was first used may be missing.
     */
    public List<String> devices() {
        return lifetime.whileOpen("devices", LocalDevices::names);
    }

    /**
     * {@return the addresses of this machine that a device is behind: what to listen on, or connect from, to use a certain
     * device} Each address of each interface is tried with {@code rdma_bind_addr}, so these are those of librdmacm, whatever the
     * fabric.
     */
    public List<DeviceAddress> addresses() {
        return LocalDevices.addresses(address -> {
            try {
                return create("addresses", identifier -> {
                    identifier.bind(new InetSocketAddress(address, 0));
                    Optional<String> device = identifier.device();
                    identifier.destroy();
                    return device;
                });
            } catch (ConnectionException noDevice) {
                return Optional.empty();
            }
        });
    }

    /**
     * {@return what asks a listener at an address where to send datagrams to; nothing is asked of the network yet}
     *
     * @param destination of the peer, resolved, IPv4 or IPv6, with a port from 1 on
     * @throws IllegalArgumentException if it is a name that was not found, or not the address and port of a single peer
     * @throws VerbsException if there are too many connections
     */
    public DatagramConnector datagramConnector(InetSocketAddress destination) {
        return datagramConnector(destination, EndpointOptions.defaults());
    }

    /**
     * {@return what asks a listener at an address where to send datagrams to, with options ({@code rdma_set_option})}
     *
     * @param destination of the peer, resolved, IPv4 or IPv6, with a port from 1 on
     * @param options how packets are marked; datagrams have no acknowledgement time-out
     * @throws IllegalArgumentException if the address is a name that was not found
     * @throws ConnectionException if the kernel does not know an option
     * @throws VerbsException if there are too many connections
     */
    public DatagramConnector datagramConnector(InetSocketAddress destination, EndpointOptions options) {
        requireDestination(destination);
        Objects.requireNonNull(options, "options");
        requireNoAckTimeout(options);
        return create("datagramConnector", PortSpace.RDMA_PS_UDP, identifier -> {
            options.setOn(identifier);
            return new DatagramConnector(this, identifier, destination);
        });
    }

    /**
     * {@return what asks a listener at an address where to send datagrams to, from one of our addresses, and with the device behind
     * that ({@code rdma_bind_addr})}
     *
     * @param destination of the peer, resolved, IPv4 or IPv6, with a port from 1 on
     * @param source our own, resolved, of the same family; port 0 for one of the kernel's choice; {@link #addresses} tells
     *     which there are
     * @param options how packets are marked; datagrams have no acknowledgement time-out
     * @throws IllegalArgumentException if one is a name that was not found, they are not of one family, or the destination is not
     *     the address and port of a single peer
     * @throws ConnectionException if the source is not ours, or in use, or the kernel does not know an option
     */
    public DatagramConnector datagramConnector(
            InetSocketAddress destination, InetSocketAddress source, EndpointOptions options) {
        requireDestination(destination);
        requireResolved("source", source);
        Objects.requireNonNull(options, "options");
        requireOneFamily(source.getAddress(), "destination", destination.getAddress());
        requireNoAckTimeout(options);
        return create("datagramConnector", PortSpace.RDMA_PS_UDP, identifier -> {
            options.setOn(identifier);
            identifier.bind(source);
            return new DatagramConnector(this, identifier, destination);
        });
    }

    /**
     * {@return what takes requests for datagrams; its ports are not those of {@link #listen}}
     *
     * @param address as with {@link #listen(InetSocketAddress, int)}
     * @param backlog as there
     * @throws IllegalArgumentException if the address is a name that was not found, or the backlog less than 1
     * @throws ConnectionException if the address is not ours, or in use, or has no RDMA device behind it, as that of loopback
     */
    public DatagramListener listenDatagrams(InetSocketAddress address, int backlog) {
        return listenDatagrams(address, backlog, EndpointOptions.defaults());
    }

    /**
     * {@return what takes requests for datagrams, with options ({@code rdma_set_option})}
     *
     * @param address as with {@link #listen(InetSocketAddress, int)}
     * @param backlog as there
     * @param options how it is bound
     * @throws IllegalArgumentException if the address is a name that was not found, or the backlog less than 1
     * @throws ConnectionException if the address is not ours, or in use, or the kernel does not know an option
     */
    public DatagramListener listenDatagrams(InetSocketAddress address, int backlog, EndpointOptions options) {
        requireListenable(address, backlog, options);
        requireNoAckTimeout(options);
        return create(
                "listenDatagrams",
                PortSpace.RDMA_PS_UDP,
                identifier -> DatagramListener.listening(this, identifier, address, backlog, options));
    }

    private static void requireListenable(InetSocketAddress address, int backlog, EndpointOptions options) {
        requireResolved("address", address);
        Objects.requireNonNull(options, "options");
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog=" + backlog + " is less than 1");
        }
    }

    /**
     * {@return what joins a multicast group through the interface of one of our addresses ({@code rdma_bind_addr})}
     *
     * @param group its address, such as 239.1.2.3 or ff0e::1:2
     * @param source our own, of the same family
     * @throws IllegalArgumentException if the group is not a multicast address, they are not of one family, or the source is the
     *     wildcard
     * @throws ConnectionException if the source is not ours
     */
    public MulticastConnector multicastConnector(InetAddress group, InetAddress source) {
        return multicastConnector(group, source, EndpointOptions.defaults());
    }

    /**
     * {@return what joins a multicast group through the interface of one of our addresses, with options ({@code rdma_set_option})}
     *
     * @param group its address, such as 239.1.2.3 or ff0e::1:2
     * @param source our own, of the same family
     * @param options how packets to the group are marked; datagrams have no acknowledgement time-out
     * @throws IllegalArgumentException if the group is not a multicast address, they are not of one family, the source is the
     *     wildcard, or the options have an acknowledgement time-out
     * @throws ConnectionException if the source is not ours, or the kernel does not know an option
     */
    public MulticastConnector multicastConnector(InetAddress group, InetAddress source, EndpointOptions options) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(options, "options");
        if (!Objects.requireNonNull(group, "group").isMulticastAddress()) {
            throw new IllegalArgumentException("group=" + group.getHostAddress()
                    + " is not a multicast address, which are 224.0.0.0 to 239.255.255.255 and those that begin with ff:"
                    + " datagramConnector(destination) reaches a single peer");
        }
        requireOneFamily(source, "group", group);
        requireNoAckTimeout(options);
        if (source.isAnyLocalAddress()) {
            throw new IllegalArgumentException("source=" + source.getHostAddress()
                    + " is that of no interface, and group=" + group.getHostAddress()
                    + " is joined through one: give one of addresses()");
        }
        return create("multicastConnector", PortSpace.RDMA_PS_UDP, identifier -> {
            options.setOn(identifier);
            identifier.bind(new InetSocketAddress(source, 0));
            return new MulticastConnector(this, identifier, new InetSocketAddress(group, 0));
        });
    }

    private <T> T create(String operation, Function<Identifier, T> maker) {
        return create(operation, PortSpace.RDMA_PS_TCP, maker);
    }

    private <T> T create(String operation, PortSpace space, Function<Identifier, T> maker) {
        return Lifetime.create(
                operation,
                () -> {
                    Identifier identifier = channel.createIdentifier(space);
                    try {
                        return maker.apply(identifier);
                    } catch (RuntimeException failure) {
                        destroy(identifier, failure);
                        throw failure;
                    }
                },
                lifetime);
    }

    private static void destroy(Identifier identifier, RuntimeException because) {
        try {
            identifier.destroy();
        } catch (VerbsException refused) {
            because.addSuppressed(refused);
        }
    }

    private static void requireResolved(String name, InetSocketAddress address) {
        if (Objects.requireNonNull(address, name).isUnresolved()) {
            throw new IllegalArgumentException(
                    name + "=" + address + " is not resolved: no address was found for the name");
        }
    }

    /** Of a single peer, where it may listen. */
    private static void requireDestination(InetSocketAddress destination) {
        requireResolved("destination", destination);
        InetAddress host = destination.getAddress();
        if (host.isMulticastAddress()) {
            throw new IllegalArgumentException("destination=" + Way.text(destination)
                    + " is a multicast group, not a peer: multicastConnector(group, source) joins it");
        }
        if (host.isAnyLocalAddress()) {
            throw new IllegalArgumentException("destination=" + Way.text(destination)
                    + " is the wildcard, which names no peer: give the peer's address, also if that is this machine");
        }
        if (destination.getPort() == 0) {
            throw new IllegalArgumentException(
                    "destination=" + Way.text(destination) + " has port 0, where nobody listens: 1 to 65535");
        }
    }

    private static void requireNoAckTimeout(EndpointOptions options) {
        if (options.ackTimeout().isPresent()) {
            throw new IllegalArgumentException(
                    "ackTimeout=" + options.ackTimeout().getAsInt()
                            + ": datagrams are not acknowledged, and have no such time-out: leave it out");
        }
    }

    private static void requireOneFamily(InetAddress source, String name, InetAddress other) {
        if (source.getClass() != other.getClass()) {
            throw new IllegalArgumentException("source=" + source.getHostAddress() + " is not of the family of " + name
                    + "=" + other.getHostAddress() + ": both IPv4, or both IPv6");
        }
    }

    EventChannel channel() {
        return channel;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    /**
     * Ends the thread and destroys the channel ({@code rdma_destroy_event_channel}). Closing twice is harmless.
     *
     * @throws IllegalStateException if something made with it is still open, naming each
     */
    @Override
    public void close() {
        lifetime.close(channel::close);
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
