package io.github.verbs4j.error;

import io.github.verbs4j.error.MemoryExplanations.Machine;
import io.github.verbs4j.host.ByteLimit;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaControlGroup;
import io.github.verbs4j.host.RdmaDevice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Objects that do not fit: in memory, on the device, in the control group. */
final class CreationExplanations {

    /** What a queue's entry takes at least on the devices we know; only used to tell "tight" from "plenty". */
    private static final long ENTRY_BYTES = 64;

    private static final long SMALLEST_RING = 4096;

    private static final String WHO_OWNS_THEM = "  rdma resource show            counts of each device\n"
            + "  rdma resource show qp         who owns which";

    private static final String GROUP_IS_FULL = "the control group has as many RDMA objects as its rdma.max allows";

    private CreationExplanations() {}

    /** ENOMEM. */
    static Explanation outOfMemory(Host host, String device, List<Limit> objects, long... depths) {
        Machine memory = Machine.read(host);
        Optional<RdmaControlGroup> group = host.rdmaControlGroup(device);
        List<String> facts = new ArrayList<>();
        if (depths.length > 0) {
            facts.add("depth asked: "
                    + Arrays.stream(depths).mapToObj(Long::toString).collect(Collectors.joining(" + ")) + " entries");
        }
        Explanation counted = objects(device, objects);
        facts.addAll(counted.facts());
        group.map(CreationExplanations::groupFact).ifPresent(facts::add);
        facts.addAll(memory.lockFacts());
        memory.availableFact().ifPresent(facts::add);
        memory.addressesFact().ifPresent(facts::add);
        if (!counted.cause().isEmpty()) {
            return new Explanation(counted.cause(), counted.next(), facts);
        }
        if (group.filter(RdmaControlGroup::isFull).isPresent()) {
            return new Explanation(GROUP_IS_FULL, raise(group.get().directory(), device), facts);
        }
        long rings = Math.max(SMALLEST_RING, Arrays.stream(depths).sum() * ENTRY_BYTES);
        if (memory.isShortOfAddresses(rings)) {
            return new Explanation(
                    "the limit of the address space: the queues, which take at least " + ByteLimit.format(rings)
                            + ", do not fit below it",
                    "ask for less depth, or raise the limit and start the program again: ulimit -v unlimited",
                    facts);
        }
        if (pinsQueues(host, device) && memory.lockRefuses(rings)) {
            return new Explanation(
                    "locked memory: hardware devices pin the queues, which takes about " + ByteLimit.format(rings)
                            + ", and only " + memory.room() + " of the limit is left; " + memory.exemption(),
                    "ask for less depth, or "
                            + Remedies.raiseLockedMemory(host, memory.limits(), memory.withPinned(rings)),
                    facts);
        }
        return new Explanation(
                "likeliest first: " + (depths.length > 0 ? "the depth, then " : "")
                        + "the number of objects on the device, then locked memory (" + memory.verdict() + ")",
                (depths.length > 0 ? "ask for less depth and see whether it passes; then look" : "look")
                        + " for objects left behind:\n" + WHO_OWNS_THEM,
                facts);
    }

    /** EAGAIN: the answer of the control group of RDMA. */
    static Explanation wouldBeTooMany(Host host, String device) {
        Optional<RdmaControlGroup> group = host.rdmaControlGroup(device);
        List<String> facts =
                group.map(CreationExplanations::groupFact).map(List::of).orElse(List.of());
        return group.isPresent() && !group.get().isFull()
                ? new Explanation(
                        "a passing shortage of the kernel: the control group of this process allows more",
                        "try again",
                        facts)
                : new Explanation(
                        GROUP_IS_FULL + (group.isPresent() ? "" : ", most likely: its counts cannot be read from here"),
                        raise(group.map(RdmaControlGroup::directory).orElse("/sys/fs/cgroup/GROUP"), device),
                        facts);
    }

    static Explanation objects(String device, List<Limit> objects) {
        List<Limit> full = objects.stream()
                .filter(limit -> limit.asked() >= limit.allowed())
                .toList();
        return new Explanation(
                full.isEmpty() ? "" : "the device has as many objects as it can: " + counts(full),
                full.isEmpty() ? "" : "look for objects left behind:\n" + WHO_OWNS_THEM,
                objects.isEmpty()
                        ? List.of()
                        : List.of("objects on " + device + ", of all processes: " + counts(objects)));
    }

    private static String raise(String directory, String device) {
        return "close what is no longer used, or raise the bound, as root:\n  echo '" + device
                + " hca_handle=max hca_object=max' > " + directory + "/rdma.max";
    }

    /** Software devices keep their queues in kernel memory. */
    private static boolean pinsQueues(Host host, String device) {
        return host.rdmaDevice(device)
                .flatMap(RdmaDevice::driver)
                .filter("rdma_rxe"::equals)
                .isEmpty();
    }

    private static String counts(List<Limit> objects) {
        return objects.stream()
                .map(limit -> limit.field() + " " + limit.asked() + " of " + limit.allowed())
                .collect(Collectors.joining(", "));
    }

    private static String groupFact(RdmaControlGroup group) {
        return "control group " + group.directory() + " (rdma.current of rdma.max): hca_object "
                + text(group.objects(), "?") + " of " + text(group.maxObjects(), "max") + ", hca_handle "
                + text(group.handles(), "?") + " of " + text(group.maxHandles(), "max");
    }

    private static String text(OptionalLong value, String otherwise) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : otherwise;
    }
}
