package io.github.verbs4j.tools;

import io.github.verbs4j.host.Counter;
import io.github.verbs4j.host.CounterMeaning;
import io.github.verbs4j.host.CounterUnit;
import io.github.verbs4j.host.Counters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counters for people and for programs. */
final class CounterText {
    private CounterText() {}

    /** A table, and below it where to look for each meaning that has been counted. */
    static List<String> lines(List<Counters> ports) {
        Table table = Table.of("device", ">port", "counter", ">value", "unit", "meaning");
        for (Counters counters : ports) {
            counters.all().forEach(counter -> table.row(row(counters, counter)));
        }
        List<String> lines = new ArrayList<>(table.lines());
        for (Counters counters : ports) {
            if (counters.all().isEmpty()) {
                lines.add(name(counters) + ": its driver counts nothing");
            }
        }
        List<String> advice = advice(ports);
        if (!advice.isEmpty()) {
            lines.add("");
            lines.addAll(advice);
        }
        return lines;
    }

    private static List<String> row(Counters counters, Counter counter) {
        return List.of(
                counters.device(),
                counters.port() == 0 ? "all" : "" + counters.port(),
                counter.name(),
                "" + counter.value(),
                unit(counter.unit()),
                meaning(counter));
    }

    private static List<String> advice(List<Counters> ports) {
        List<String> advice = new ArrayList<>();
        for (CounterMeaning meaning : CounterMeaning.values()) {
            if (meaning != CounterMeaning.OTHER && ports.stream().anyMatch(counters -> counters.total(meaning) != 0)) {
                advice.add(Text.words(meaning) + ": " + meaning.explanation());
            }
        }
        return advice;
    }

    /** {@code rxe0 port 1}. */
    static String name(Counters counters) {
        return counters.device() + (counters.port() == 0 ? "" : " port " + counters.port());
    }

    /** Empty where there is none. */
    static String meaning(Counter counter) {
        return counter.meaning() == CounterMeaning.OTHER ? "" : Text.words(counter.meaning());
    }

    private static String unit(CounterUnit unit) {
        return switch (unit) {
            case FOUR_BYTES -> "4 bytes";
            case PACKETS, TICKS -> Text.words(unit);
            case NUMBER -> "";
        };
    }

    /** The object described at {@link CountersCommand}. */
    static Map<String, Object> toJson(Counters counters) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("device", counters.device());
        json.put("port", counters.port());
        json.put(
                "lifespan",
                counters.lifespan().isPresent() ? counters.lifespan().getAsLong() : null);
        json.put("counters", counters.all().stream().map(CounterText::toJson).toList());
        return json;
    }

    private static Map<String, Object> toJson(Counter counter) {
        Map<String, Object> json = Json.fields(counter);
        json.put("unit", counter.unit().name());
        json.put("meaning", counter.meaning().name());
        return json;
    }
}
