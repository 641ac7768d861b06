package io.github.verbs4j.doctor;

import io.github.verbs4j.host.CpuSet;
import io.github.verbs4j.host.NumaNode;
import java.util.List;
import java.util.Optional;

/** Does the process run near its devices? On a machine with one NUMA node everything is near. */
final class PlacementCheck {
    private PlacementCheck() {}

    static List<Finding> of(MachineReport machine, ProcessReport process, List<DeviceReport> devices) {
        if (machine.numaNodes().size() < 2 || process.cpus().isEmpty()) {
            return List.of();
        }
        return devices.stream()
                .flatMap(device -> device.device().numaNode().stream()
                        .mapToObj(number -> node(machine, number))
                        .flatMap(Optional::stream)
                        .flatMap(node -> of(device.name(), node, process.cpus()).stream()))
                .toList();
    }

    private static Optional<NumaNode> node(MachineReport machine, int number) {
        return machine.numaNodes().stream()
                .filter(node -> node.number() == number)
                .findFirst();
    }

    private static Optional<Finding> of(String device, NumaNode node, CpuSet allowed) {
        CpuSet near = allowed.and(node.cpus());
        String where = device + " is on NUMA node " + node.number() + " (processors " + node.cpus() + ")";
        String remedy = "numactl --cpunodebind=" + node.number() + " --membind=" + node.number() + " COMMAND";
        if (near.isEmpty()) {
            return Optional.of(new Finding(
                    "numa-far",
                    Severity.WARNING,
                    device,
                    where + ", and this process may run on processors " + allowed + " only, none of which is there",
                    "nothing; each doorbell, completion and byte crosses from one node to the other, which costs latency and"
                            + " throughput",
                    remedy + "   (and a cpuset, in a container, that lets it)"));
        }
        return near.equals(allowed)
                ? Optional.empty()
                : Optional.of(new Finding(
                        "numa-spread",
                        Severity.INFO,
                        device,
                        where + ", and this process may run on processors " + allowed
                                + ", most likely not always there",
                        "nothing; latency varies with where threads and memory happen to be",
                        remedy + "\nor pin the threads and place the memory in Java: ThreadPin, Placement"));
    }
}
