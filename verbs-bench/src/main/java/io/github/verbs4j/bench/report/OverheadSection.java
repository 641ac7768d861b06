package io.github.verbs4j.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What posting and polling cost beside C, from {@code verbs bench overhead}. */
final class OverheadSection {
    private static final List<String> COLUMNS = List.of(
            "case",
            "batch",
            "queue pairs",
            "C, ns",
            "bindings, ns",
            "library, ns",
            "bindings / C",
            "budget",
            "library / C",
            "budget",
            "bytes / request");

    private OverheadSection() {}

    static void write(Recorded recorded, Report report) {
        Origin origin = Origin.of(recorded);
        List<OverheadResult> results = OverheadResult.all(recorded);
        Page page = report.page();
        page.section("Posting and polling beside C");
        page.paragraph(
                "`./verbs bench overhead`: a provider that does nothing but write descriptors to memory stands in"
                        + " for the device, so that what remains is the cost of the calls. C, the raw bindings and the library take"
                        + " turns on one core; a ratio is the median over the rounds of the ratio within a round. The times are medians by"
                        + " themselves, so that their quotient is another number where the machine changed its pace between rounds. One request is"
                        + " posted and, if signalled, polled. All checks of the library are on.");
        if (origin.emulated()) {
            page.caution(List.of("The machine is emulated, several times slower than the computer that it runs on."
                    + " The times are not to be quoted; the ratios hold Java against C."));
        }
        draw(results, origin, report);
        page.table(COLUMNS, 1, results.stream().map(OverheadSection::row).toList());
        List<List<String>> facts = origin.facts();
        facts.add(List.of("critical calls", recorded.text("critical")));
        page.facts(facts);
    }

    private static void draw(List<OverheadResult> results, Origin origin, Report report) {
        String subtitle = origin.summary() + ", a provider that does nothing"
                + (origin.emulated() ? "; emulated: ratios only" : "");
        OverheadPictures pictures = new OverheadPictures(subtitle);
        List<OverheadResult> writes = only(results, OverheadResult::isWrite);
        if (!writes.isEmpty()) {
            report.show("overhead-ratio", pictures.ratioOverBatch(writes));
        }
        List<OverheadResult> others = only(results, result -> !result.work().equals("write"));
        if (!others.isEmpty()) {
            report.show("overhead-cases", pictures.otherCases(others));
        }
        List<OverheadResult> singles = only(results, OverheadResult::isSingleWrite);
        if (singles.size() > 1) {
            report.show("overhead-queue-pairs", pictures.timeOverPairs(singles));
        }
    }

    private static List<OverheadResult> only(List<OverheadResult> results, Predicate<OverheadResult> which) {
        return results.stream().filter(which).toList();
    }

    private static List<String> row(OverheadResult result) {
        List<String> cells = new ArrayList<>();
        cells.add(result.work());
        cells.add(Integer.toString(result.batch()));
        cells.add(Integer.toString(result.pairs()));
        cells.add(Numbers.fixed(result.c(), 1));
        cells.add(Numbers.fixed(result.ffi(), 1));
        cells.add(Numbers.fixed(result.core(), 1));
        cells.add(Numbers.fixed(result.ffiRatio(), 2));
        cells.add(budget(result.ffiBudget()));
        cells.add(Numbers.fixed(result.coreRatio(), 2));
        cells.add(budget(result.coreBudget()));
        cells.add(Numbers.fixed(result.bytes(), 2));
        return cells;
    }

    private static String budget(double budget) {
        return budget == 0 ? "" : Numbers.fixed(budget, 2);
    }
}
