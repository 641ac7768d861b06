package io.github.verbs4j.bench.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What comes before the first message, from {@code verbs bench start}: a table of its lines. */
final class StartSection {
    private StartSection() {}

    static void write(Recorded recorded, Report report) {
        List<Recorded> lines = recorded.objects("lines");
        Page page = report.page();
        page.section("Start, connection, registration");
        page.paragraph("`./verbs bench start`: what comes before the first message, Java and C in turns, on device `"
                + recorded.text("device") + "`. Times are medians, a ratio is the median of the rounds' ratios.");
        Set<String> names = new LinkedHashSet<>();
        lines.forEach(line -> line.values().keySet().forEach(name -> names.add(name.toString())));
        List<String> columns = List.copyOf(names);
        page.table(
                columns.stream().map(StartSection::title).toList(),
                1,
                lines.stream().map(line -> row(line, columns)).toList());
        page.facts(Origin.of(recorded).facts());
    }

    private static String title(String name) {
        return name.replace("_us", ", µs").replace('_', ' ');
    }

    private static List<String> row(Recorded line, List<String> columns) {
        return columns.stream()
                .map(column -> Objects.toString(line.values().get(column), ""))
                .toList();
    }
}
