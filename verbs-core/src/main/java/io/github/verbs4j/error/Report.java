package io.github.verbs4j.error;

import io.github.verbs4j.text.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lays out a headline and labelled, aligned rows below it. */
final class Report {

    private static final int LABEL = 10;
    private static final int WIDTH = 110;

    private final StringBuilder text;

    Report(String headline) {
        text = new StringBuilder(headline);
    }

    /** A row for each non-blank line, the label before the first; nothing at all if there is no such line. */
    Report row(String label, List<String> lines) {
        String prefix = label;
        for (String line : lines) {
            if (!line.isBlank()) {
                text.append("\n  ")
                        .append(prefix)
                        .repeat(' ', LABEL - prefix.length())
                        .append(line.stripTrailing());
                prefix = "";
            }
        }
        return this;
    }

    Report row(String label, String lines) {
        return row(label, lines.lines().toList());
    }

    /** A row of prose, its lines broken between words where they grow too wide. */
    Report wrapped(String label, String prose) {
        List<String> lines = new ArrayList<>();
        for (String paragraph : prose.lines().toList()) {
            StringBuilder line = new StringBuilder();
            for (String word : paragraph.strip().split(" ")) {
                if (!line.isEmpty() && LABEL + 2 + line.length() + 1 + word.length() > WIDTH) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
                line.append(line.isEmpty() ? "" : " ").append(word);
            }
            lines.add(line.toString());
        }
        return row(label, lines);
    }

    /** A row of {@code name=value}, broken between pairs when it grows too wide. */
    Report row(String label, Map<String, String> values) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        int left = values.size();
        for (Map.Entry<String, String> entry : values.entrySet()) {
            left--;
            String pair = entry.getKey() + "=" + Quoted.bare(entry.getValue().replaceAll("\\s*\\R\\s*", " "))
                    + (left > 0 ? "," : "");
            if (!line.isEmpty() && LABEL + 2 + line.length() + 1 + pair.length() > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(pair);
        }
        lines.add(line.toString());
        return row(label, lines);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
