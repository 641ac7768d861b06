package io.github.verbs4j.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.XYChart;

/**
 * The pictures of {@link StartSection}.
 *
 * @param subtitle of all of them
 */
record StartPictures(String subtitle) {
    /** Both languages over the size of the memory. */
    Picture registrationOverSize(List<Recorded> lines) {
        XYChart chart = Charts.lines("bytes of memory", "microseconds");
        Charts.logarithmicX(chart, Numbers::bytes);
        double[] sizes = values(lines, line -> Charts.log2(line.number("size")));
        double[] c = values(lines, line -> line.number("c_us"));
        double[] java = values(lines, line -> line.number("java_us"));
        Charts.line(chart, "C", Ink.C, sizes, c);
        Charts.line(chart, "Java", Ink.JAVA, sizes, java);
        double[] all =
                DoubleStream.concat(DoubleStream.of(c), DoubleStream.of(java)).toArray();
        Charts.logarithmicY(
                chart,
                DoubleStream.of(all).min().orElseThrow(),
                DoubleStream.of(all).max().orElseThrow());
        return new Picture("Mapping and registering memory, by its size", subtitle, chart);
    }

    /** What a write takes, held against the same with the first number of queue pairs. */
    Picture timeOverPairs(List<Recorded> lines) {
        XYChart chart = Charts.lines("queue pairs on one completion queue", "time of a write, the first = 1");
        Charts.logarithmicX(chart, pairs -> Numbers.fixed(pairs, 0));
        double[] pairs = values(lines, line -> Charts.log2(line.number("pairs")));
        Charts.line(chart, "Java", Ink.JAVA, pairs, values(lines, line -> line.number("to_first")));
        chart.getStyler().setYAxisMin(0.0);
        return new Picture("A write over many queue pairs that share a completion queue", subtitle, chart);
    }

    private static double[] values(List<Recorded> lines, ToDoubleFunction<Recorded> figure) {
        return lines.stream().mapToDouble(figure).toArray();
    }
}
