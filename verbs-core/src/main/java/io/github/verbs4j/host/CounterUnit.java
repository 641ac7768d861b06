package io.github.verbs4j.host;

import java.util.Set;

/** What a counter counts in, where the kernel's documentation says so ({@code ABI/stable/sysfs-class-infiniband}). */
public enum CounterUnit {
    /** Words of 4 bytes: {@code port_xmit_data} and {@code port_rcv_data}. */
    FOUR_BYTES(Set.of("port_xmit_data", "port_rcv_data")),
    /** Packets. */
    PACKETS(Set.of(
            "port_xmit_packets",
            "port_rcv_packets",
            "unicast_xmit_packets",
            "unicast_rcv_packets",
            "multicast_xmit_packets",
            "multicast_rcv_packets")),
    /** Ticks of the port's clock: {@code port_xmit_wait}. */
    TICKS(Set.of("port_xmit_wait")),
    /** How often something happened, or what nobody has documented. */
    NUMBER(Set.of());

    private final Set<String> names;

    CounterUnit(Set<String> names) {
        this.names = names;
    }

    static CounterUnit of(CounterSource source, String name) {
        for (CounterUnit unit : values()) {
            if (source == CounterSource.STANDARD && unit.names.contains(name)) {
                return unit;
            }
        }
        return NUMBER;
    }
}
