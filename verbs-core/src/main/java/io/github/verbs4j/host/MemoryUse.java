package io.github.verbs4j.host;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * What this process uses now, and what the machine has left.
 *
 * @param pinned bytes pinned by RDMA registrations and the like ({@code VmPin}); the number that the kernel holds
 *     against {@code RLIMIT_MEMLOCK} when memory is registered
 * @param locked bytes locked by {@code mlock} ({@code VmLck}); registrations do not count here
 * @param virtual bytes of address space ({@code VmSize})
 * @param resident bytes resident in memory ({@code VmRSS})
 * @param available bytes that the machine could still give out without swapping ({@code MemAvailable})
 * @param mappings how many mappings the process has ({@code /proc/self/maps})
 */
public record MemoryUse(
        OptionalLong pinned,
        OptionalLong locked,
        OptionalLong virtual,
        OptionalLong resident,
        OptionalLong available,
        OptionalLong mappings) {
    /** Refuses null. */
    public MemoryUse {
        Objects.requireNonNull(pinned, "pinned");
        Objects.requireNonNull(locked, "locked");
        Objects.requireNonNull(virtual, "virtual");
        Objects.requireNonNull(resident, "resident");
        Objects.requireNonNull(available, "available");
        Objects.requireNonNull(mappings, "mappings");
    }
}
