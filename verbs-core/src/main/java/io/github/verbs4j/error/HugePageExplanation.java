package io.github.verbs4j.error;

import io.github.verbs4j.host.ByteLimit;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.HugePages;
import io.github.verbs4j.host.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Huge pages that could not be had. */
final class HugePageExplanation {
    private static final String SOFTER = "\nor ask for transparentHugePages(), which need no reservation";

    private HugePageExplanation() {}

    static Explanation of(Host host, long pageBytes, long pages) {
        List<HugePages> pools = host.hugePages();
        Optional<HugePages> pool =
                pools.stream().filter(found -> found.pageBytes() == pageBytes).findFirst();
        String size = ByteLimit.format(pageBytes);
        if (pool.isEmpty()) {
            return new Explanation(
                    "this kernel has no huge pages of " + size + sizes(pools),
                    "ask for a size that it has" + SOFTER,
                    List.of());
        }
        long available = pool.get().available();
        String needed = pages + " huge pages of " + size + " are needed, " + available + " are free";
        String cause = available < pages
                ? needed
                : needed + ": the control group (hugetlb), a cpuset or a NUMA node without some withholds them";
        long missing = Math.max(0, pages - available);
        return new Explanation(
                cause, reserve(host, pool.get(), pool.get().total() + missing) + SOFTER, facts(host, pool.get()));
    }

    static Explanation withheld(long pageBytes) {
        String size = ByteLimit.format(pageBytes);
        return new Explanation(
                "the pool has huge pages of " + size
                        + ", but this process may not have as many: its control group (hugetlb)"
                        + " or its cpuset withholds them",
                "raise hugetlb.*.max of the control group (/proc/self/cgroup tells which); Kubernetes: limits of"
                        + " hugepages-2Mi or hugepages-1Gi in the pod" + SOFTER,
                List.of());
    }

    private static String sizes(List<HugePages> pools) {
        return pools.isEmpty()
                ? ", nor of any other size (CONFIG_HUGETLBFS)"
                : ", only of "
                        + pools.stream()
                                .map(found -> ByteLimit.format(found.pageBytes()))
                                .collect(Collectors.joining(", "));
    }

    private static List<String> facts(Host host, HugePages pool) {
        List<String> facts = new ArrayList<>();
        facts.add("huge pages of " + ByteLimit.format(pool.pageBytes()) + ": " + pool.total() + ", of which "
                + pool.free() + " free, of which " + pool.reserved() + " promised to mappings");
        List<NumaNode> nodes = host.numaNodes();
        if (nodes.size() > 1) {
            for (NumaNode node : nodes) {
                node.hugePages().stream()
                        .filter(found -> found.pageBytes() == pool.pageBytes())
                        .forEach(found -> facts.add("on node " + node.number() + ": " + found.total() + ", of which "
                                + found.free() + " free"));
            }
        }
        return facts;
    }

    private static String reserve(Host host, HugePages pool, long total) {
        long kibibytes = pool.pageBytes() / 1024;
        boolean isDefault = host.defaultHugePageBytes().orElse(0) == pool.pageBytes();
        String file = "hugepages-" + kibibytes + "kB/nr_hugepages";
        return "reserve them (as root" + (host.container().isInside() ? ", on the container's host" : "") + "):"
                + "\n  now:         "
                + (isDefault
                        ? "sysctl -w vm.nr_hugepages=" + total
                        : "echo " + total + " > /sys/kernel/mm/hugepages/" + file)
                + "\n  on one node: echo COUNT > /sys/devices/system/node/nodeN/hugepages/" + file
                + "\n  at boot:     "
                + (isDefault
                        ? "vm.nr_hugepages=" + total + " in /etc/sysctl.d/hugepages.conf"
                        : "hugepagesz=" + kibibytes + "K hugepages=" + total + " on the kernel's command line")
                + "\nif fewer come than asked for, memory is fragmented: reserve them at boot";
    }
}
