package io.github.verbs4j.doctor;

import io.github.verbs4j.host.Capabilities;
import io.github.verbs4j.host.CpuSet;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.MemoryLimits;
import io.github.verbs4j.host.MemoryUse;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * This process: what it may do.
 *
 * @param userId its effective user, 0 is root; empty if unknown
 * @param capabilities its effective capabilities
 * @param limits the bounds on its memory
 * @param use the memory that it uses now
 * @param cpus the processors that it may run on; none if unknown
 */
public record ProcessReport(
        OptionalLong userId, Capabilities capabilities, MemoryLimits limits, MemoryUse use, CpuSet cpus) {
    /** Refuses null. */
    public ProcessReport {
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(capabilities, "capabilities");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(use, "use");
        Objects.requireNonNull(cpus, "cpus");
    }

    static ProcessReport read(Host host) {
        return new ProcessReport(
                host.userId(), host.capabilities(), host.memoryLimits(), host.memoryUse(), host.allowedCpus());
    }
}
