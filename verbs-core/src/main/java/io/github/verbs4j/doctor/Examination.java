package io.github.verbs4j.doctor;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the doctor saw, and what is to be said about it.
 *
 * @param machine kernel, modules and libraries; empty if reading that did not end in time
 * @param process limits and rights of this process; empty if reading them did not end in time
 * @param devices the RDMA devices of the kernel, or the one that was asked for, if it is there
 * @param findings the worst first
 */
public record Examination(
        Optional<MachineReport> machine,
        Optional<ProcessReport> process,
        List<DeviceReport> devices,
        List<Finding> findings) {
    /** Keeps copies of the lists. */
    public Examination {
        Objects.requireNonNull(machine, "machine");
        Objects.requireNonNull(process, "process");
        devices = List.copyOf(Objects.requireNonNull(devices, "devices"));
        findings = List.copyOf(Objects.requireNonNull(findings, "findings"));
    }

    /** {@return whether a program that uses RDMA can run: there is no error} */
    public boolean isFit() {
        return findings(Severity.ERROR).isEmpty();
    }

    /**
     * {@return the findings that matter as much as this, or more}
     *
     * @param least how much
     */
    public List<Finding> findings(Severity least) {
        Objects.requireNonNull(least, "least");
        return findings.stream()
                .filter(finding -> finding.severity().compareTo(least) >= 0)
                .toList();
    }

    /** {@return the verdict in one line, for example {@code not fit for RDMA: 1 error, 2 warnings}} */
    public String verdict() {
        long errors = findings(Severity.ERROR).size();
        long warnings = findings(Severity.WARNING).size() - errors;
        String counted = errors == 0 && warnings == 0
                ? ""
                : ": " + (errors == 0 ? "" : counted(errors, "error") + (warnings == 0 ? "" : ", "))
                        + (warnings == 0 ? "" : counted(warnings, "warning"));
        return (errors == 0 ? "fit for RDMA" : "not fit for RDMA") + counted;
    }

    private static String counted(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** {@return verdict and findings as text of some lines} */
    @Override
    public String toString() {
        return verdict() + findings.stream().map(finding -> "\n" + finding).collect(Collectors.joining());
    }
}
