package io.github.verbs4j.attr;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * When, by whom and where something was made. Immutable.
 *
 * @param time when
 * @param thread name of the thread
 * @param stack the innermost frames, from the method that called Verbs4J outwards
 */
public record CreationPlace(Instant time, String thread, List<StackTraceElement> stack) {
    /** Keeps a copy of the list. */
    public CreationPlace {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(thread, "thread");
        stack = List.copyOf(Objects.requireNonNull(stack, "stack"));
    }

    /** {@return as a stack trace is written: a line that tells time and thread, and one for each frame} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("made " + time + " by thread \"" + thread + '"');
        stack.forEach(frame -> text.append("\n    at ").append(frame));
        return text.toString();
    }
}
