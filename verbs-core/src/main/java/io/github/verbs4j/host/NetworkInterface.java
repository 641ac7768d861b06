package io.github.verbs4j.host;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A network interface, as {@code /sys/class/net} shows it.
 *
 * @param name for example {@code eth0}
 * @param up whether it is switched on ({@code ip link set NAME up})
 * @param state the operational state, for example {@code up}, {@code down} or {@code unknown}; empty if it was not told
 * @param mtu the longest packet in bytes
 */
public record NetworkInterface(String name, boolean up, String state, OptionalInt mtu) {
    /** Refuses null. */
    public NetworkInterface {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(mtu, "mtu");
    }

    private static final int IFF_UP = 1;

    static Optional<NetworkInterface> read(Tree tree, String name) {
        String directory = "/sys/class/net/" + name + "/";
        Optional<String> flags = tree.line(directory + "flags");
        return flags.map(text -> new NetworkInterface(
                name,
                (hexadecimal(text) & IFF_UP) != 0,
                tree.line(directory + "operstate").orElse(""),
                tree.number(directory + "mtu").stream()
                        .mapToInt(mtu -> (int) mtu)
                        .findFirst()));
    }

    private static long hexadecimal(String text) {
        try {
            return Long.decode(text);
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
