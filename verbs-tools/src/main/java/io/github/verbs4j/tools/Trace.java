package io.github.verbs4j.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** The events of Verbs4J in a recording, as people read them. */
final class Trace {
    private static final String PREFIX = "io.github.verbs4j.";
    private static final String CALL = PREFIX + "Call";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT);

    private Trace() {}

    /** All but the periodic ones, in the order of time. */
    static List<RecordedEvent> read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new CommandFailure(
                    "'" + file + "'" + (Files.exists(file) ? " is not a file" : ": there is no such file"));
        }
        List<RecordedEvent> all = events(file).stream()
                .filter(event -> event.getEventType().getName().startsWith(PREFIX))
                .toList();
        if (all.isEmpty()) {
            throw new CommandFailure(
                    "'" + file + "' has no events of Verbs4J: the program did not use it meanwhile, or the"
                            + " settings of the recording left them out");
        }
        return all.stream()
                .filter(event -> !TraceText.of(event).isEmpty())
                .sorted(Comparator.comparing(Trace::time))
                .toList();
    }

    private static List<RecordedEvent> events(Path file) {
        try {
            return RecordingFile.readAllEvents(file);
        } catch (IOException e) {
            throw new CommandFailure("'" + file + "' is not a recording of Flight Recorder: " + e.getMessage(), e);
        }
    }

    private static boolean isCall(RecordedEvent event) {
        return event.getEventType().getName().equals(CALL);
    }

    /** When a call began, and when anything else was known. */
    private static Instant time(RecordedEvent event) {
        return isCall(event) ? event.getStartTime() : event.getEndTime();
    }

    /** Whether it tells of a failure. */
    static boolean isFailure(RecordedEvent event) {
        return switch (event.getEventType().getName().substring(PREFIX.length())) {
            case "Call" -> event.getString("error") != null;
            case "ConnectionStep" -> event.getString("failure") != null;
            case "FailedCompletion" -> true;
            case "QueuePairState" ->
                event.getString("to").equals("ERR") || event.getString("to").equals("SQE");
            case "ConnectionEvent" -> event.getInt("status") != 0;
            default -> false;
        };
    }

    // ---- one line each ----

    static List<String> lines(List<RecordedEvent> events) {
        int width =
                events.stream().mapToInt(event -> thread(event).length()).max().orElse(0);
        return events.stream().map(event -> line(event, width)).toList();
    }

    private static String line(RecordedEvent event, int width) {
        String thread = thread(event);
        return TIME.format(time(event).atZone(ZoneId.systemDefault())) + "  " + thread
                + " ".repeat(width - thread.length()) + (isCall(event) ? "  " : "    ") + TraceText.of(event);
    }

    /** Threads without a name are virtual ones, or have ended. */
    private static String thread(RecordedEvent event) {
        RecordedThread thread = event.getThread();
        if (thread == null) {
            return "-";
        }
        String name = thread.getJavaName();
        return name == null || name.isEmpty() ? "thread " + thread.getJavaThreadId() : name;
    }

    // ---- one line for each function ----

    static List<String> summary(List<RecordedEvent> events) {
        Map<String, List<RecordedEvent>> calls = events.stream()
                .filter(Trace::isCall)
                .collect(Collectors.groupingBy(event -> event.getString("operation")));
        Table table = Table.of("call", ">calls", ">errors", ">total ms", ">max ms");
        calls.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, List<RecordedEvent>> entry) -> total(entry.getValue()))
                        .reversed())
                .forEach(entry -> table.row(row(entry.getKey(), entry.getValue())));
        table.row(
                row("total", calls.values().stream().flatMap(Collection::stream).toList()));
        return table.lines();
    }

    private static List<String> row(String name, List<RecordedEvent> calls) {
        return List.of(
                name,
                Integer.toString(calls.size()),
                Long.toString(calls.stream().filter(Trace::isFailure).count()),
                milliseconds(total(calls)),
                milliseconds(calls.stream()
                        .map(RecordedEvent::getDuration)
                        .max(Comparator.naturalOrder())
                        .orElse(Duration.ZERO)));
    }

    private static Duration total(List<RecordedEvent> calls) {
        return calls.stream().map(RecordedEvent::getDuration).reduce(Duration.ZERO, Duration::plus);
    }

    static String milliseconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e6);
    }
}
