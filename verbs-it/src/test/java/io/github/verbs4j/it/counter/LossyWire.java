package io.github.verbs4j.it.counter;

import io.github.verbs4j.it.rdma.Shell;
import java.util.List;

/**
 * A second pair of software devices, one on each end of a virtual wire that loses packets. Both ends are addresses of this
 * machine, which would short-cut what goes between them: rules of routing send it over the wire.
 */
final class LossyWire implements AutoCloseable {
    static final String NEAR = "verbs4j_near";
    static final String FAR = "verbs4j_far";
    static final String NEAR_ADDRESS = "10.77.0.1";
    static final String FAR_ADDRESS = "10.77.0.2";
    private static final String UP = """
            modprobe -a veth sch_netem
            ip link add wire0 type veth peer name wire1
            ip address add 10.77.0.1/32 dev wire0
            ip address add 10.77.0.2/32 dev wire1
            ip link set wire0 up
            ip link set wire1 up
            for wire in wire0 wire1; do
              sysctl -q -w net.ipv4.conf.$wire.rp_filter=0 net.ipv4.conf.$wire.accept_local=1
            done
            sysctl -q -w net.ipv4.conf.all.rp_filter=0
            ip route add 10.77.0.2/32 dev wire0 src 10.77.0.1 table 77
            ip route add 10.77.0.1/32 dev wire1 src 10.77.0.2 table 78
            ip neighbour replace 10.77.0.2 lladdr $(cat /sys/class/net/wire1/address) dev wire0 nud permanent
            ip neighbour replace 10.77.0.1 lladdr $(cat /sys/class/net/wire0/address) dev wire1 nud permanent
            ip rule add pref 100 lookup local
            ip rule add pref 7 iif lo from 10.77.0.1 to 10.77.0.2 table 77
            ip rule add pref 8 iif lo from 10.77.0.2 to 10.77.0.1 table 78
            ip rule delete pref 0
            rdma link add %1$s type rxe netdev wire0
            rdma link add %2$s type rxe netdev wire1
            tc qdisc add dev wire0 root netem loss 5%%
            """.formatted(NEAR, FAR);
    private static final String DOWN = """
            rdma link delete %1$s
            rdma link delete %2$s
            ip rule add pref 0 lookup local
            ip rule delete pref 100
            ip rule delete pref 7
            ip rule delete pref 8
            ip link delete wire0
            """.formatted(NEAR, FAR);

    LossyWire() {
        boolean up = false;
        try {
            Shell.output("sh", "-ec", UP);
            up = true;
        } finally {
            if (!up) {
                Shell.run(List.of("sh", "-c", DOWN)); // what there is of it
            }
        }
    }

    @Override
    public void close() {
        Shell.output("sh", "-c", DOWN); // all of it, whatever fails
    }
}
