package io.github.verbs4j.tools;

import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.doctor.DeviceReport;
import io.github.verbs4j.doctor.Examination;
import io.github.verbs4j.doctor.MachineReport;
import io.github.verbs4j.doctor.PortReport;
import io.github.verbs4j.doctor.ProcessReport;
import io.github.verbs4j.host.ByteLimit;
import io.github.verbs4j.host.Capability;
import io.github.verbs4j.host.DeviceNode;
import io.github.verbs4j.host.LibraryFile;
import io.github.verbs4j.host.NumaNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** {@code doctor --json}: the object that docs/doctor.md describes. What is unknown, or not there, is null. */
final class DoctorJson {
    /** Rises when a field changes its meaning or goes; fields may come without. */
    private static final int SCHEMA = 1;

    private DoctorJson() {}

    static Map<String, Object> of(Examination examination) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", SCHEMA);
        json.put("fit", examination.isFit());
        json.put("verdict", examination.verdict());
        json.put("findings", examination.findings().stream().map(Json::fields).toList());
        json.put("machine", examination.machine().map(DoctorJson::machine).orElse(null));
        json.put("process", examination.process().map(DoctorJson::process).orElse(null));
        json.put(
                "devices",
                examination.devices().stream().map(DoctorJson::device).toList());
        return json;
    }

    private static Map<String, Object> machine(MachineReport machine) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kernel", machine.kernel().orElse(null));
        json.put("distribution", machine.distribution().title());
        json.put("family", machine.distribution().family().name());
        json.put("container", machine.container().kind().name());
        json.put("namespaceMode", machine.namespaceMode().name());
        Map<String, Object> modules = new LinkedHashMap<>();
        machine.modules().forEach((name, state) -> modules.put(name, state.name()));
        json.put("modules", modules);
        json.put("rdmaCm", machine.connectionManager().map(DoctorJson::node).orElse(null));
        json.put("libibverbs", library(machine.libraries().verbs()));
        json.put("librdmacm", library(machine.libraries().connectionManager()));
        json.put("providerVersion", number(machine.libraries().providerVersion()));
        json.put("configuredProviders", machine.configuredProviders());
        json.put(
                "providers",
                machine.libraries().providers().stream().map(Json::fields).toList());
        json.put("memoryAvailable", limit(machine.available()));
        json.put("hugePages", machine.hugePages().stream().map(Json::fields).toList());
        json.put(
                "numaNodes",
                machine.numaNodes().stream().map(DoctorJson::numaNode).toList());
        return json;
    }

    private static Map<String, Object> numaNode(NumaNode node) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("number", node.number());
        json.put("cpus", node.cpus().toString());
        json.put("memoryFree", number(node.freeBytes()));
        return json;
    }

    private static Map<String, Object> library(Optional<LibraryFile> library) {
        if (library.isEmpty()) {
            return null;
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", library.get().path());
        json.put("version", library.get().version().orElse(null));
        return json;
    }

    private static Map<String, Object> node(DeviceNode node) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", node.path());
        json.put("permissions", node.permissions());
        json.put("owner", node.owner());
        json.put("group", node.group());
        return json;
    }

    private static Map<String, Object> process(ProcessReport process) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("userId", number(process.userId()));
        json.put(
                "capabilities",
                Arrays.stream(Capability.values())
                        .filter(process.capabilities()::has)
                        .map(Enum::name)
                        .toList());
        json.put("initialUserNamespace", process.capabilities().initialNamespace());
        json.put("liftsLockedMemory", process.capabilities().liftsMemoryLock());
        json.put("cpus", process.cpus().isEmpty() ? null : process.cpus().toString());
        json.put("lockedMemory", limit(process.limits().lockedSoft()));
        json.put("lockedMemoryHard", limit(process.limits().lockedHard()));
        json.put("pinned", number(process.use().pinned()));
        json.put("controlGroupMemory", limit(process.limits().controlGroup()));
        json.put("mappings", number(process.use().mappings()));
        json.put("maxMappings", number(process.limits().maxMapCount()));
        return json;
    }

    private static Map<String, Object> device(DeviceReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", report.name());
        json.put("driver", report.device().driver().orElse(null));
        json.put("provider", report.device().provider().orElse(null));
        json.put("numaNode", number(report.device().numaNode()));
        json.put("node", report.node().map(DoctorJson::node).orElse(null));
        json.put("openRefusal", report.refusal().orElse(null));
        json.put("ports", report.ports().stream().map(DoctorJson::port).toList());
        return json;
    }

    private static Map<String, Object> port(PortReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("number", report.port().number());
        json.put("state", report.port().state());
        json.put("physicalState", report.port().physicalState());
        json.put("linkLayer", report.port().linkLayer());
        json.put("rate", report.port().rate());
        json.put("interface", report.port().netDevice().orElse(null));
        json.put("interfaceUp", report.network().map(network -> network.up()).orElse(null));
        json.put(
                "interfaceMtu",
                report.network().map(network -> number(network.mtu())).orElse(null));
        Optional<GidEntry> preferred = report.preferredGid();
        json.put("preferredGid", preferred.map(GidEntry::index).orElse(null));
        json.put("gids", report.gids().entries().stream().map(DoctorJson::gid).toList());
        Map<String, Object> counters = new LinkedHashMap<>();
        report.counters().all().forEach(counter -> counters.putIfAbsent(counter.name(), counter.value()));
        json.put("counters", counters);
        return json;
    }

    private static Map<String, Object> gid(GidEntry entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("index", entry.index());
        json.put("gid", entry.gid().toString());
        json.put("type", entry.type().name());
        return json;
    }

    /** Unlimited is -1, unknown is null. */
    private static Long limit(ByteLimit limit) {
        return limit.isUnlimited() ? Long.valueOf(-1) : limit.isKnown() ? Long.valueOf(limit.bytes()) : null;
    }

    private static Long number(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    private static Integer number(OptionalInt value) {
        return value.isPresent() ? value.getAsInt() : null;
    }
}
