package io.github.verbs4j.attr;

import java.util.Objects;

/**
 * {@code ibv_gid_entry}: one filled row of a port's GID table.
 *
 * @param port port number, counted from 1
 * @param index row of the table, counted from 0; what a queue pair's {@code sgid_index} holds
 * @param gid the address
 * @param type how packets from it are framed
 * @param interfaceIndex index of the network interface it belongs to, 0 if there is none
 */
public record GidEntry(int port, int index, Gid gid, GidType type, int interfaceIndex) {
    /** Checks that nothing is missing. */
    public GidEntry {
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(type, "type");
    }

    @Override
    public String toString() {
        return "GID " + gid + " (" + type + ", index " + index + " of port " + port + ")";
    }
}
