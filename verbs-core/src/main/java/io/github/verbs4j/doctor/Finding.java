package io.github.verbs4j.doctor;

import java.util.Objects;

/**
 * Something that a person should know. Texts may have several lines.
 *
 * @param code what it is, for programs: stays the same from version to version, for example {@code link-down}
 * @param severity how much it matters
 * @param subject what it is about, for example {@code rxe0 port 1} or {@code process}
 * @param seen what was found, and why it is so
 * @param breaks what does not work because of it
 * @param remedy what to type or to do
 */
public record Finding(String code, Severity severity, String subject, String seen, String breaks, String remedy) {
    /** Requires everything. */
    public Finding {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(seen, "seen");
        Objects.requireNonNull(breaks, "breaks");
        Objects.requireNonNull(remedy, "remedy");
    }

    /** The same finding where it matters less: something else does what this does not. */
    Finding eased() {
        return severity == Severity.ERROR ? new Finding(code, Severity.WARNING, subject, seen, breaks, remedy) : this;
    }

    /** {@return the finding as text of some lines, the severity first} */
    @Override
    public String toString() {
        return severity + " " + subject + ": " + seen + "\n" + labelled("breaks:  ", breaks)
                + labelled("remedy:  ", remedy).stripTrailing();
    }

    private static String labelled(String label, String text) {
        return "  " + label + text.replace("\n", "\n  " + " ".repeat(label.length())) + "\n";
    }
}
