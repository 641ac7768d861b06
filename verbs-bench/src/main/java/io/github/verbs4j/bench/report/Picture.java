package io.github.verbs4j.bench.report;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.TextLayout;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.internal.series.Series;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A chart under its title, as SVG. Text is drawn as shapes and looks the same everywhere; what it says is repeated in the
 * title and the description of the document, for whoever cannot see it.
 *
 * @param title what is shown
 * @param subtitle on what, and how far it holds
 * @param chart without a title of its own
 */
record Picture(String title, String subtitle, Chart<?, ?> chart) {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final int MARGIN = 20;
    private static final int HEAD = 66;

    /** {@return the text of the SVG file, the same for the same picture} */
    String svg() {
        Document document = emptyDocument();
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setPrecision(2);
        SVGGraphics2D graphics = new SVGGraphics2D(context, false);
        paint(graphics);
        graphics.setSVGCanvasSize(new Dimension(chart.getWidth(), height()));
        Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 " + chart.getWidth() + " " + height());
        root.setAttribute("role", "img");
        root.insertBefore(described(document, "desc", description()), root.getFirstChild());
        root.insertBefore(described(document, "title", title), root.getFirstChild());
        StringWriter text = new StringWriter();
        try {
            graphics.stream(root, text, false, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static Document emptyDocument() {
        try {
            return DocumentBuilderFactory.newDefaultNSInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(SVG, "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the virtual machine has no XML", e);
        }
    }

    private static Element described(Document document, String name, String text) {
        Element element = document.createElementNS(SVG, name);
        element.setTextContent(text);
        return element;
    }

    private String description() {
        String series =
                chart.getSeriesCollection().stream().map(Series::getName).collect(Collectors.joining(", "));
        return subtitle + ". Shown: " + series + ".";
    }

    private int height() {
        return HEAD + chart.getHeight();
    }

    private void paint(Graphics2D graphics) {
        graphics.setColor(Color.WHITE);
        graphics.fill(new Rectangle2D.Double(0, 0, chart.getWidth(), height()));
        write(graphics, title, Charts.font(Font.BOLD, 19), Charts.TEXT, 32);
        write(graphics, subtitle, Charts.font(Font.PLAIN, 14), Charts.FAINT_TEXT, 56);
        graphics.translate(0, HEAD);
        chart.paint(graphics, chart.getWidth(), chart.getHeight());
    }

    private static void write(Graphics2D graphics, String text, Font font, Color color, int baseline) {
        graphics.setColor(color);
        graphics.fill(new TextLayout(text, font, graphics.getFontRenderContext())
                .getOutline(AffineTransform.getTranslateInstance(MARGIN, baseline)));
    }
}
