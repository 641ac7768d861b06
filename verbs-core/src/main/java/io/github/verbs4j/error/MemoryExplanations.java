package io.github.verbs4j.error;

import io.github.verbs4j.host.ByteLimit;
import io.github.verbs4j.host.Capabilities;
import io.github.verbs4j.host.Capability;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.MemoryLimits;
import io.github.verbs4j.host.MemoryUse;
import io.github.verbs4j.host.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Memory that cannot be registered; and what bounds the memory of this process. */
final class MemoryExplanations {

    /** Memory is pinned by the page; the smallest one there is. */
    private static final long PAGE_BYTES = 4096;

    /** Of Soft-RoCE in a region: measured on Linux 6.12, while 6.1 has no such limit. */
    private static final long SOFT_ROCE_PAGES = 262_144;

    private static final String MORE_MEMORY =
            "register less, give the machine or its control group more, or use huge pages";

    private MemoryExplanations() {}

    static Explanation registration(Host host, String device, Errno errno, long bytes) {
        Explanation explanation = registration(host, errno, bytes);
        boolean tooLarge = bytes > SOFT_ROCE_PAGES * PAGE_BYTES && isSoftRoce(host, device);
        return errno.equals(Errno.ENOMEM) && tooLarge && refused(host, bytes).isEmpty()
                ? new Explanation(
                        "Soft-RoCE of this kernel takes " + SOFT_ROCE_PAGES + " pages in a region, which are 1 GiB"
                                + " (Linux 6.12 is such a kernel, 6.1 is not)",
                        "register several regions of at most 1 GiB",
                        explanation.facts())
                : explanation;
    }

    private static boolean isSoftRoce(Host host, String device) {
        return host.rdmaDevice(device)
                .flatMap(RdmaDevice::driver)
                .filter("rdma_rxe"::equals)
                .isPresent();
    }

    static Explanation registration(Host host, Errno errno, long bytes) {
        Machine machine = Machine.read(host);
        List<String> facts = new ArrayList<>(machine.lockFacts());
        if (errno.equals(Errno.EFAULT)) {
            return new Explanation(
                    "not every page of the range is memory that this process may use that way: unmapped, read-only, or"
                            + " (since Linux 6.5) a mapped file to be written",
                    "check address and length; register anonymous memory (a protection domain's allocate gives it)",
                    List.of());
        }
        if (!errno.equals(Errno.ENOMEM)) {
            return new Explanation("", "", facts);
        }
        machine.availableFact().ifPresent(facts::add);
        machine.mappingsFact().ifPresent(facts::add);
        machine.addressesFact().ifPresent(facts::add);
        if (machine.lockRefuses(bytes)) {
            return new Explanation(
                    "the locked-memory limit: " + ByteLimit.format(machine.pinned()) + " pinned + "
                            + ByteLimit.format(bytes) + " asked > " + machine.limits.lockedSoft() + " allowed, and "
                            + machine.exemption(),
                    Remedies.raiseLockedMemory(host, machine.limits, machine.withPinned(bytes)),
                    facts);
        }
        return new Explanation(otherCause(machine, bytes), otherRemedy(host, machine, bytes), facts);
    }

    /** The explanation that a registration would meet with, if a limit is known to stand against it. */
    static Optional<Explanation> refused(Host host, long bytes) {
        Machine machine = Machine.read(host);
        return machine.lockRefuses(bytes) || machine.isShortOf(bytes) || machine.isShortOfMappings()
                ? Optional.of(registration(host, Errno.ENOMEM, bytes))
                : Optional.empty();
    }

    private static String otherCause(Machine machine, long bytes) {
        if (machine.isShortOf(bytes)) {
            return "too little memory: " + ByteLimit.format(bytes) + " asked, " + ByteLimit.format(machine.most())
                    + " can be had at most, and the pages have to exist and stay";
        }
        if (machine.isShortOfMappings()) {
            return "the process has as many mappings as vm.max_map_count allows";
        }
        if (!machine.limits.lockedSoft().isKnown()) {
            return "most often the locked-memory limit, which could not be read here";
        }
        if (machine.hasNotAvailable(bytes)) {
            return "most likely too little memory: " + ByteLimit.format(bytes) + " asked, "
                    + ByteLimit.format(machine.use.available().orElse(0))
                    + " available beside what this process holds already";
        }
        return "not the locked-memory limit (" + machine.verdict() + "); left are a limit of the address space"
                + " (ulimit -v), fragmented memory, the device's own memory and its number of regions (max_mr)";
    }

    private static String otherRemedy(Host host, Machine machine, long bytes) {
        if (machine.isShortOf(bytes)) {
            return MORE_MEMORY;
        }
        if (machine.isShortOfMappings()) {
            return "sysctl -w vm.max_map_count="
                    + 4 * Math.max(65530, machine.limits.maxMapCount().orElse(0))
                    + ", or register fewer and larger regions";
        }
        if (!machine.limits.lockedSoft().isKnown()) {
            return Remedies.raiseLockedMemory(host, machine.limits, bytes);
        }
        if (machine.hasNotAvailable(bytes)) {
            return MORE_MEMORY;
        }
        return "look at the last lines of dmesg; count the regions with: rdma resource show";
    }

    /** Limits, use and capabilities, read once. */
    record Machine(MemoryLimits limits, MemoryUse use, Capabilities capabilities) {

        static Machine read(Host host) {
            return new Machine(host.memoryLimits(), host.memoryUse(), host.capabilities());
        }

        long pinned() {
            return use.pinned().orElse(0);
        }

        /** The kernel's rule: pinned + asked over the soft limit, without the capability. */
        boolean lockRefuses(long bytes) {
            return !capabilities.liftsMemoryLock() && limits.lockedSoft().isBelow(withPinned(bytes));
        }

        /** What would be pinned then, in whole pages. */
        long withPinned(long bytes) {
            long sum = pinned() + bytes;
            return sum < 0 || sum > Long.MAX_VALUE - PAGE_BYTES
                    ? Long.MAX_VALUE
                    : (sum + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        }

        /** Certainly too little, even if all that the process holds already were part of it. */
        boolean isShortOf(long bytes) {
            return most() < bytes;
        }

        /** All that the process can have, with what it holds already. */
        long most() {
            long ofMachine = use.available().isPresent()
                    ? use.available().getAsLong() + use.resident().orElse(0)
                    : Long.MAX_VALUE;
            return limits.controlGroup().isBelow(ofMachine)
                    ? limits.controlGroup().bytes()
                    : ofMachine;
        }

        /** Too little, unless enough of it is there already. */
        boolean hasNotAvailable(long bytes) {
            return use.available().isPresent() && use.available().getAsLong() < bytes;
        }

        /** Registering may split a mapping in three. */
        boolean isShortOfMappings() {
            return limits.maxMapCount().isPresent()
                    && use.mappings().orElse(0) + 2 > limits.maxMapCount().getAsLong();
        }

        String room() {
            return ByteLimit.format(Math.max(0, limits.lockedSoft().bytes() - pinned()));
        }

        List<String> lockFacts() {
            return List.of(
                    "locked-memory limit (RLIMIT_MEMLOCK): " + limits.lockedSoft() + ", hard limit "
                            + limits.lockedHard(),
                    "pinned now (VmPin): " + (use.pinned().isPresent() ? ByteLimit.format(pinned()) : "unknown"),
                    "CAP_IPC_LOCK (lifts the limit): " + capabilityFact());
        }

        /** A new mapping of that many bytes would go over the limit of the address space. */
        boolean isShortOfAddresses(long bytes) {
            return limits.addressSpace().isBelow(use.virtual().orElse(0) + bytes);
        }

        /** Only where there is such a limit, which is rare. */
        Optional<String> addressesFact() {
            return limits.addressSpace().isKnown() && !limits.addressSpace().isUnlimited()
                    ? Optional.of("address space (ulimit -v): "
                            + ByteLimit.format(use.virtual().orElse(0)) + " of at most " + limits.addressSpace())
                    : Optional.empty();
        }

        Optional<String> availableFact() {
            String group =
                    limits.controlGroup().isKnown() && !limits.controlGroup().isUnlimited()
                            ? ", limit of the control group " + limits.controlGroup()
                            : "";
            return use.available().isEmpty()
                    ? Optional.empty()
                    : Optional.of("memory available: "
                            + ByteLimit.format(use.available().getAsLong()) + group);
        }

        Optional<String> mappingsFact() {
            return limits.maxMapCount().isEmpty() || use.mappings().isEmpty()
                    ? Optional.empty()
                    : Optional.of("mappings: " + use.mappings().getAsLong() + " of at most "
                            + limits.maxMapCount().getAsLong() + " (vm.max_map_count)");
        }

        private String capabilityFact() {
            if (capabilities.effective().isEmpty()) {
                return "unknown";
            }
            if (!capabilities.has(Capability.IPC_LOCK)) {
                return "no";
            }
            return capabilities.initialNamespace() ? "yes" : "yes, but without effect in a user namespace";
        }

        String exemption() {
            if (capabilities.effective().isEmpty()) {
                return "it is not known whether the process has CAP_IPC_LOCK";
            }
            return capabilities.has(Capability.IPC_LOCK)
                    ? "CAP_IPC_LOCK has no effect in a user namespace (rootless container)"
                    : "the process has no CAP_IPC_LOCK";
        }

        String verdict() {
            if (capabilities.liftsMemoryLock()) {
                return "CAP_IPC_LOCK lifts the limit";
            }
            if (limits.lockedSoft().isUnlimited()) {
                return "it is unlimited";
            }
            return limits.lockedSoft().isKnown() ? room() + " of it is free" : "the limit could not be read";
        }
    }
}
