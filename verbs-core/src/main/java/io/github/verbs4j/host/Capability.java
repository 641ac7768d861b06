package io.github.verbs4j.host;

/** The Linux capabilities that matter to RDMA. */
public enum Capability {
    /** Opens any device node whatever its mode; number 1. */
    DAC_OVERRIDE(1),
    /** Changes RDMA links and modes with the {@code rdma} command; number 12. */
    NET_ADMIN(12),
    /** Makes raw packet queue pairs; number 13. */
    NET_RAW(13),
    /** Lifts the limit on pinned memory; number 14. */
    IPC_LOCK(14),
    /** Loads kernel modules; number 16. */
    SYS_MODULE(16),
    /** Administers the system; number 21. */
    SYS_ADMIN(21),
    /** Raises resource limits over their hard bound; number 24. */
    SYS_RESOURCE(24);

    private final int number;

    Capability(int number) {
        this.number = number;
    }

    /** {@return the bit number in the kernel's capability masks} */
    public int number() {
        return number;
    }
}
