package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.ffi.CmIdVerbs;
import io.github.verbs4j.ffi.verbs4j_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * {@code rdma_set_option}: how an end is bound to its address and how its packets are marked; set before it knows its device.
 * {@link #defaults()} leaves all to the system; the {@code with} methods change one thing.
 *
 * @param typeOfService {@code RDMA_OPTION_ID_TOS}: the byte of that name in the IP header (traffic class with IPv6), 0 to 255,
 *     by which switches choose a priority. That of the end that connects counts at both ends
 * @param reuseAddress {@code RDMA_OPTION_ID_REUSEADDR}: the address and port may be in use already, by ends that allow it too;
 *     no two may listen on it
 * @param ipv6Only {@code RDMA_OPTION_ID_AFONLY}: the IPv6 wildcard takes no IPv4; false leaves it to the system
 *     ({@code net.ipv6.bindv6only})
 * @param ackTimeout {@code RDMA_OPTION_ID_ACK_TIMEOUT}: code 0 to 31 of the time after which a packet that is not acknowledged
 *     is sent again, 4.096 us times two to the power of it, 0 for never; reliable connections only. The end that accepts goes by that
 *     of the one that connects, and adds what its device needs (1 on Soft-RoCE), unless the listener has one of its own
 */
public record EndpointOptions(
        OptionalInt typeOfService, boolean reuseAddress, boolean ipv6Only, OptionalInt ackTimeout) {
    private static final EndpointOptions DEFAULTS =
            new EndpointOptions(OptionalInt.empty(), false, false, OptionalInt.empty());

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the value and its range
     */
    public EndpointOptions {
        Objects.requireNonNull(typeOfService, "typeOfService");
        Objects.requireNonNull(ackTimeout, "ackTimeout");
        range("typeOfService", typeOfService, 255);
        range("ackTimeout", ackTimeout, 31);
    }

    private static void range(String name, OptionalInt value, int max) {
        if (value.isPresent() && (value.getAsInt() < 0 || value.getAsInt() > max)) {
            throw new IllegalArgumentException(name + "=" + value.getAsInt() + " is not in 0.." + max);
        }
    }

    /** {@return what leaves all to the system} */
    public static EndpointOptions defaults() {
        return DEFAULTS;
    }

    /**
     * {@return the same with a type of service}
     *
     * @param value 0 to 255
     */
    public EndpointOptions withTypeOfService(int value) {
        return new EndpointOptions(OptionalInt.of(value), reuseAddress, ipv6Only, ackTimeout);
    }

    /** {@return the same, for an address that may be in use already} */
    public EndpointOptions withReuseAddress() {
        return new EndpointOptions(typeOfService, true, ipv6Only, ackTimeout);
    }

    /** {@return the same, for a wildcard that takes no IPv4} */
    public EndpointOptions withIpv6Only() {
        return new EndpointOptions(typeOfService, reuseAddress, true, ackTimeout);
    }

    /**
     * {@return the same with an acknowledgement time-out}
     *
     * @param code 0 to 31
     */
    public EndpointOptions withAckTimeout(int code) {
        return new EndpointOptions(typeOfService, reuseAddress, ipv6Only, OptionalInt.of(code));
    }

    /** Of an end that has no address yet. */
    void setOn(Identifier identifier) {
        if (reuseAddress) {
            set(identifier, "RDMA_OPTION_ID_REUSEADDR", verbs4j_h.RDMA_OPTION_ID_REUSEADDR(), JAVA_INT, 1);
        }
        if (ipv6Only) {
            set(identifier, "RDMA_OPTION_ID_AFONLY", verbs4j_h.RDMA_OPTION_ID_AFONLY(), JAVA_INT, 1);
        }
        typeOfService.ifPresent(
                value -> set(identifier, "RDMA_OPTION_ID_TOS", verbs4j_h.RDMA_OPTION_ID_TOS(), JAVA_BYTE, value));
        setAckTimeoutOn(identifier);
    }

    /** The only one that a request does not take over from its listener. */
    void setAckTimeoutOn(Identifier identifier) {
        ackTimeout.ifPresent(code ->
                set(identifier, "RDMA_OPTION_ID_ACK_TIMEOUT", verbs4j_h.RDMA_OPTION_ID_ACK_TIMEOUT(), JAVA_BYTE, code));
    }

    private static void set(Identifier identifier, String name, int option, ValueLayout layout, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = layout == JAVA_BYTE
                    ? arena.allocateFrom(JAVA_BYTE, (byte) value)
                    : arena.allocateFrom(JAVA_INT, value);
            identifier.call(
                    "rdma_set_option",
                    new Failure(identifier, "rdma_set_option", null).asking(name, value),
                    errno -> CmIdVerbs.rdma_set_option(
                            errno,
                            identifier.pointer(),
                            verbs4j_h.RDMA_OPTION_ID(),
                            option,
                            memory,
                            memory.byteSize()));
        }
    }
}
