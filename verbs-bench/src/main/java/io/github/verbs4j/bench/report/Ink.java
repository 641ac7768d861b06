package io.github.verbs4j.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** How the sides of a comparison look in every picture: colours that differ in grey too, and for the colour-blind. */
enum Ink {
    /** Broad, so that it shows below a line that runs the same way. */
    C(0xE69F00, 5f, SeriesMarkers.CIRCLE),
    /** The library. */
    JAVA(0x0072B2, 2.5f, SeriesMarkers.SQUARE),
    /** The raw bindings. */
    FFI(0x222222, 2.5f, SeriesMarkers.DIAMOND);

    private static final float[] DASHES = {9f, 6f};

    private final Color color;
    private final float width;
    private final Marker marker;

    Ink(int rgb, float width, Marker marker) {
        this.color = new Color(rgb);
        this.width = width;
        this.marker = marker;
    }

    Color color() {
        return color;
    }

    Marker marker() {
        return marker;
    }

    BasicStroke solid() {
        return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND);
    }

    BasicStroke dashed() {
        return new BasicStroke(width * 0.7f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, DASHES, 0f);
    }
}
