package io.github.verbs4j.tools;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;

/** What an event says, without when and where. */
final class TraceText {
    /** The smallest page of a pool of huge ones; what is smaller and yet huge was put together by the kernel. */
    private static final long HUGE = 1 << 20;

    private TraceText() {}

    /** Empty of periodic events, which are no part of what happened. */
    static String of(RecordedEvent event) {
        String name = event.getEventType().getName();
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "Call" -> call(event);
            case "MemoryRegistration" -> registration(event);
            case "QueuePairState" ->
                text(event, "queuePair") + ": " + text(event, "from") + " -> " + text(event, "to") + ", by "
                        + text(event, "cause");
            case "FailedCompletion" ->
                "request " + event.getLong("request") + " of queue pair " + event.getInt("queuePair") + " failed: "
                        + text(event, "status") + ", vendor error " + event.getInt("vendorError") + "; on "
                        + text(event, "completionQueue");
            case "AsynchronousEvent" -> "event " + text(event, "type") + " of " + text(event, "source");
            case "ConnectionStep" -> step(event);
            case "ConnectionEvent" ->
                "event " + text(event, "type") + ", status " + event.getInt("status") + ", of "
                        + Objects.requireNonNullElse(text(event, "identifier"), "an identifier that is closed");
            default -> "";
        };
    }

    /** As strace has it. */
    private static String call(RecordedEvent event) {
        String arguments = Stream.of(text(event, "object"), text(event, "arguments"))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
        String result = text(event, "result");
        String error = text(event, "error");
        return text(event, "operation") + "(" + arguments + ")" + (result.isEmpty() ? "" : " = " + result)
                + (error == null ? "" : ": " + (error.equals("unknown") ? "no error number" : error))
                + duration(event);
    }

    private static String registration(RecordedEvent event) {
        long pages = event.getLong("pages");
        long size = event.getLong("pageSize");
        return text(event, "region") + ": " + pages + (pages == 1 ? " page of " : " pages of ") + size + " bytes pinned"
                + (event.getBoolean("hugePages") && size < HUGE ? ", in transparent huge pages" : "")
                + duration(event);
    }

    private static String step(RecordedEvent event) {
        String destination = text(event, "destination");
        String failure = text(event, "failure");
        return text(event, "identifier") + ": " + text(event, "from") + " -> " + text(event, "to") + ", by "
                + text(event, "operation") + (destination == null ? "" : " to " + destination)
                + (failure == null ? "" : "; " + failure) + duration(event);
    }

    private static String text(RecordedEvent event, String field) {
        return event.getString(field);
    }

    private static String duration(RecordedEvent event) {
        return " <" + Trace.milliseconds(event.getDuration()) + " ms>";
    }
}
