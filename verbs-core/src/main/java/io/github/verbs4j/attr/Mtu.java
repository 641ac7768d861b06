package io.github.verbs4j.attr;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/** {@code ibv_mtu}: the largest payload of one packet on a path. */
public enum Mtu {
    /** {@code IBV_MTU_256}: 256 bytes. */
    MTU_256(1),
    /** {@code IBV_MTU_512}: 512 bytes. */
    MTU_512(2),
    /** {@code IBV_MTU_1024}: 1,024 bytes, what RoCE gets out of a 1,500-byte Ethernet MTU. */
    MTU_1024(3),
    /** {@code IBV_MTU_2048}: 2,048 bytes. */
    MTU_2048(4),
    /** {@code IBV_MTU_4096}: 4,096 bytes. */
    MTU_4096(5);

    private final int code;

    Mtu(int code) {
        this.code = code;
    }

    /** {@return the number of {@code ibv_mtu}, 1 to 5} */
    public int code() {
        return code;
    }

    /** {@return the payload in bytes, 256 to 4,096} */
    public int bytes() {
        return 128 << code;
    }

    /**
     * {@return the smaller of two}
     *
     * @param other the other end's
     */
    public Mtu min(Mtu other) {
        Objects.requireNonNull(other, "other");
        return compareTo(other) <= 0 ? this : other;
    }

    /**
     * {@return the MTU of a size in bytes}
     *
     * @param bytes 256, 512, 1024, 2048 or 4096
     * @throws IllegalArgumentException if there is none of that size
     */
    public static Mtu ofBytes(int bytes) {
        for (Mtu mtu : values()) {
            if (mtu.bytes() == bytes) {
                return mtu;
            }
        }
        String allowed = Arrays.stream(values()).map(m -> "" + m.bytes()).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("mtu=" + bytes + " is none of " + allowed + " bytes");
    }

    /**
     * {@return the MTU of a number of {@code ibv_mtu}}
     *
     * @param code 1 to 5
     * @throws IllegalArgumentException if it is another number
     */
    public static Mtu ofCode(int code) {
        if (code < 1 || code > values().length) {
            throw new IllegalArgumentException("ibv_mtu=" + code + " is not in 1..5");
        }
        return values()[code - 1];
    }
}
