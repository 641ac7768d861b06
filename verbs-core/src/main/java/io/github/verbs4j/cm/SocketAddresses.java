package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.ffi.sockaddr_in;
import io.github.verbs4j.ffi.sockaddr_in6;
import io.github.verbs4j.ffi.verbs4j_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** {@code struct sockaddr_in} and {@code sockaddr_in6}. */
final class SocketAddresses {
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private SocketAddresses() {}

    /** A struct of the family of the address. */
    static MemorySegment write(Arena arena, InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        MemorySegment raw = MemorySegment.ofArray(bytes);
        if (address.getAddress() instanceof Inet6Address six) {
            MemorySegment struct = sockaddr_in6.allocate(arena);
            sockaddr_in6.sin6_family(struct, (short) verbs4j_h.AF_INET6());
            struct.set(PORT, sockaddr_in6.sin6_port$offset(), (short) address.getPort());
            sockaddr_in6.sin6_addr(struct).copyFrom(raw);
            sockaddr_in6.sin6_scope_id(struct, six.getScopeId());
            return struct;
        }
        MemorySegment struct = sockaddr_in.allocate(arena);
        sockaddr_in.sin_family(struct, (short) verbs4j_h.AF_INET());
        struct.set(PORT, sockaddr_in.sin_port$offset(), (short) address.getPort());
        sockaddr_in.sin_addr(struct).copyFrom(raw);
        return struct;
    }

    /** Null if the struct is of neither family, as before an address is known. */
    static InetSocketAddress read(MemorySegment struct) {
        int family = sockaddr_in.sin_family(struct);
        if (family == verbs4j_h.AF_INET()) {
            return address(sockaddr_in.sin_addr(struct), 0, struct.get(PORT, sockaddr_in.sin_port$offset()));
        }
        if (family == verbs4j_h.AF_INET6()) {
            return address(
                    sockaddr_in6.sin6_addr(struct),
                    sockaddr_in6.sin6_scope_id(struct),
                    struct.get(PORT, sockaddr_in6.sin6_port$offset()));
        }
        return null;
    }

    private static InetSocketAddress address(MemorySegment raw, int scope, short port) {
        byte[] bytes = raw.toArray(JAVA_BYTE);
        try {
            InetAddress address =
                    scope == 0 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, scope);
            return new InetSocketAddress(address, Short.toUnsignedInt(port));
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of " + bytes.length + " bytes", e);
        }
    }
}
