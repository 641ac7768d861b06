package io.github.verbs4j.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;

/**
 * The pictures of {@link PingpongSection}.
 *
 * @param subtitle of all of them
 */
record PingpongPictures(String subtitle) {
    private static final String MICROSECONDS = "microseconds a round trip";

    /** Median and 99th percentile of both languages over the size of the messages. */
    Picture latencyOverSize(List<PingpongResult> results) {
        XYChart chart = Charts.lines("bytes in a message", MICROSECONDS);
        Charts.logarithmicX(chart, Numbers::bytes);
        double[] sizes = values(results, result -> Charts.log2(result.size()));
        double[] cMedian = values(results, result -> result.c().median());
        double[] javaMedian = values(results, result -> result.java().median());
        double[] cP99 = values(results, result -> result.c().p99());
        double[] javaP99 = values(results, result -> result.java().p99());
        Charts.line(chart, "C, median", Ink.C, sizes, cMedian);
        Charts.line(chart, "Java, median", Ink.JAVA, sizes, javaMedian);
        Charts.line(chart, "C, p99", Ink.C, sizes, cP99).setLineStyle(Ink.C.dashed());
        Charts.line(chart, "Java, p99", Ink.JAVA, sizes, javaP99).setLineStyle(Ink.JAVA.dashed());
        fit(chart, cMedian, javaMedian, cP99, javaP99);
        return new Picture("Round trip over the size of the message", subtitle, chart);
    }

    /** All percentiles of both languages for one size of message. */
    Picture percentiles(PingpongResult result) {
        XYChart chart = Charts.lines("percentile", MICROSECONDS);
        List<double[]> rows = result.supportedCurve();
        double[] places = values(rows, row -> PingpongResult.oneIn(row[0]));
        double[] c = values(rows, row -> row[1]);
        double[] java = values(rows, row -> row[2]);
        Charts.plainLine(chart, "C", Ink.C, places, c);
        Charts.plainLine(chart, "Java", Ink.JAVA, places, java);
        chart.getStyler()
                .setXAxisLogarithmic(true)
                .setXAxisLogarithmicDecadeOnly(false)
                .setXAxisTickLabelsFormattingFunction(PingpongPictures::percentile);
        fit(chart, c, java);
        return new Picture(
                "Percentiles of the round trip, messages of " + Numbers.bytes(result.size()), subtitle, chart);
    }

    /** Labels the place of a percentile, which is one in so many, where that is a power of ten, and at the median. */
    private static String percentile(double oneIn) {
        double power = Math.log10(oneIn);
        if (Math.abs(power - Math.rint(power)) > 1e-9 && oneIn != 2) {
            return " ";
        }
        return Numbers.fixed(100 - 100 / oneIn, Math.max(0, (int) Math.rint(power) - 2)) + " %";
    }

    private static void fit(XYChart chart, double[]... times) {
        double[] all = Stream.of(times).flatMapToDouble(DoubleStream::of).toArray();
        Charts.logarithmicY(
                chart,
                DoubleStream.of(all).min().orElseThrow(),
                DoubleStream.of(all).max().orElseThrow());
    }

    private static <T> double[] values(List<T> results, ToDoubleFunction<T> figure) {
        return results.stream().mapToDouble(figure).toArray();
    }
}
