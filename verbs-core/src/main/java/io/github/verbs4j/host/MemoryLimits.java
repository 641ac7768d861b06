package io.github.verbs4j.host;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * The bounds on this process's memory.
 *
 * @param lockedSoft the soft limit on locked and pinned memory, {@code RLIMIT_MEMLOCK}: the one that is enforced
 * @param lockedHard the hard limit: how far the process may raise the soft one by itself
 * @param addressSpace the soft limit on the size of the address space, {@code RLIMIT_AS}; rarely set
 * @param controlGroup the smallest memory limit of the process's control group and those above it
 * @param maxMapCount {@code vm.max_map_count}: how many mappings a process may have
 */
public record MemoryLimits(
        ByteLimit lockedSoft,
        ByteLimit lockedHard,
        ByteLimit addressSpace,
        ByteLimit controlGroup,
        OptionalLong maxMapCount) {
    /** Refuses null. */
    public MemoryLimits {
        Objects.requireNonNull(lockedSoft, "lockedSoft");
        Objects.requireNonNull(lockedHard, "lockedHard");
        Objects.requireNonNull(addressSpace, "addressSpace");
        Objects.requireNonNull(controlGroup, "controlGroup");
        Objects.requireNonNull(maxMapCount, "maxMapCount");
    }
}
