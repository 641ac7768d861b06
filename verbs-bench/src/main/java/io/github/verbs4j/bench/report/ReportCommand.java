package io.github.verbs4j.bench.report;

import io.github.verbs4j.bench.BenchFailure;
import io.github.verbs4j.bench.DirectoryName;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verbs bench report}. */
@Command(
        name = "report",
        header = "Draws what the other commands have left: pictures, and a page that shows them.",
        description = {
            "",
            "Reads overhead.json, pingpong.json and start.json, which the commands of these names leave, and writes"
                    + " results.md and its pictures (SVG). What is not there is not drawn, and told with the command that"
                    + " makes it. The same results make the same files.",
            ""
        })
public final class ReportCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--results",
            paramLabel = "DIRECTORY",
            converter = DirectoryName.class,
            defaultValue = "${sys:io.github.verbs4j.bench.results:-target/bench}",
            description = "Where the results are. Default: target/bench.")
    private Path results;

    @Option(
            names = "--output",
            paramLabel = "DIRECTORY",
            converter = DirectoryName.class,
            defaultValue = "${sys:io.github.verbs4j.bench.report:-docs/benchmarks}",
            description = "Where the page and the pictures are put. Default: docs/benchmarks.")
    private Path output;

    /** Made by picocli. */
    public ReportCommand() {}

    @Override
    public void run() {
        System.setProperty("java.awt.headless", "true"); // there may be no display, and none is needed
        Report report = new Report();
        report.page()
                .paragraph(
                        "Drawn by `./verbs bench report` from the results of one machine; how to measure your own device"
                                + " is told in `docs/benchmarks/README.md`.");
        Map<String, BiConsumer<Recorded, Report>> sections = sections();
        int drawn = 0;
        for (Map.Entry<String, BiConsumer<Recorded, Report>> section : sections.entrySet()) {
            Optional<Recorded> recorded = Recorded.read(results, section.getKey());
            recorded.ifPresentOrElse(
                    found -> section.getValue().accept(found, report), () -> tellMissing(section.getKey()));
            drawn += recorded.isPresent() ? 1 : 0;
        }
        if (drawn == 0) {
            throw new BenchFailure("there are no results in '" + results + "' to draw");
        }
        PrintWriter out = spec.commandLine().getOut();
        report.writeTo(output).forEach(file -> out.println("wrote " + file));
        out.flush();
    }

    private static Map<String, BiConsumer<Recorded, Report>> sections() {
        Map<String, BiConsumer<Recorded, Report>> sections = new LinkedHashMap<>();
        sections.put("overhead", OverheadSection::write);
        sections.put("pingpong", PingpongSection::write);
        sections.put("start", StartSection::write);
        return sections;
    }

    private void tellMissing(String command) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("no results of " + command + " in '" + results + "'; " + Recorded.remedy(command));
        err.flush();
    }
}
