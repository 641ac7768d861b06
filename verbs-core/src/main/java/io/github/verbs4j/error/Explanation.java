package io.github.verbs4j.error;

import java.util.List;
import java.util.Objects;

/**
 * What the machine has to do with a failure. Texts may have several lines.
 *
 * @param cause the likely cause; empty if nothing can be said
 * @param next what to do next; empty if nothing can be said
 * @param facts what was found on the machine, one line each
 */
public record Explanation(String cause, String next, List<String> facts) {

    /** Nothing to say. */
    public static final Explanation NONE = new Explanation("", "", List.of());

    /** Keeps a copy of the facts. */
    public Explanation {
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(next, "next");
        cause = cause.strip();
        next = next.strip();
        facts = List.copyOf(Objects.requireNonNull(facts, "facts"));
    }

    /**
     * {@return the explanation on its own, laid out as in the message of a {@link VerbsException}: a line or more for
     * each of machine, cause and next}
     */
    @Override
    public String toString() {
        String text = new Report("")
                .row("machine:", facts)
                .wrapped("cause:", cause)
                .row("next:", next)
                .toString();
        return text.isEmpty() ? text : text.substring(1).stripIndent();
    }
}
