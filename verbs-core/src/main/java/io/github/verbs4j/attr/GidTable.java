package io.github.verbs4j.attr;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code ibv_query_gid_table}: the filled rows of one port's GID table. Tables are sparse: indexes have gaps and need not
 * start at 0.
 *
 * @param port port number, counted from 1
 * @param entries filled rows by rising index
 */
public record GidTable(int port, List<GidEntry> entries) {
    /** Keeps a sorted copy. */
    public GidTable {
        Objects.requireNonNull(entries, "entries");
        entries = List.copyOf(entries).stream()
                .sorted(Comparator.comparingInt(GidEntry::index))
                .toList();
    }

    /**
     * {@return the GID that a connection should use when nobody said which: on RoCE, version 2 before version 1, and in
     * each an IPv4 address before a routable IPv6 one before a link-local one; the lowest index among equals}
     *
     * @throws NoSuchElementException if the table is empty
     */
    public GidEntry preferred() {
        return entries.stream()
                .min(Comparator.comparingInt(GidTable::rank))
                .orElseThrow(() -> new NoSuchElementException("port " + port
                        + " has no GID: give its network interface an IP address and bring it up (ip addr, ip link)"));
    }

    /**
     * {@return the GID of an IP address, RoCE version 2 first}
     *
     * @param address an address of the port's network interface
     * @throws NoSuchElementException if the port has no such address; the message lists those it has
     */
    public GidEntry byAddress(InetAddress address) {
        return best(Gid.of(address), address);
    }

    /**
     * {@return the row of a GID, RoCE version 2 first}
     *
     * @param gid of the port
     * @throws NoSuchElementException if the port has no such GID; the message lists those it has
     */
    public GidEntry byGid(Gid gid) {
        Objects.requireNonNull(gid, "gid");
        return best(gid, gid);
    }

    private GidEntry best(Gid gid, Object asked) {
        return entries.stream()
                .filter(entry -> entry.gid().equals(gid))
                .min(Comparator.comparingInt(GidTable::rank))
                .orElseThrow(() ->
                        new NoSuchElementException("port " + port + " has no GID of " + asked + "; it has " + list()));
    }

    /**
     * {@return the row of an index}
     *
     * @param index counted from 0
     * @throws NoSuchElementException if that row is empty; the message lists those that are filled
     */
    public GidEntry byIndex(int index) {
        return find(index)
                .orElseThrow(() -> new NoSuchElementException(
                        "GID index " + index + " of port " + port + " is empty; filled are " + list()));
    }

    /**
     * {@return the row of an index, empty if it is not filled}
     *
     * @param index counted from 0
     */
    public Optional<GidEntry> find(int index) {
        return entries.stream().filter(entry -> entry.index() == index).findFirst();
    }

    private String list() {
        return entries.isEmpty()
                ? "none"
                : entries.stream()
                        .map(entry -> entry.index() + "=" + entry.gid() + " " + entry.type())
                        .collect(Collectors.joining(", "));
    }

    private static int rank(GidEntry entry) {
        int framing = entry.type() == GidType.ROCE_V1 ? 3 : 0;
        Gid gid = entry.gid();
        return framing + (gid.isIpv4() ? 0 : gid.isLinkLocal() ? 2 : 1);
    }
}
