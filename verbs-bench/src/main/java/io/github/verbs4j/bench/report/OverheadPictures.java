package io.github.verbs4j.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;

/**
 * The pictures of {@link OverheadSection}.
 *
 * @param subtitle of all of them
 */
record OverheadPictures(String subtitle) {
    private static final String LIBRARY = "library";
    private static final String BINDINGS = "raw bindings";
    private static final String RELATIVE = "time relative to C (C = 1)";
    /** Half the width of a budget's line. */
    private static final double CEILING = 0.4;

    /** Library and bindings over the batch, with what they may take. */
    Picture ratioOverBatch(List<OverheadResult> writes) {
        XYChart chart = Charts.lines("requests in one post", RELATIVE);
        double[] batches = values(writes, OverheadPictures::place);
        double end = batches[batches.length - 1];
        Charts.logarithmicX(chart, batch -> Numbers.fixed(batch, 0));
        Charts.plainLine(chart, "C", Ink.C, new double[] {-CEILING, end + CEILING}, new double[] {1, 1});
        Charts.line(chart, LIBRARY, Ink.JAVA, batches, values(writes, OverheadResult::coreRatio));
        budget(chart, LIBRARY, Ink.JAVA, writes, OverheadResult::coreBudget);
        Charts.line(chart, BINDINGS, Ink.FFI, batches, values(writes, OverheadResult::ffiRatio));
        budget(chart, BINDINGS, Ink.FFI, writes, OverheadResult::ffiBudget);
        chart.getStyler()
                .setYAxisMin(0.0)
                .setYAxisMax(top(writes))
                .setXAxisMin(-CEILING)
                .setXAxisMax(end + 2 * CEILING);
        return new Picture("Posting a write: time relative to C, by the size of the batch", subtitle, chart);
    }

    private static double place(OverheadResult write) {
        return Charts.log2(write.batch());
    }

    /** Draws a budget as a ceiling over each batch that has one, its number to the right. */
    private static void budget(
            XYChart chart, String name, Ink ink, List<OverheadResult> writes, ToDoubleFunction<OverheadResult> budget) {
        List<OverheadResult> bounded =
                writes.stream().filter(write -> budget.applyAsDouble(write) > 0).toList();
        if (bounded.isEmpty()) {
            return;
        }
        double[] ends = bounded.stream()
                .mapToDouble(OverheadPictures::place)
                .flatMap(place -> DoubleStream.of(place - CEILING, place + CEILING, place + CEILING))
                .toArray();
        double[] bounds = bounded.stream()
                .mapToDouble(budget)
                .flatMap(bound -> DoubleStream.of(bound, bound, Double.NaN)) // which interrupts the line
                .toArray();
        Charts.plainLine(chart, name + ", budget", ink, ends, bounds).setLineStyle(ink.dashed());
        for (OverheadResult write : bounded) {
            double bound = budget.applyAsDouble(write);
            Charts.note(chart, "≤ " + Numbers.fixed(bound, 2), place(write) + 1.7 * CEILING, bound);
        }
    }

    /** Where the axis ends: above everything that is drawn, at a half. */
    private static double top(List<OverheadResult> results) {
        double largest = results.stream()
                .flatMapToDouble(result ->
                        DoubleStream.of(result.coreRatio(), result.ffiRatio(), result.coreBudget(), result.ffiBudget()))
                .max()
                .orElseThrow();
        return Math.ceil(2 * largest + 0.2) / 2;
    }

    /** Bars for each of the other cases. */
    Picture otherCases(List<OverheadResult> others) {
        CategoryChart chart = Charts.bars("case, and requests in one post or poll", RELATIVE);
        List<String> cases = others.stream()
                .map(other -> other.work().replace("write-", "") + " " + other.batch())
                .toList();
        bars(chart, LIBRARY, Ink.JAVA, cases, values(others, OverheadResult::coreRatio));
        bars(chart, BINDINGS, Ink.FFI, cases, values(others, OverheadResult::ffiRatio));
        chart.addAnnotation(new AnnotationLine(1, false, false));
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(top(others));
        return new Picture("Other work: time relative to C", subtitle, chart);
    }

    private static void bars(CategoryChart chart, String name, Ink ink, List<String> cases, double[] ratios) {
        chart.addSeries(name, cases, DoubleStream.of(ratios).boxed().toList()).setFillColor(ink.color());
    }

    /** Nanoseconds of all three over the number of queue pairs. */
    Picture timeOverPairs(List<OverheadResult> singles) {
        XYChart chart = Charts.lines("queue pairs, used in turn", "nanoseconds a write");
        Charts.logarithmicX(chart, pairs -> Numbers.fixed(pairs, 0));
        double[] pairs = values(singles, single -> Charts.log2(single.pairs()));
        Charts.line(chart, "C", Ink.C, pairs, values(singles, OverheadResult::c));
        Charts.line(chart, LIBRARY, Ink.JAVA, pairs, values(singles, OverheadResult::core));
        Charts.line(chart, BINDINGS, Ink.FFI, pairs, values(singles, OverheadResult::ffi));
        chart.getStyler().setYAxisMin(0.0);
        return new Picture("Posting single writes over many queue pairs", subtitle, chart);
    }

    private static double[] values(List<OverheadResult> results, ToDoubleFunction<OverheadResult> figure) {
        return results.stream().mapToDouble(figure).toArray();
    }
}
