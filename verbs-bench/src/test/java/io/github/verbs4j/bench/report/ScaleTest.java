package io.github.verbs4j.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {
    @ParameterizedTest
    @CsvSource({"41.2, 55, 40, 60", "40, 60, 40, 60", "0.031, 0.99, 0.03, 1", "350, 1234, 300, 2000"})
    void shouldReachAroundWhatIsDrawn(double smallest, double largest, double from, double to) {
        assertEquals(new Scale(from, to), Scale.around(smallest, largest));
    }

    @Test
    void shouldLabelEveryStepOfAShortScale() {
        Scale scale = new Scale(40, 200);

        assertEquals("70", scale.label(70));
        assertEquals("100", scale.label(Math.pow(10, 2)));
    }

    @Test
    void shouldLabelFewStepsOfALongScale() {
        Scale scale = new Scale(0.1, 1000);

        assertEquals("0.2", scale.label(Math.pow(10, -1) * 2));
        assertEquals(" ", scale.label(30));
        assertEquals("500", scale.label(500));
    }
}
