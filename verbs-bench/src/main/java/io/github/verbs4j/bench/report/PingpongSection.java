package io.github.verbs4j.bench.report;

import java.util.Comparator;
import java.util.List;

/** Round trips over a connection, from {@code verbs bench pingpong}. */
final class PingpongSection {
    private static final List<String> COLUMNS = List.of(
            "message",
            "round trips",
            "C median, µs",
            "Java median, µs",
            "median ratio",
            "C p99, µs",
            "Java p99, µs",
            "p99 ratio",
            "C p99.9, µs",
            "Java p99.9, µs",
            "C longest, µs",
            "Java longest, µs");

    private PingpongSection() {}

    static void write(Recorded recorded, Report report) {
        Origin origin = Origin.of(recorded);
        List<PingpongResult> results = PingpongResult.all(recorded).stream()
                .sorted(Comparator.comparingInt(PingpongResult::size))
                .toList();
        List<String> caveats = recorded.texts("caveats");
        Page page = report.page();
        page.section("Round trips, end to end");
        page.paragraph(
                "`./verbs bench pingpong`: a message there and a message back over a reliable connection between two"
                        + " processes, both polling; the same program in Java and in C, in turns. A ratio is Java's median (99th"
                        + " percentile) divided by that of C in the same round, and of these the median of all rounds; the times are"
                        + " those of all round trips.");
        if (!caveats.isEmpty()) {
            page.caution(caveats);
        }
        PingpongPictures pictures = new PingpongPictures(subtitle(recorded, origin, caveats));
        report.show("pingpong-latency", pictures.latencyOverSize(results));
        results.forEach(result -> report.show("pingpong-percentiles-" + result.size(), pictures.percentiles(result)));
        page.table(COLUMNS, 0, results.stream().map(PingpongSection::row).toList());
        page.facts(facts(recorded, origin));
    }

    private static String subtitle(Recorded recorded, Origin origin, List<String> caveats) {
        String restriction = origin.emulated() ? "; emulated: ratios only" : "; software device: ratios only";
        return recorded.text("device") + ", " + origin.summary() + (caveats.isEmpty() ? "" : restriction);
    }

    private static List<String> row(PingpongResult result) {
        return List.of(
                Numbers.bytes(result.size()),
                Integer.toString(result.java().samples()),
                Numbers.fixed(result.c().median(), 1),
                Numbers.fixed(result.java().median(), 1),
                Numbers.fixed(result.medianRatio(), 3),
                Numbers.fixed(result.c().p99(), 1),
                Numbers.fixed(result.java().p99(), 1),
                Numbers.fixed(result.p99Ratio(), 3),
                Numbers.fixed(result.c().p999(), 1),
                Numbers.fixed(result.java().p999(), 1),
                Numbers.fixed(result.c().max(), 1),
                Numbers.fixed(result.java().max(), 1));
    }

    private static List<List<String>> facts(Recorded recorded, Origin origin) {
        List<List<String>> facts = origin.facts();
        facts.add(List.of("Java options", "`" + String.join(" ", recorded.texts("java_options")) + "`"));
        facts.add(List.of("device", recorded.text("device") + ", driver " + recorded.text("driver")));
        facts.add(List.of("placement", recorded.text("placement") + ", waiting: " + recorded.text("wait")));
        facts.add(List.of(
                "amount",
                recorded.whole("rounds") + " rounds of each size, " + recorded.whole("iterations")
                        + " round trips a turn"));
        return facts;
    }
}
