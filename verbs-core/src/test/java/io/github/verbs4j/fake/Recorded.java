package io.github.verbs4j.fake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What Flight Recorder was told of this library while something ran, in the order in which it ended. */
public record Recorded(List<RecordedEvent> events) {
    private static final String PREFIX = "io.github.verbs4j.";

    /** What runs. */
    @FunctionalInterface
    public interface Program {
        void run() throws Exception;
    }

    /** With the settings that the events have by themselves. */
    public static Recorded during(Program program) throws Exception {
        return during(Map.of(), program);
    }

    public static Recorded during(Map<String, String> settings, Program program) throws Exception {
        Path file = Files.createTempFile("verbs4j", ".jfr");
        try (Recording recording = new Recording()) {
            recording.setSettings(settings);
            recording.start();
            program.run();
            recording.stop();
            recording.dump(file);
            return new Recorded(read(file));
        } finally {
            Files.delete(file);
        }
    }

    /** A file has the events of one thread in their order, and its threads in any: by their ends, all of them are in order. */
    private static List<RecordedEvent> read(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith(PREFIX))
                .sorted(Comparator.comparing(RecordedEvent::getEndTime))
                .toList();
    }

    /** Those of a name. */
    public List<RecordedEvent> of(String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(PREFIX + name))
                .toList();
    }

    /** The calls of a C function. */
    public List<RecordedEvent> calls(String function) {
        return of("Call").stream()
                .filter(event -> event.getString("operation").equals(function))
                .toList();
    }

    /** How many calls there were of each C function. */
    public Map<String, Long> calls() {
        return of("Call").stream()
                .collect(Collectors.groupingBy(
                        event -> event.getString("operation"), TreeMap::new, Collectors.counting()));
    }
}
