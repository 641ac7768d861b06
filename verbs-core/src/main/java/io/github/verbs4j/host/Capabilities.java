package io.github.verbs4j.host;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * The effective capabilities of this process.
 *
 * @param effective the mask of {@code CapEff}; empty if unknown
 * @param initialNamespace false if the process is in a user namespace of its own (a rootless container), where the
 *     capabilities it seems to have do not lift the kernel's limits
 */
public record Capabilities(OptionalLong effective, boolean initialNamespace) {
    /** Refuses null. */
    public Capabilities {
        Objects.requireNonNull(effective, "effective");
    }

    /**
     * Tells whether the process has a capability, in its own user namespace at least.
     *
     * @param capability the capability
     * @return true if it is known to be in effect
     */
    public boolean has(Capability capability) {
        Objects.requireNonNull(capability, "capability");
        return effective.isPresent() && (effective.getAsLong() >>> capability.number() & 1) != 0;
    }

    /** {@return whether pinned memory is exempt from the limit: {@code CAP_IPC_LOCK} in the initial user namespace} */
    public boolean liftsMemoryLock() {
        return initialNamespace && has(Capability.IPC_LOCK);
    }
}
