package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.github.verbs4j.doctor.Doctor;
import io.github.verbs4j.doctor.Examination;
import io.github.verbs4j.doctor.Finding;
import io.github.verbs4j.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;

/** What the doctor prints. */
class DoctorTest {
    private static final Pattern FIELD = Pattern.compile("^\\| `([a-zA-Z.\\[\\]*]+)` \\|", Pattern.MULTILINE);

    /** A machine with one of everything, whose port is down. */
    private static final Map<String, String> RECORDED = Map.ofEntries(
            Map.entry("proc/sys/kernel/osrelease", "6.8.0"),
            Map.entry("etc/libibverbs.d/mlx5.driver", "driver mlx5"),
            Map.entry("usr/lib64/libibverbs.so.1", "IBVERBS_PRIVATE_34"),
            Map.entry("usr/lib64/librdmacm.so.1", ""),
            Map.entry("usr/lib64/libibverbs/libmlx5-rdmav34.so", ""),
            Map.entry("dev/infiniband/rdma_cm", ""),
            Map.entry("dev/infiniband/uverbs0", ""),
            Map.entry("sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0"),
            Map.entry("sys/class/infiniband/mlx5_0/ports/1/state", "1: DOWN"),
            Map.entry("sys/class/infiniband/mlx5_0/ports/1/link_layer", "Ethernet"),
            Map.entry("sys/class/infiniband/mlx5_0/ports/1/gids/0", "fe80:0000:0000:0000:5054:0aff:fe09:0001"),
            Map.entry("sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/0", "RoCE v2"),
            Map.entry("sys/class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/0", "eth2"),
            Map.entry("sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence", "5"),
            Map.entry("sys/devices/system/node/node0/cpulist", "0-3"),
            Map.entry("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "8"),
            Map.entry("sys/class/net/eth2/flags", "0x1002"));

    private static Examination recorded(Path root) throws IOException {
        for (Map.Entry<String, String> file : RECORDED.entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue() + "\n");
        }
        return Doctor.of(Host.at(root)).examine();
    }

    @Test
    void theJsonIsWhatThePageSays(@TempDir Path root) throws IOException {
        Set<String> described = new TreeSet<>();
        Matcher matcher = FIELD.matcher(page());
        while (matcher.find()) {
            described.add(matcher.group(1));
        }
        described.removeIf(field -> !field.matches("(schema|fit|verdict|findings|machine|process|devices)\\b.*"));
        Set<String> printed = new TreeSet<>();
        fields("", JSON.std.mapFrom(Json.text(DoctorJson.of(recorded(root)))), printed);
        printed.removeIf(field -> field.startsWith("machine.rdmaCm."));
        printed.addAll(List.of("machine", "process", "machine.rdmaCm", "process.capabilities[]"));

        assertEquals(described, printed);
    }

    private static void fields(String prefix, Object value, Set<String> fields) {
        if (value instanceof Map<?, ?> object) {
            object.forEach((name, inner) -> {
                boolean free = prefix.endsWith(".modules.") || prefix.endsWith(".counters.");
                fields(prefix + (free ? "*" : name) + (isPlain(inner) ? "" : "."), inner, fields);
            });
        } else if (value instanceof Collection<?> list) {
            String each = prefix.substring(0, prefix.length() - 1) + "[]";
            list.forEach(inner -> fields(each + (isPlain(inner) ? "" : "."), inner, fields));
        } else {
            fields.add(prefix);
        }
    }

    private static boolean isPlain(Object value) {
        return !(value instanceof Map) && !(value instanceof Collection);
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/doctor.md"));
    }

    @Test
    void thePageKnowsEveryCode() throws IOException {
        Matcher code = Pattern.compile("\"([a-z]+(?:-[a-z0-9]+)+)\"").matcher(sources());
        Set<String> codes = new TreeSet<>();
        while (code.find()) {
            codes.add(code.group(1));
        }
        assertTrue(codes.containsAll(Set.of("no-answer", "library-missing", "connection-manager")), codes::toString);
        String page = page();
        codes.forEach(one -> assertTrue(page.contains("| `" + one + "` |"), one));
    }

    private static String sources() throws IOException {
        StringBuilder text = new StringBuilder();
        try (var files = Files.list(Path.of("../verbs-core/src/main/java/io/github/verbs4j/doctor"))) {
            for (Path file : files.toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }

    @Test
    void peopleSeeTheWorstLastAndTheVerdict(@TempDir Path root) throws IOException {
        Examination examination = recorded(root);
        List<String> lines = new DoctorText(Ansi.OFF).all(examination);

        assertEquals("not fit for RDMA: 1 error", lines.getLast());
        assertTrue(lines.contains("device mlx5_0"), lines::toString);
        assertTrue(lines.contains("ERROR    mlx5_0 port 1"), lines::toString);
        assertTrue(lines.contains("  type    ip link set eth2 up"), lines::toString);
        assertTrue(lines.stream().noneMatch(line -> line.length() > 120 || line.endsWith(" ")), lines::toString);
    }

    @Test
    void coloursAreForTerminals(@TempDir Path root) throws IOException {
        List<Finding> findings = recorded(root).findings();

        assertTrue(String.join("\n", new DoctorText(Ansi.ON).findings(findings)).contains("\u001b["));
        assertFalse(
                String.join("\n", new DoctorText(Ansi.AUTO).findings(findings)).contains("\u001b["));
    }

    @Test
    void thisMachineWithoutADeviceIsNotFit() {
        assumeTrue(Host.local().rdmaDevices().isEmpty(), "this machine has an RDMA device");
        Run run = Run.of("doctor");

        assertEquals(1, run.status());
        assertEquals("", run.err());
        assertTrue(run.out().contains("./verbs softroce COMMAND"), run.out());
        assertTrue(run.out().contains("\nnot fit for RDMA: "), run.out());
        assertEquals(1, Run.of("doctor", "--json", "--device", "x").status());
        assertFalse(Run.of("doctor", "--quiet").out().contains("machine\n"));
    }

    @Test
    void amountsAreTypedAsPeopleDo() {
        ByteCount count = new ByteCount();

        assertEquals(4096, count.convert("4096"));
        assertEquals(64 << 10, count.convert("64k"));
        assertEquals(512 << 20, count.convert("512MiB"));
        assertEquals(2L << 30, count.convert("2GB"));
    }
}
