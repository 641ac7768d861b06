package io.github.verbs4j.it.oracle;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The oracle: rdma-core's own suite, pyverbs, on the same device. Where a case of it fails beside the test of ours that stands
 * for it, the device is to blame; where only ours fails, we are. Which stands for which is told by {@code docs/coverage.md}.
 */
@SoftRoceMachine
class PyverbsIT {
    private static final Path SUITE = Path.of("/usr/share/doc/rdma-core/tests");
    private static final Path PAGE = Path.of(System.getProperty("root.directory"), "docs/coverage.md");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Pattern ROW =
            Pattern.compile("^\\| `(test_\\w+)\\.py` \\| `(test_\\w+)` \\| `([\\w.]+)` \\|$", Pattern.MULTILINE);
    private static final Pattern CASE =
            Pattern.compile("^(test_\\w+) \\(tests\\.(test_\\w+)\\.[\\w.]+\\)", Pattern.MULTILINE);
    private static final Pattern PASSED = Pattern.compile("(^|\\.\\.\\. )ok$", Pattern.MULTILINE);
    private static final Pattern FAILED = Pattern.compile("(^|\\.\\.\\. )(FAIL|ERROR|skipped .*)$", Pattern.MULTILINE);

    /** {@code IB_UVERBS_DEVICE_ATOMIC_WRITE}, which Soft-RoCE got together with flushes. */
    private static final long ATOMIC_WRITE = 1L << 40;

    /** Cases that came after rdma-core 44, whose suite is the oldest that runs here. */
    private static final Set<String> NEWER = Set.of(
            "test_get_pkey_index",
            "test_create_ud_qp_with_privileged_qkey",
            "test_modify_rc_qp_rd_atomic",
            "test_qp_ex_rc_flush",
            "test_qp_ex_rc_flush_type_violate",
            "test_qp_ex_rc_rdma_write_zero_size",
            "test_rc_srq_traffic",
            "test_resize_srq",
            "test_modify_srq_limit");

    /**
     * Cases that count on completions as soon as they have posted. With Soft-RoCE of Linux 6.12 these come a little later, from a
     * thread of the kernel; with that of 6.1 in time.
     */
    private static final Set<String> HASTY = Set.of("test_resize_cq");

    /** What the suite said of each case, by file and case. */
    private static final Map<String, String> SAID = new HashMap<>();

    /** What it said of all that failed. */
    private static String failures;

    @BeforeAll
    static void runTheSuite(@TempDir Path copy) throws IOException {
        assertTrue(Files.isDirectory(SUITE), () -> SUITE + " is not there: it is of Debian's package python3-pyverbs");
        unpack(copy);
        String output = Shell.run(command(copy), PATIENCE).output();
        Matcher next = CASE.matcher(output);
        boolean more = next.find();
        while (more) {
            String one = key(next.group(2), next.group(1));
            int begin = next.end();
            more = next.find();
            SAID.merge(one, output.substring(begin, more ? next.start() : output.length()), String::concat);
        }
        failures = output.substring(Math.max(0, output.indexOf("\n=====")));
        assertTrue(SAID.size() > 80, () -> "the suite did not run: " + output);
    }

    /** Most files are compressed, as documentation is; those with no case on the page are left out. */
    private static void unpack(Path target) throws IOException {
        Set<Object> files = cases().map(one -> one.get()[0]).collect(Collectors.toSet());
        try (DirectoryStream<Path> suite = Files.newDirectoryStream(SUITE)) {
            for (Path file : suite) {
                String packed = file.getFileName().toString();
                String name = packed.replaceFirst("\\.gz$", "");
                if (!name.startsWith("test_") || files.contains(name.replaceFirst("\\.py$", ""))) {
                    InputStream raw = Files.newInputStream(file);
                    try (InputStream content = packed.equals(name) ? raw : new GZIPInputStream(raw)) {
                        Files.copy(content, target.resolve(name));
                    }
                }
            }
        }
    }

    private static List<String> command(Path suite) {
        try (DeviceContext context = Rdma.open()) {
            return List.of(
                    "/usr/bin/python3", // the one that the distribution's modules are for
                    suite.resolve("run_tests.py").toString(),
                    "--verbose",
                    "--dev",
                    context.device().name(),
                    "--port",
                    Integer.toString(Rdma.port()),
                    "--gid",
                    Integer.toString(Rdma.gid(context).index()));
        }
    }

    private static String key(String file, String name) {
        return file + "." + name;
    }

    static Stream<Arguments> cases() throws IOException {
        return ROW.matcher(Files.readString(PAGE))
                .results()
                .map(row -> Arguments.of(row.group(1), row.group(2), row.group(3)));
    }

    @ParameterizedTest(name = "{0}.{1}, as {2}")
    @MethodSource("cases")
    void shouldPass(String file, String name, String ours) {
        String said = SAID.get(key(file, name));
        assertTrue(said != null || NEWER.contains(name), () -> name + " is no case of " + file + ".py");
        assumeTrue(said != null, () -> name + " is newer than the suite here");
        assumeTrue(isDone(ours), () -> name + " needs Linux 6.2");
        boolean passed = PASSED.matcher(said).find() && !FAILED.matcher(said).find();
        assumeTrue(passed || !isHasty(name), () -> name + " does not wait for its completions");
        assertTrue(passed, () -> name + said + failures);
    }

    private static boolean isHasty(String name) {
        return HASTY.contains(name)
                && !Host.local().kernelRelease().orElseThrow().startsWith("6.1.");
    }

    /** Our tests skip what this device cannot do yet; the suite fails. */
    private static boolean isDone(String ours) {
        if (!ours.startsWith("NewerQpExIT.")) {
            return true;
        }
        try (DeviceContext context = Rdma.open()) {
            return (context.extendedAttributes().capabilityFlags() & ATOMIC_WRITE) != 0;
        }
    }
}
