package io.github.verbs4j.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Empty charts in the look that all pictures share, and what is put into them. */
final class Charts {
    static final Color TEXT = new Color(0x222222);
    static final Color FAINT_TEXT = new Color(0x555555);

    private static final Color GRID = new Color(0xDDDDDD);
    private static final int WIDTH = 900;
    private static final int HEIGHT = 440;

    private Charts() {}

    static Font font(int style, int size) {
        return new Font("DejaVu Sans", style, size);
    }

    /**
     * {@return a chart of lines}
     *
     * @param x title of its axis
     * @param y title of its axis
     */
    static XYChart lines(String x, String y) {
        XYChart chart = new XYChart(WIDTH, HEIGHT);
        chart.setXAxisTitle(x);
        chart.setYAxisTitle(y);
        look(chart.getStyler());
        chart.getStyler().setMarkerSize(9);
        return chart;
    }

    /**
     * {@return a chart of bars}
     *
     * @param x title of its axis
     * @param y title of its axis
     */
    static CategoryChart bars(String x, String y) {
        CategoryChart chart = new CategoryChart(WIDTH, HEIGHT);
        chart.setXAxisTitle(x);
        chart.setYAxisTitle(y);
        look(chart.getStyler());
        chart.getStyler()
                .setLabelsVisible(true)
                .setLabelsFont(font(Font.PLAIN, 12))
                .setLabelsPosition(0.05) // at the foot, where no line crosses
                .setLabelsFontColorAutomaticEnabled(false)
                .setLabelsFontColor(Color.WHITE)
                .setAvailableSpaceFill(0.8)
                .setXAxisTickMarkSpacingHint(40) // else every second name is left out
                .setYAxisDecimalPattern("0.00"); // of the labels, too
        return chart;
    }

    private static void look(AxesChartStyler styler) {
        styler.setPlotGridLinesColor(GRID)
                .setPlotGridLinesStroke(new BasicStroke(1f))
                .setAxisTitleFont(font(Font.PLAIN, 14))
                .setAxisTickLabelsFont(font(Font.PLAIN, 13))
                .setAxisTitlePadding(10)
                .setXAxisTickMarkSpacingHint(100)
                .setAxisTickMarksColor(FAINT_TEXT)
                .setAxisTickLabelsColor(TEXT);
        styler.setLocale(Locale.ROOT)
                .setBaseFont(font(Font.PLAIN, 13))
                .setChartFontColor(TEXT)
                .setChartTitleVisible(false)
                .setChartBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setPlotContentSize(0.94)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setLegendFont(font(Font.PLAIN, 14))
                .setLegendBorderColor(Color.WHITE)
                .setLegendSeriesLineLength(40)
                .setLegendPadding(14)
                .setAnnotationLineColor(Ink.C.color())
                .setAnnotationLineStroke(Ink.C.solid())
                .setAnnotationTextFont(font(Font.PLAIN, 12))
                .setAnnotationTextFontColor(FAINT_TEXT);
    }

    /** Draws a line through points that were measured. */
    static XYSeries line(XYChart chart, String name, Ink ink, double[] x, double[] y) {
        XYSeries series = chart.addSeries(name, x, y);
        series.setLineColor(ink.color()).setLineStyle(ink.solid());
        series.setMarker(ink.marker()).setMarkerColor(ink.color());
        return series;
    }

    /** Draws a line without points. */
    static XYSeries plainLine(XYChart chart, String name, Ink ink, double[] x, double[] y) {
        XYSeries series = line(chart, name, ink, x, y);
        series.setMarker(SeriesMarkers.NONE);
        return series;
    }

    /** Writes a word into the plot, its middle at a point of it. */
    static void note(XYChart chart, String text, double x, double y) {
        chart.addAnnotation(new AnnotationText(text, x, y, false));
    }

    /**
     * Gives powers of two equal distances.
     *
     * @param label of a number
     */
    static void logarithmicX(XYChart chart, DoubleFunction<String> label) {
        chart.getStyler().setXAxisTickLabelsFormattingFunction(exponent -> {
            if (exponent == Math.rint(exponent)) {
                return label.apply(Math.pow(2, exponent));
            }
            return exponent < 0 ? "" : " "; // invisible; an axis whose ends are labelled alike gets no labels
        });
    }

    /** {@return where a number stands on such an axis} */
    static double log2(double number) {
        return Math.log(number) / Math.log(2);
    }

    /** Makes the axis of times logarithmic, from below the smallest to above the largest. */
    static void logarithmicY(XYChart chart, double smallest, double largest) {
        Scale scale = Scale.around(smallest, largest);
        chart.getStyler()
                .setYAxisLogarithmic(true)
                .setYAxisLogarithmicDecadeOnly(false)
                .setYAxisMin(scale.from())
                .setYAxisMax(scale.to())
                .setYAxisTickLabelsFormattingFunction(scale::label);
    }
}
