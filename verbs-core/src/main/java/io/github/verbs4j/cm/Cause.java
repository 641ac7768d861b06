package io.github.verbs4j.cm;

import io.github.verbs4j.error.Explanations;
import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * Why something failed, and what to do about it: by the C function, and the errno if there is one.
 *
 * @param text the cause
 * @param next what to do, one line or more
 */
record Cause(String text, String next) {
    static final Cause NONE = new Cause("", "");
    static final Cause REJECTED_SILENTLY = new Cause(
            "the program at the peer rejected it without saying why, or ended before it accepted",
            "see whether its process runs still, and look into the log of the peer");

    private static final int EIO = 5;
    private static final int ENOMEM = 12;
    private static final int EACCES = 13;
    private static final int ENODEV = 19;
    private static final int EINVAL = 22;
    private static final int EAFNOSUPPORT = 97;
    private static final int EADDRINUSE = 98;
    private static final int EADDRNOTAVAIL = 99;
    private static final int ENETUNREACH = 101;
    private static final int ECONNRESET = 104;
    private static final int ETIMEDOUT = 110;
    private static final int ECONNREFUSED = 111;
    private static final int EHOSTUNREACH = 113;
    /** The kernel's own, which has no name outside of it. */
    private static final int ENOTSUPP = 524;

    /** Of an event that says no: by its errno, where it has one. */
    static Cause of(ConnectionEvent event, String operation, Way way) {
        Cause ofErrno = of(operation, Math.abs(event.status()), way);
        return switch (event.type()) {
            case DEVICE_REMOVAL ->
                new Cause(
                        "the device was removed: unplugged, its driver unloaded, or moved to another network namespace",
                        "close what is built on it; resolve the address again, another device may lead there");
            case DISCONNECTED ->
                new Cause(
                        "the peer disconnected while the connection was made: it closed, or its process ended",
                        "look into the log of the peer; connect again");
            case UNREACHABLE -> silence(operation, way);
            case REJECTED ->
                ofErrno == NONE
                        ? new Cause("the peer said no, without a reason", "look into the log of the peer")
                        : ofErrno;
            default ->
                ofErrno == NONE
                        ? new Cause(
                                "the kernel of this end could not do it, and says no more",
                                "see 'dmesg', and the addresses above: ip route get " + way.host())
                        : ofErrno;
        };
    }

    /** Of an errno, returned by the function or told by the event that answers it. */
    static Cause of(String operation, int errno, Way way) {
        return switch (errno) {
            case EIO ->
                new Cause(
                        "the device was removed, or its driver is in error",
                        "see 'dmesg'; close what is built on the device, and resolve the address again");
            case ENOMEM ->
                new Cause(
                        "the kernel has no memory for another connection, or a limit of this process or container is"
                                + " reached",
                        "close connections, see 'rdma resource show' and rdma.max of the control group");
            case EACCES -> privileged(operation, way);
            case ENODEV -> noDevice(way);
            case EINVAL -> invalid(operation, way);
            case ETIMEDOUT -> silence(operation, way);
            case EADDRINUSE ->
                new Cause(
                        "another listener has this address and port",
                        "use another port, or 0 for one of the kernel's choice; 'rdma resource show cm_id' lists who"
                                + " has which");
            case EADDRNOTAVAIL ->
                new Cause(
                        "the address is not one of this machine, or of this network namespace; or something holds the port"
                                + " on a wildcard",
                        "use an address that 'ip address' shows here, or another port");
            case EAFNOSUPPORT ->
                new Cause(
                        "this machine, or this network namespace, does not have the family of the address",
                        "use the other IP version, or switch this one on (sysctl net.ipv6.conf.all.disable_ipv6=0)");
            case ENETUNREACH ->
                new Cause(
                        "no route of this machine, or of this network namespace, leads to the address",
                        "correct the address, or add a route (ip route add); see: ip route get " + way.host());
            case EHOSTUNREACH ->
                new Cause(
                        "the host is not reachable: a route says so, or no neighbour answered for the address",
                        "see: ip route get " + way.host() + "; ip neighbour show " + way.host());
            case ECONNREFUSED ->
                new Cause(
                        "the peer refused: nobody listens on the port, or the program there said no",
                        "start the server, or give the port that it listens on");
            case ECONNRESET ->
                new Cause("the peer ended the connection while it was made", "look into the log of the peer");
            case ENOTSUPP ->
                new Cause(
                        "Linux joins no IPv6 group over RoCE version 2",
                        "use an IPv4 group; or, where the network delivers it without being asked,"
                                + " queuePair.attach(Gid.of(group), 0)");
            default -> NONE;
        };
    }

    private static Cause privileged(String operation, Way way) {
        return operation.equals("rdma_bind_addr")
                ? new Cause(
                        "the port is one of those that take the capability CAP_NET_BIND_SERVICE",
                        "use a port from 1024 on, or see sysctl net.ipv4.ip_unprivileged_port_start")
                : new Cause(
                        "a route or rule of this machine prohibits the address",
                        "see: ip route get " + way.host() + "; ip rule");
    }

    /** The address is reached through an interface without one. */
    private static Cause noDevice(Way way) {
        String through = way.netDevice()
                .map(name -> "the address is reached through " + name + ", an interface without an RDMA device")
                .orElse("the address is reached through an interface without an RDMA device");
        String having = Way.interfacesWithDevice();
        return having.isEmpty()
                ? new Cause(
                        through + "; none of this machine has one",
                        Explanations.noDevice().next())
                : new Cause(
                        through,
                        "use an address of the network behind one that has: " + having
                                + (isLoopback(way) ? "; also from this machine to itself" : ""));
    }

    private static boolean isLoopback(Way way) {
        return way.source() != null && way.source().getAddress().isLoopbackAddress();
    }

    private static Cause invalid(String operation, Way way) {
        return switch (operation) {
            case "rdma_bind_addr", "rdma_resolve_addr" ->
                isLinkLocalWithoutScope(way)
                        ? new Cause(
                                "a link-local address says nothing without its interface",
                                "give the interface with the address: " + way.host() + "%eth0, say")
                        : new Cause(
                                "the kernel takes no such address: it is not of a single host, or a route of type"
                                        + " blackhole leads there",
                                "see: ip route get " + way.host());
            case "rdma_accept", "rdma_reject", "rdma_init_qp_attr", "rdma_establish" ->
                new Cause(
                        "the kernel has no such connection any more: the peer gave up, closed, or its process ended",
                        switch (operation) {
                            case "rdma_establish" ->
                                "connect again; if that happens again, look into the log of the peer";
                            case "rdma_init_qp_attr" -> // of either end
                                "close this, and look into the log of the peer; a client that waits longer than its server"
                                        + " takes does not give up";
                            default -> "close this; a peer that waits longer than the server takes does not give up";
                        });
            case "rdma_destroy_id" ->
                new Cause(
                        "the kernel does not know the connection: its descriptor was closed by someone else",
                        "see whether this process closes descriptors that are not its own");
            default ->
                new Cause(
                        "the kernel does not expect the call in this state of the connection, or refuses a value",
                        "see 'dmesg'; close it, and connect again");
        };
    }

    private static boolean isLinkLocalWithoutScope(Way way) {
        InetAddress address = (way.destination() == null ? way.source() : way.destination()).getAddress();
        return address.isLinkLocalAddress() && address instanceof Inet6Address six && six.getScopeId() == 0;
    }

    /** Of an answer that did not come in time: the kernel's own time, or ours. */
    static Cause silence(String operation, Way way) {
        return switch (operation) {
            case "rdma_resolve_addr" ->
                way.isToItself()
                        ? new Cause(
                                "the address is this machine's own, for which no answer is needed: the machine was too busy"
                                        + " to find it in that time",
                                "give more time")
                        : new Cause(
                                "nobody answered for the address"
                                        + way.netDevice().map(" on "::concat).orElse("")
                                        + " (ARP, neighbour discovery): no host has it, or the host is down",
                                "see: ip neighbour show " + way.host()
                                        + "   (FAILED, INCOMPLETE: no such host in that network)\n"
                                        + "correct the address, or start the host");
            case "rdma_resolve_route" ->
                new Cause(
                        "the address took all the time there was; or, on InfiniBand, the subnet manager does not tell the path",
                        "give more time; on InfiniBand, see whether the subnet manager runs: sminfo");
            case "rdma_connect" -> unanswered(way);
            case "rdma_accept" ->
                new Cause(
                        "the peer does not confirm the connection that we accepted: it gave up meanwhile (closed its"
                                + " connector, or its process ended), it hangs, or packets are lost",
                        "close this, and take the next request; look into the log of the peer");
            case "rdma_join_multicast_ex" ->
                new Cause(
                        "the subnet manager of the InfiniBand fabric does not answer for the group",
                        "see whether it runs: sminfo");
            default ->
                new Cause(
                        "the peer does not answer that it disconnects: it is down, or cut off",
                        "close this: nothing waits for the peer then");
        };
    }

    /** A port without a listener would have been rejected at once. */
    private static Cause unanswered(Way way) {
        return new Cause(
                "nothing came from the peer, neither an acceptance nor a rejection: the request was lost (a firewall drops"
                        + " UDP port 4791, or the host has no RDMA device behind the address), or the server does not take it"
                        + " (it hangs, or its backlog is full)",
                "on " + way.host()
                        + ", read /sys/class/infiniband/*/ports/1/cm_rx_msgs/req before and after another attempt:\n"
                        + "  it grows: the request arrives; look at the server\n"
                        + "  it does not: the request is lost; look for drops on the way");
    }
}
