package io.github.verbs4j.it.recipe;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes of the page of troubleshooting, typed as they stand. */
@SoftRoceMachine
class RecipesIT {
    /** A row of the table of packages: what, Debian's package, the RHEL family's, a file of Debian's. */
    private static final Pattern PACKAGE =
            Pattern.compile("^\\|.*\\| `([\\w-]+)` \\| `[\\w-]+` \\| `([^`]+)` \\|$", Pattern.MULTILINE);

    @TempDir
    private Path directory;

    private static String recipe(String heading) {
        Matcher block = Pattern.compile("^### " + heading + "\n\n```sh\n(.*?)```", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(Troubleshooting.page());
        assertTrue(block.find(), () -> "no recipe '" + heading + "'");
        return block.group(1);
    }

    private String type(String recipe) {
        return Shell.run(List.of("sh", "-c", "cd '" + directory + "'\n" + recipe))
                .output();
    }

    @Test
    void shouldShowTheCallsIntoTheKernel() {
        String recipe = recipe("Which calls the program makes into the kernel");
        Troubleshooting.line("B10")
                .when("calls")
                .mustBeIn(type(recipe.replace("PROGRAM", "ibv_devinfo -d " + Rdma.device())));
    }

    @Test
    void shouldShowWhatTheKernelSaid() {
        Troubleshooting.line("B10").when("log").mustBeIn(type(recipe("What the kernel said")));
    }

    @Test
    void shouldLetTheKernelTellMore() {
        List<String> lines =
                recipe("Let the kernel tell more").lines().map(String::strip).toList();
        String tryAgain = "ibv_rc_pingpong -d " + Rdma.device() + " -g 1 -r 100000000";
        String count = "$(dmesg | grep -c max_cqe)";
        String said = type(String.join(
                "\n",
                lines.get(0),
                tryAgain,
                lines.get(1),
                lines.get(2),
                "before=" + count,
                tryAgain,
                "echo $((" + count + " - before)) lines since"));
        Troubleshooting.line("B10").when("more").mustBeIn(said);
        assertTrue(said.contains("0 lines since"), said);
    }

    /** Of what is installed here. */
    @Test
    void shouldNameThePackagesThatDebianHas() {
        assumeTrue(Files.exists(Path.of("/usr/bin/dpkg-query")), "packages of Debian: on Debian only");
        List<MatchResult> rows =
                PACKAGE.matcher(Troubleshooting.page()).results().toList();
        List<String> command = new ArrayList<>(List.of("dpkg-query", "-S")); // once: its lists are long
        rows.forEach(row -> command.add(row.group(2)));
        List<String> owners = Shell.run(command)
                .output()
                .lines()
                .filter(line -> !line.startsWith("dpkg-query:"))
                .toList();
        int found = 0;
        for (MatchResult row : rows) {
            List<String> its =
                    owners.stream().filter(line -> line.contains(row.group(2))).toList();
            Pattern owner = Pattern.compile(Pattern.quote(row.group(1)) + "(t64)?(:\\w+)?: "); // since 64-bit time
            found += its.isEmpty() ? 0 : 1;
            assertTrue(
                    its.isEmpty()
                            || its.stream().anyMatch(line -> owner.matcher(line).lookingAt()),
                    () -> row.group(1) + " does not have " + row.group(2) + ", but: " + its);
        }
        assertTrue(found >= 6, "only " + found + " are installed");
    }
}
