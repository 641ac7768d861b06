package io.github.verbs4j.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What comes before the first message, from {@code verbs bench start}. */
final class StartSection {
    private static final Map<String, String> STEPS = new LinkedHashMap<>();

    static {
        STEPS.put("first_completion", "a process, from its start to its first completion");
        STEPS.put("first_completion_aot", "the same, with Java's classes in a cache");
        STEPS.put("open_to_rts", "from the list of devices to a queue pair in RTS");
        STEPS.put("queue_pair", "a queue pair, created and destroyed");
    }

    private StartSection() {}

    static void write(Recorded recorded, Report report) {
        Origin origin = Origin.of(recorded);
        List<Recorded> lines = recorded.objects("lines").stream()
                .filter(line -> !line.values().containsKey("skipped"))
                .toList();
        Page page = report.page();
        page.section("Start, connection, registration");
        page.paragraph(
                "`./verbs bench start`: what comes before the first message, Java and C in turns. Times are medians, a ratio is"
                        + " the median of the rounds' ratios.");
        if (origin.emulated()) {
            page.caution(List.of(
                    "The machine is emulated, several times slower than the computer that it runs on, and Java, which translates"
                            + " its own code while it starts, slower still. The times are not to be quoted."));
        }
        StartPictures pictures = new StartPictures(
                recorded.text("device") + ", " + origin.summary() + (origin.emulated() ? "; emulated" : ""));
        steps(lines, page);
        registrations(only(lines, "register"), pictures, report);
        sharedQueues(only(lines, "shared_queue"), pictures, report);
        List<List<String>> facts = origin.facts();
        facts.add(List.of("Java options", "`" + String.join(" ", recorded.texts("java_options")) + "`"));
        facts.add(List.of("device", recorded.text("device")));
        page.facts(facts);
    }

    private static List<Recorded> only(List<Recorded> lines, String name) {
        return lines.stream().filter(line -> line.text("case").equals(name)).toList();
    }

    private static void steps(List<Recorded> lines, Page page) {
        List<List<String>> rows = new ArrayList<>();
        for (Map.Entry<String, String> step : STEPS.entrySet()) {
            for (Recorded line : only(lines, step.getKey())) {
                rows.add(row(step.getValue(), line));
            }
        }
        if (!rows.isEmpty()) {
            page.table(List.of("what", "C, µs", "Java, µs", "Java / C"), 1, rows);
        }
    }

    private static void registrations(List<Recorded> lines, StartPictures pictures, Report report) {
        if (lines.isEmpty()) {
            return;
        }
        report.page().paragraph("Memory, mapped and registered, and given back:");
        if (lines.size() > 1) {
            report.show("start-registration", pictures.registrationOverSize(lines));
        }
        report.page()
                .table(
                        List.of("size", "C, µs", "Java, µs", "Java / C"),
                        0,
                        lines.stream()
                                .map(line -> row(Numbers.bytes(line.number("size")), line))
                                .toList());
    }

    private static List<String> row(String what, Recorded line) {
        return List.of(
                what,
                Numbers.fixed(line.number("c_us"), 1),
                Numbers.fixed(line.number("java_us"), 1),
                Numbers.fixed(line.number("ratio"), 2));
    }

    private static void sharedQueues(List<Recorded> lines, StartPictures pictures, Report report) {
        if (lines.isEmpty()) {
            return;
        }
        report.page()
                .paragraph(
                        "Queue pairs that share one completion queue, a write going round them all, in Java; the last column holds"
                                + " each against the first of its round:");
        if (lines.size() > 1) {
            report.show("start-shared-queue", pictures.timeOverPairs(lines));
        }
        report.page()
                .table(
                        List.of("queue pairs", "a write, µs", "to the first"),
                        0,
                        lines.stream()
                                .map(line -> List.of(
                                        Integer.toString(line.whole("pairs")),
                                        Numbers.fixed(line.number("java_us"), 1),
                                        Numbers.fixed(line.number("to_first"), 2)))
                                .toList());
    }
}
