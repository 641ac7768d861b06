package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.host.Counter;
import io.github.verbs4j.host.CounterMeaning;
import io.github.verbs4j.host.CounterSource;
import io.github.verbs4j.host.Counters;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CounterTextTest {
    private static Counters port(long sent, long notReady) {
        return new Counters(
                "mlx5_0",
                1,
                OptionalLong.of(10),
                List.of(
                        new Counter(CounterSource.STANDARD, "port_xmit_data", sent),
                        new Counter(CounterSource.HARDWARE, "rnr_nak_retry_err", notReady)));
    }

    @Test
    void tellsNameValueUnitMeaningAndWhereToLook() {
        assertEquals(
                List.of(
                        "device  port  counter            value  unit     meaning",
                        "mlx5_0     1  port_xmit_data       250  4 bytes",
                        "mlx5_0     1  rnr_nak_retry_err      3           receiver not ready",
                        "",
                        "receiver not ready: " + CounterMeaning.RECEIVER_NOT_READY.explanation()),
                CounterText.lines(List.of(port(250, 3))));
    }

    @Test
    void aDriverThatCountsNothingIsTold() {
        List<String> lines = CounterText.lines(List.of(new Counters("odd0", 2, OptionalLong.empty(), List.of())));

        assertEquals("odd0 port 2: its driver counts nothing", lines.getLast());
    }

    @Test
    void programsGetEverythingByName() {
        assertEquals(
                Map.of(
                        "source", "HARDWARE",
                        "name", "rnr_nak_retry_err",
                        "value", 3L,
                        "unit", "NUMBER",
                        "meaning", "RECEIVER_NOT_READY"),
                ((List<?>) CounterText.toJson(port(250, 3)).get("counters")).getLast());
    }

    @Test
    void watchingTellsOnlyWhatMoved() {
        StringWriter out = new StringWriter();
        Iterator<Counters> later = List.of(port(250, 3), port(260, 5)).iterator();
        CounterWatch watch =
                new CounterWatch(() -> List.of(later.next()), List.of(port(250, 3)), new PrintWriter(out, true));

        watch.run(0, 2);

        List<String> lines = out.toString().lines().toList();
        assertEquals(2, lines.size(), out.toString());
        assertTrue(
                lines.getLast()
                        .matches("\\d\\d:\\d\\d:\\d\\d  mlx5_0 port 1  port_xmit_data \\+10,"
                                + " rnr_nak_retry_err \\+2 \\(receiver not ready\\)"),
                lines.getLast());
    }
}
