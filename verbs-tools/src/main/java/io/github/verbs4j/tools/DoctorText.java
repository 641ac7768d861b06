package io.github.verbs4j.tools;

import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.doctor.DeviceReport;
import io.github.verbs4j.doctor.Examination;
import io.github.verbs4j.doctor.Finding;
import io.github.verbs4j.doctor.MachineReport;
import io.github.verbs4j.doctor.PortReport;
import io.github.verbs4j.doctor.ProcessReport;
import io.github.verbs4j.doctor.Severity;
import io.github.verbs4j.host.ByteLimit;
import io.github.verbs4j.host.Capability;
import io.github.verbs4j.host.DeviceNode;
import io.github.verbs4j.host.HugePages;
import io.github.verbs4j.host.Libraries;
import io.github.verbs4j.host.LibraryFile;
import io.github.verbs4j.host.ModuleState;
import io.github.verbs4j.host.NumaNode;
import io.github.verbs4j.host.RdmaControlGroup;
import io.github.verbs4j.host.RdmaPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** {@code doctor} for people: what there is, aligned; then the findings, the worst last, where the eye is. */
final class DoctorText {
    private static final int WIDTH = 110;

    private final List<String> lines = new ArrayList<>();
    private final Ansi ansi;

    DoctorText(Ansi ansi) {
        this.ansi = ansi;
    }

    List<String> all(Examination examination) {
        examination.machine().ifPresent(this::machine);
        examination.process().ifPresent(this::process);
        examination.devices().forEach(this::device);
        findings(examination.findings());
        lines.add(styled(examination.isFit() ? "bold,green" : "bold,red", examination.verdict()));
        return lines;
    }

    List<String> findings(List<Finding> findings) {
        findings.stream().sorted(Comparator.comparing(Finding::severity)).forEach(this::finding);
        return lines;
    }

    private void machine(MachineReport machine) {
        lines.add("machine");
        row("kernel", machine.kernel().orElse("unknown"));
        row("distribution", or(machine.distribution().title(), "unknown"));
        row(
                "container",
                machine.container().isInside() ? Text.words(machine.container().kind()) : "no");
        row(
                "modules",
                machine.modules().entrySet().stream()
                        .map(module -> module.getKey() + " " + words(module.getValue()))
                        .collect(Collectors.joining(", ")));
        row("namespaces", Text.words(machine.namespaceMode()));
        row("libibverbs", library(machine.libraries().verbs()));
        row("librdmacm", library(machine.libraries().connectionManager()));
        row("providers", providers(machine));
        row("rdma_cm", machine.connectionManager().map(DoctorText::node).orElse("not there"));
        row("memory", machine.available() + " available");
        row("huge pages", hugePages(machine.hugePages()));
        row("NUMA nodes", nodes(machine.numaNodes()));
        lines.add("");
    }

    private static String providers(MachineReport machine) {
        Libraries libraries = machine.libraries();
        List<String> usable = machine.configuredProviders().stream()
                .filter(libraries::hasProvider)
                .toList();
        return usable.isEmpty()
                ? "none"
                : String.join(", ", usable)
                        + (libraries.providerVersion().isPresent()
                                ? " (interface version "
                                        + libraries.providerVersion().getAsInt() + ")"
                                : "");
    }

    private static String library(Optional<LibraryFile> library) {
        return library.map(file -> file.path()
                        + file.version()
                                .map(version -> " (rdma-core " + version + ")")
                                .orElse(""))
                .orElse("not there");
    }

    private static String words(ModuleState state) {
        return switch (state) {
            case LOADED -> "loaded";
            case BUILT_IN -> "built in";
            case INSTALLED, NOT_LOADED -> "not loaded";
            case ABSENT -> "not installed";
        };
    }

    private static String hugePages(List<HugePages> pools) {
        String text = pools.stream()
                .filter(pool -> pool.total() > 0)
                .map(pool -> pool.available() + " of " + pool.total() + " of " + ByteLimit.format(pool.pageBytes())
                        + " available")
                .collect(Collectors.joining(", "));
        return or(text, "none reserved");
    }

    private static String nodes(List<NumaNode> nodes) {
        String text = nodes.stream()
                .map(node -> node.number() + " (processors " + node.cpus() + ")")
                .collect(Collectors.joining(", "));
        return or(text, "unknown");
    }

    private void process(ProcessReport process) {
        lines.add("process");
        row("user", process.userId().orElse(-1) == 0 ? "root" : "number " + number(process.userId()));
        row("capabilities", capabilities(process));
        row(
                "locked memory",
                "limit " + process.limits().lockedSoft() + ", hard limit "
                        + process.limits().lockedHard() + ", pinned "
                        + bytes(process.use().pinned())
                        + (process.capabilities().liftsMemoryLock() ? "; CAP_IPC_LOCK lifts it" : ""));
        row("processors", or(process.cpus().toString(), "unknown"));
        row("control group", "memory " + process.limits().controlGroup());
        row(
                "mappings",
                number(process.use().mappings()) + " of "
                        + number(process.limits().maxMapCount()));
        lines.add("");
    }

    private static String capabilities(ProcessReport process) {
        if (process.capabilities().effective().isEmpty()) {
            return "unknown";
        }
        String held = Arrays.stream(Capability.values())
                .filter(process.capabilities()::has)
                .map(Enum::name)
                .collect(Collectors.joining(", "));
        return or(held, "none that matters to RDMA")
                + (process.capabilities().initialNamespace() ? "" : " (in a user namespace of its own)");
    }

    private void device(DeviceReport report) {
        lines.add("device " + report.name());
        row("driver", report.device().driver().orElse("unknown"));
        row("node", node(report));
        row(
                "NUMA node",
                report.device().numaNode().isPresent()
                        ? "" + report.device().numaNode().getAsInt()
                        : "none");
        report.controlGroup().ifPresent(group -> row("control group", controlGroup(group)));
        report.ports().forEach(this::port);
        lines.add("");
    }

    private static String node(DeviceReport report) {
        String opening =
                report.refusal().map(reason -> "does not open: " + reason).orElse("opens");
        return report.node()
                .map(node -> node(node) + ", " + opening)
                .or(() -> report.device().uverbs().map(name -> name + ", which is not in " + DeviceNode.DIRECTORY))
                .orElse("none");
    }

    private static String node(DeviceNode node) {
        return node.path() + " " + node.permissions() + " " + node.owner() + ":" + node.group();
    }

    private static String controlGroup(RdmaControlGroup group) {
        return number(group.objects()) + " objects of " + limit(group.maxObjects()) + ", open "
                + number(group.handles()) + " times of " + limit(group.maxHandles());
    }

    private void port(PortReport report) {
        RdmaPort port = report.port();
        row(
                "port " + port.number(),
                port.state() + ", " + port.physicalState() + ", " + port.linkLayer() + " " + port.rate()
                        + report.network()
                                .map(network -> ", " + network.name()
                                        + (network.up() ? " up" : " off")
                                        + (network.mtu().isPresent()
                                                ? " mtu " + network.mtu().getAsInt()
                                                : ""))
                                .orElse(""));
        Optional<GidEntry> preferred = report.preferredGid();
        if (preferred.isEmpty()) {
            row("", "no GID");
        }
        for (GidEntry entry : report.gids().entries()) {
            row(
                    "",
                    "GID " + entry.index() + "  " + Text.gidType(entry.type()) + "  " + entry.gid()
                            + (entry.equals(preferred.get()) ? "   <- use this one" : ""));
        }
    }

    private void finding(Finding finding) {
        String severity = finding.severity().name();
        lines.add(styled(style(finding.severity()), severity)
                + " ".repeat(9 - severity.length())
                + styled("bold", finding.subject()));
        prose("seen", finding.seen());
        prose("breaks", finding.breaks());
        verbatim("type", finding.remedy());
        lines.add("");
    }

    private static String style(Severity severity) {
        return switch (severity) {
            case ERROR -> "bold,red";
            case WARNING -> "bold,yellow";
            case INFO -> "bold,cyan";
        };
    }

    private String styled(String style, String text) {
        return ansi.string("@|" + style + " " + text + "|@");
    }

    private void prose(String label, String text) {
        verbatim(label, wrapped(text, WIDTH - 10));
    }

    /** Its lines broken between words where they grow too wide. */
    private static String wrapped(String text, int width) {
        return text.lines().map(line -> wrappedLine(line, width)).collect(Collectors.joining("\n"));
    }

    private static String wrappedLine(String text, int width) {
        StringBuilder lines = new StringBuilder();
        int start = 0;
        for (String word : text.split(" ", -1)) {
            if (lines.length() > start && lines.length() - start + word.length() >= width) {
                lines.append('\n');
                start = lines.length();
            }
            lines.append(lines.length() > start ? " " : "").append(word);
        }
        return lines.toString();
    }

    private void verbatim(String label, String text) {
        rows("  %-8s%s", label, text);
    }

    private void row(String label, String value) {
        rows("  %-15s%s", label, wrapped(value, WIDTH - 17));
    }

    /** The label before the first line only. */
    private void rows(String format, String label, String text) {
        String prefix = label;
        for (String line : text.lines().toList()) {
            lines.add(String.format(format, prefix, line).stripTrailing());
            prefix = "";
        }
    }

    private static String or(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    private static String bytes(OptionalLong value) {
        return value.isPresent() ? ByteLimit.format(value.getAsLong()) : "unknown";
    }

    private static String number(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "unknown";
    }

    private static String limit(OptionalLong value) {
        return value.isPresent() ? "at most " + value.getAsLong() : "any number";
    }
}
