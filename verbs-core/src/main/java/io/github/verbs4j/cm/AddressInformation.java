package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.CmIdVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.rdma_addrinfo;
import io.github.verbs4j.ffi.rdmacm_h;
import io.github.verbs4j.ffi.sockaddr_in;
import io.github.verbs4j.ffi.sockaddr_in6;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.internal.Call;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * {@code rdma_addrinfo}: addresses that a name and a service stand for, as librdmacm finds them. Java's own
 * {@link InetSocketAddress} does for names; this one asks the route service of a fabric too.
 *
 * @param source our address: to listen on, or to connect from where the route gives one
 * @param destination the peer's address; empty with {@link LookupFlag#PASSIVE}
 * @param canonicalName {@code ai_dst_canonname} or {@code ai_src_canonname}: the official name, if one was found
 * @param route {@code ai_route}: path records of the fabric, empty without a route service
 * @param connect {@code ai_connect}: private data that the route service wants to be sent along, empty without one
 */
public record AddressInformation(
        Optional<InetSocketAddress> source,
        Optional<InetSocketAddress> destination,
        Optional<String> canonicalName,
        byte[] route,
        byte[] connect) {
    private static final int NAME_LIMIT = 1025; // NI_MAXHOST

    /** Made by {@link #lookup}; keeps copies of the arrays. */
    public AddressInformation {
        Objects.requireNonNull(route, "route");
        Objects.requireNonNull(connect, "connect");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
        Objects.requireNonNull(canonicalName, "canonicalName");
        route = route.clone();
        connect = connect.clone();
    }

    /** {@return whether it is equal in all, arrays byte by byte} */
    @Override
    public boolean equals(Object other) {
        return other instanceof AddressInformation(var ours, var theirs, var name, byte[] path, byte[] data)
                && source.equals(ours)
                && destination.equals(theirs)
                && canonicalName.equals(name)
                && Arrays.equals(route, path)
                && Arrays.equals(connect, data);
    }

    @Override
    public int hashCode() {
        return Objects.hash(source, destination, canonicalName, Arrays.hashCode(route), Arrays.hashCode(connect));
    }

    @Override
    public String toString() {
        return "AddressInformation[source=" + source + ", destination=" + destination + ", canonicalName="
                + canonicalName + ", route=" + route.length + " bytes, connect=" + Failure.readable(connect) + "]";
    }

    /** {@return a copy} */
    @Override
    public byte[] route() {
        return route.clone();
    }

    /** {@return a copy} */
    @Override
    public byte[] connect() {
        return connect.clone();
    }

    /**
     * {@return what a name and a service stand for, the preferred one first ({@code rdma_getaddrinfo})} It may ask name
     * services, and take as long as they do.
     *
     * @param node name or address of a machine; null, with {@link LookupFlag#PASSIVE}, for any of ours
     * @param service port number or name of a service; null for port 0
     * @param flags what to look for
     * @throws IllegalArgumentException if both names are null or one cannot be given to C, the port is over 65535, or the flags
     *     contradict each other
     * @throws VerbsException if nothing is found
     */
    public static List<AddressInformation> lookup(String node, String service, LookupFlag... flags) {
        Set<LookupFlag> asked = EnumSet.noneOf(LookupFlag.class);
        for (LookupFlag flag : Objects.requireNonNull(flags, "flags")) {
            asked.add(Objects.requireNonNull(flag, "flags contain null"));
        }
        requireName("node", node);
        requireName("service", service);
        if (service != null && service.matches("\\d{5,}") && new BigInteger(service).bitLength() > Short.SIZE) {
            throw new IllegalArgumentException("service=" + service + " is not a port, which are 0 to 65535");
        }
        if (node == null && service == null) {
            throw new IllegalArgumentException("node and service are both null: give one at least");
        }
        if (asked.contains(LookupFlag.IPV4) && asked.contains(LookupFlag.IPV6)) {
            throw new IllegalArgumentException("IPV4 and IPV6 exclude each other: leave both out to look for either");
        }
        ConnectionManager.requireLibrary();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ADDRESS);
            CapturedErrno errno = CapturedErrno.create();
            MemorySegment nodeName = string(arena, node);
            MemorySegment serviceName = string(arena, service);
            MemorySegment hints = hints(arena, asked);
            int code = Call.on("librdmacm", () -> LookupFailure.asked(node, service, asked))
                    .tryNotNegative(
                            errno,
                            captured -> CmIdVerbs.rdma_getaddrinfo(captured, nodeName, serviceName, hints, result));
            if (code != 0) {
                throw LookupFailure.of(code, errno.value(), node, service, asked);
            }
            MemorySegment first = result.get(ADDRESS, 0);
            try {
                return copies(first);
            } finally {
                rdmacm_h.rdma_freeaddrinfo(first);
            }
        }
    }

    /** C would read up to the first zero. */
    private static void requireName(String argument, String text) {
        if (text != null && text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    argument + "=" + text.replace("\0", "\\0") + " has a character of value 0, which ends a name in C");
        }
    }

    private static MemorySegment string(Arena arena, String text) {
        return text == null ? MemorySegment.NULL : arena.allocateFrom(text);
    }

    private static MemorySegment hints(Arena arena, Set<LookupFlag> asked) {
        MemorySegment hints = rdma_addrinfo.allocate(arena);
        boolean family = asked.contains(LookupFlag.IPV4) || asked.contains(LookupFlag.IPV6);
        rdma_addrinfo.ai_flags(
                hints,
                (asked.contains(LookupFlag.PASSIVE) ? verbs4j_h.RAI_PASSIVE() : 0)
                        | (asked.contains(LookupFlag.NUMERIC_HOST) ? verbs4j_h.RAI_NUMERICHOST() : 0)
                        | (asked.contains(LookupFlag.NO_ROUTE) ? verbs4j_h.RAI_NOROUTE() : 0)
                        | (family ? verbs4j_h.RAI_FAMILY() : 0));
        if (family) {
            rdma_addrinfo.ai_family(
                    hints, asked.contains(LookupFlag.IPV6) ? verbs4j_h.AF_INET6() : verbs4j_h.AF_INET());
        }
        boolean datagrams = asked.contains(LookupFlag.DATAGRAMS);
        rdma_addrinfo.ai_qp_type(hints, datagrams ? verbs4j_h.IBV_QPT_UD() : verbs4j_h.IBV_QPT_RC());
        rdma_addrinfo.ai_port_space(hints, datagrams ? verbs4j_h.RDMA_PS_UDP() : verbs4j_h.RDMA_PS_TCP());
        return hints;
    }

    private static List<AddressInformation> copies(MemorySegment first) {
        List<AddressInformation> copies = new ArrayList<>();
        for (MemorySegment next = first; next.address() != 0; ) {
            MemorySegment info = Pointers.segment(next, rdma_addrinfo.sizeof());
            copies.add(copy(info));
            next = rdma_addrinfo.ai_next(info);
        }
        return List.copyOf(copies);
    }

    private static AddressInformation copy(MemorySegment info) {
        Optional<InetSocketAddress> destination =
                address(rdma_addrinfo.ai_dst_addr(info), rdma_addrinfo.ai_dst_len(info));
        MemorySegment name =
                destination.isPresent() ? rdma_addrinfo.ai_dst_canonname(info) : rdma_addrinfo.ai_src_canonname(info);
        return new AddressInformation(
                address(rdma_addrinfo.ai_src_addr(info), rdma_addrinfo.ai_src_len(info)),
                destination,
                Optional.of(Pointers.string(name, NAME_LIMIT)).filter(text -> !text.isEmpty()),
                bytes(rdma_addrinfo.ai_route(info), rdma_addrinfo.ai_route_len(info)),
                bytes(rdma_addrinfo.ai_connect(info), rdma_addrinfo.ai_connect_len(info)));
    }

    private static Optional<InetSocketAddress> address(MemorySegment pointer, int length) {
        if (pointer.address() == 0 || length < sockaddr_in.sizeof()) {
            return Optional.empty();
        }
        long whole = Math.max(length, sockaddr_in6.sizeof()); // the family decides how much of it is read
        return Optional.ofNullable(SocketAddresses.read(Pointers.segment(pointer, whole)));
    }

    private static byte[] bytes(MemorySegment pointer, long length) {
        return pointer.address() == 0
                ? new byte[0]
                : Pointers.segment(pointer, length).toArray(JAVA_BYTE);
    }
}
