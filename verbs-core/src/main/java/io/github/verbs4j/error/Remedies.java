package io.github.verbs4j.error;

import io.github.verbs4j.host.Container;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.MemoryLimits;
import java.util.ArrayList;
import java.util.List;

/** What people can do about it, told so that they can type it. */
final class Remedies {

    /** Said wherever a machine has no RDMA device. */
    static final String SOFT_ROCE =
            "no RDMA hardware? ./verbs softroce COMMAND, in a clone of Verbs4J, runs COMMAND in a small"
                    + " machine that has a software device";

    private Remedies() {}

    /** The ways to raise the limit, those that fit the place first. */
    static String raiseLockedMemory(Host host, MemoryLimits limits, long needed) {
        boolean hardAllows =
                limits.lockedHard().isKnown() && !limits.lockedHard().isBelow(needed);
        List<String> outside = List.of(
                hardAllows
                        ? "  shell:          ulimit -l " + (needed + 1023) / 1024
                                + "   (KiB, or more; the hard limit allows it)"
                        : "  shell:          ulimit -l unlimited   (as root: it is over the hard limit)",
                "  login:          * - memlock unlimited   in /etc/security/limits.conf, then log in again",
                "  systemd unit:   LimitMEMLOCK=infinity");
        List<String> inside = new ArrayList<>(List.of(
                "  docker, podman: --ulimit memlock=-1"
                        + (host.capabilities().initialNamespace()
                                ? "   (or, for root in the container, --cap-add IPC_LOCK)"
                                : "   (rootless: up to the user's own hard limit)"),
                "  Kubernetes:     LimitMEMLOCK=infinity for the node's container runtime (a pod has no field for it),"
                        + "\n                  or, for root, IPC_LOCK in securityContext.capabilities.add"));
        if (host.container().kind() == Container.Kind.KUBERNETES) {
            inside = inside.reversed();
        }
        List<String> lines = new ArrayList<>(List.of("raise the limit and start the program again:"));
        lines.addAll(host.container().isInside() ? inside : outside);
        lines.addAll(host.container().isInside() ? outside : inside);
        return String.join("\n", lines);
    }
}
