package io.github.verbs4j.host;

import java.util.List;
import java.util.Objects;

/**
 * Whether this process is in a container, and what says so.
 *
 * @param kind which kind, {@link Kind#NONE} if there is no sign of one
 * @param evidence what tells, for example {@code /.dockerenv}; empty if nothing does
 */
public record Container(Kind kind, String evidence) {
    /** Refuses null. */
    public Container {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(evidence, "evidence");
    }

    /** What runs the container. */
    public enum Kind {
        /** Not in a container, as far as can be told. */
        NONE,
        /** Docker. */
        DOCKER,
        /** Podman. */
        PODMAN,
        /** A pod of Kubernetes. */
        KUBERNETES,
        /** Another one. */
        OTHER
    }

    private static final List<Container> MARKS = List.of(
            new Container(Kind.KUBERNETES, "kubepods"),
            new Container(Kind.PODMAN, "libpod"),
            new Container(Kind.DOCKER, "docker"),
            new Container(Kind.OTHER, "containerd"),
            new Container(Kind.OTHER, "lxc"));

    /** {@return whether the process is in a container} */
    public boolean isInside() {
        return kind != Kind.NONE;
    }

    static Container read(Tree tree) {
        if (tree.exists("/var/run/secrets/kubernetes.io") || tree.exists("/run/secrets/kubernetes.io")) {
            return new Container(Kind.KUBERNETES, "/run/secrets/kubernetes.io");
        }
        String groups = tree.text("/proc/self/cgroup").orElse("");
        if (groups.contains("kubepods")) {
            return new Container(Kind.KUBERNETES, "/proc/self/cgroup");
        }
        if (tree.exists("/run/.containerenv")) {
            return new Container(Kind.PODMAN, "/run/.containerenv");
        }
        if (tree.exists("/.dockerenv")) {
            return new Container(Kind.DOCKER, "/.dockerenv");
        }
        return MARKS.stream()
                .filter(mark -> groups.contains(mark.evidence()))
                .findFirst()
                .map(mark -> new Container(mark.kind(), "/proc/self/cgroup"))
                .orElse(new Container(Kind.NONE, ""));
    }
}
