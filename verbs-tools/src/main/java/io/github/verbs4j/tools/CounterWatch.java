package io.github.verbs4j.tools;

import io.github.verbs4j.host.Counter;
import io.github.verbs4j.host.Counters;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Tells what moves, a line for each port that something moved on. */
final class CounterWatch {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final Supplier<List<Counters>> reader;
    private final PrintWriter out;
    private final Map<String, Counters> before = new HashMap<>();

    CounterWatch(Supplier<List<Counters>> reader, List<Counters> start, PrintWriter out) {
        this.reader = reader;
        this.out = out;
        start.forEach(counters -> before.put(CounterText.name(counters), counters));
    }

    void run(int seconds, int times) {
        out.println("What moves, every " + seconds + " s; Ctrl-C ends it.");
        out.flush();
        try {
            for (int time = 0; time < times; time++) {
                TimeUnit.SECONDS.sleep(seconds);
                reader.get().forEach(this::tell);
                out.flush();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(Counters now) {
        Counters last = before.put(CounterText.name(now), now);
        List<Counter> moved =
                last == null ? List.of() : now.since(last).nonZero().all();
        if (!moved.isEmpty()) {
            out.println(LocalTime.now().format(CLOCK) + "  " + CounterText.name(now) + "  "
                    + moved.stream().map(CounterWatch::text).collect(Collectors.joining(", ")));
        }
    }

    private static String text(Counter counter) {
        String meaning = CounterText.meaning(counter);
        return counter.name() + " +" + counter.value() + (meaning.isEmpty() ? "" : " (" + meaning + ")");
    }
}
