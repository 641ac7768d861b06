package io.github.verbs4j.attr;

import io.github.verbs4j.text.Quoted;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;

/**
 * {@code ibv_gid}: the 128-bit address of a port. On RoCE it is the IPv6 address of the interface, or its IPv4 address
 * mapped into IPv6 ({@code ::ffff:10.9.0.1}).
 *
 * @param high the first 8 bytes (subnet prefix) as a big-endian number
 * @param low the last 8 bytes (interface id) as a big-endian number
 */
public record Gid(long high, long low) {
    /** The number of bytes of a GID. */
    public static final int BYTES = 16;

    /** The GID of all zeros, which means none. */
    public static final Gid NONE = new Gid(0, 0);

    /**
     * {@return the GID of 16 raw bytes}
     *
     * @param bytes in network order
     * @throws IllegalArgumentException if there are not 16
     */
    public static Gid of(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("bytes.length=" + bytes.length + ", a GID has " + BYTES);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /**
     * {@return the GID that an IP address has on RoCE}
     *
     * @param address IPv4 or IPv6
     */
    public static Gid of(InetAddress address) {
        Objects.requireNonNull(address, "address");
        byte[] bytes = address.getAddress();
        return bytes.length == 4
                ? new Gid(0, 0xffff_0000_0000L | (ByteBuffer.wrap(bytes).getInt() & 0xffff_ffffL))
                : of(bytes);
    }

    /**
     * {@return the GID of 32 hexadecimal digits, as the ping-pong programs exchange it}
     *
     * @param digits 32 hexadecimal digits without separators
     * @throws IllegalArgumentException if it is anything else
     */
    public static Gid ofHex(String digits) {
        Objects.requireNonNull(digits, "digits");
        if (digits.length() != 2 * BYTES) {
            throw new IllegalArgumentException(Quoted.of(digits) + " is not a GID of 32 hexadecimal digits");
        }
        return of(HexFormat.of().parseHex(digits));
    }

    /** {@return the 16 bytes in network order} */
    public byte[] toByteArray() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    /** {@return 32 hexadecimal digits without separators} */
    public String toHex() {
        return HexFormat.of().formatHex(toByteArray());
    }

    /** {@return whether it is all zeros} */
    public boolean isNone() {
        return high == 0 && low == 0;
    }

    /** {@return whether it is an IPv4 address mapped into IPv6} */
    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** {@return whether it is link-local ({@code fe80::/64}): not reachable through a router} */
    public boolean isLinkLocal() {
        return high == 0xfe80_0000_0000_0000L;
    }

    /** {@return the IP address that it stands for on RoCE} */
    public InetAddress toAddress() {
        try {
            byte[] bytes = toByteArray();
            return InetAddress.getByAddress(
                    isIpv4() ? ByteBuffer.allocate(4).putInt((int) low).array() : bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are always an address", e);
        }
    }

    /** {@return the IPv6 notation, with the IPv4 part dotted: {@code ::ffff:10.9.0.1}} */
    @Override
    public String toString() {
        if (isIpv4()) {
            return "::ffff:" + toAddress().getHostAddress();
        }
        StringBuilder text = new StringBuilder();
        for (int group = 0; group < 8; group++) {
            long half = group < 4 ? high : low;
            text.append(group == 0 ? "" : ":").append(Long.toHexString(half >>> (48 - 16 * (group & 3)) & 0xffff));
        }
        return text.toString();
    }
}
