package io.github.verbs4j.host;

/** How RDMA devices and network namespaces go together on this machine ({@code rdma system show}). */
public enum NamespaceMode {
    /** Every network namespace sees every device; the kernel's default. */
    SHARED,
    /** A device is seen in one network namespace only, and has to be moved into a container's. */
    EXCLUSIVE,
    /** The machine did not say. */
    UNKNOWN
}
