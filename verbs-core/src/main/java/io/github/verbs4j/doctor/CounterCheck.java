package io.github.verbs4j.doctor;

import io.github.verbs4j.host.Counter;
import io.github.verbs4j.host.CounterMeaning;
import io.github.verbs4j.host.Counters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What has gone wrong on a port since its driver was loaded, by what it counts. */
final class CounterCheck {
    private CounterCheck() {}

    /** No more than worth knowing: whose work it was, and when, the counters do not tell. */
    static List<Finding> of(String device, PortReport report) {
        List<String> seen = new ArrayList<>();
        Counters moved = report.counters().nonZero();
        for (CounterMeaning meaning : CounterMeaning.values()) {
            String counters = moved.all().stream()
                    .filter(counter -> counter.meaning() == meaning)
                    .map(CounterCheck::text)
                    .collect(Collectors.joining(", "));
            if (meaning != CounterMeaning.OTHER && !counters.isEmpty()) {
                seen.add(counters + ": " + meaning.explanation());
            }
        }
        return seen.isEmpty()
                ? List.of()
                : List.of(new Finding(
                        "counters",
                        Severity.INFO,
                        device + " port " + report.port().number(),
                        "counted since the driver was loaded:\n" + String.join("\n", seen),
                        "nothing now; while such a counter rises, messages take longer or are lost",
                        "see whether they rise while the program runs: ./verbs counters --device " + device
                                + " --watch 1"));
    }

    private static String text(Counter counter) {
        return counter.name() + " " + counter.value();
    }
}
