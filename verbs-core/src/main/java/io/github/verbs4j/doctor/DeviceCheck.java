package io.github.verbs4j.doctor;

import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaControlGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Is there a device, can this process open it, and does a port of it carry anything? */
final class DeviceCheck {
    private final Host host;
    private final MachineReport machine;

    private DeviceCheck(Host host, MachineReport machine) {
        this.host = host;
        this.machine = machine;
    }

    static List<Finding> of(Host host, MachineReport machine, Optional<String> asked, List<DeviceReport> devices) {
        if (devices.isEmpty()) {
            Explanation explanation =
                    asked.map(name -> Explanations.open(host, name)).orElseGet(() -> Explanations.noDevice(host));
            return List.of(error(
                    "no-device", asked.orElse("RDMA devices"), explanation, "everything: there is nothing to open"));
        }
        DeviceCheck check = new DeviceCheck(host, machine);
        return eased(devices.stream().map(check::device).toList());
    }

    /** Where one of several does, what is wrong with the others is not that bad. */
    private static List<Finding> eased(List<List<Finding>> alternatives) {
        boolean oneDoes = alternatives.stream()
                .anyMatch(findings -> findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR));
        return alternatives.stream()
                .flatMap(List::stream)
                .map(finding -> oneDoes ? finding.eased() : finding)
                .toList();
    }

    private List<Finding> device(DeviceReport device) {
        List<Finding> findings = new ArrayList<>(access(device));
        findings.addAll(eased(device.ports().stream()
                .map(port -> PortCheck.of(host, device.name(), port))
                .toList()));
        return findings;
    }

    private List<Finding> access(DeviceReport device) {
        if (device.device().uverbs().isEmpty()) {
            return refused("no-user-interface", device);
        }
        if (device.node().isEmpty()) {
            return refused("node-missing", device);
        }
        if (device.refusal().isPresent()) {
            return refused("node-refused", device);
        }
        Optional<String> provider = device.device().provider();
        if (machine.libraries().verbs().isPresent()
                && provider.isPresent()
                && !(machine.configuredProviders().contains(provider.get())
                        && machine.libraries().hasProvider(provider.get()))) {
            return List.of(error(
                    "provider-missing",
                    device.name(),
                    Explanations.provider(host, device.name()),
                    "the device: programs do not see it"));
        }
        return device.controlGroup().filter(DeviceCheck::isFull).isPresent() ? List.of(full(device)) : List.of();
    }

    private List<Finding> refused(String code, DeviceReport device) {
        return List.of(error(
                code,
                device.name(),
                Explanations.open(host, device.name()),
                "the device: this process cannot open it"
                        + device.refusal().map(reason -> " (" + reason + ")").orElse("")));
    }

    private static boolean isFull(RdmaControlGroup group) {
        return isFull(group.objects().orElse(0), group.maxObjects().orElse(Long.MAX_VALUE))
                || isFull(group.handles().orElse(0), group.maxHandles().orElse(Long.MAX_VALUE));
    }

    private static boolean isFull(long used, long max) {
        return used >= max;
    }

    private Finding full(DeviceReport device) {
        return error(
                "control-group-full",
                device.name(),
                Explanations.creationOutOfMemory(host, device.name()),
                "opening the device once more, or creating an object on it");
    }

    private static Finding error(String code, String subject, Explanation explanation, String breaks) {
        return new Finding(code, Severity.ERROR, subject, explanation.cause(), breaks, explanation.next());
    }
}
