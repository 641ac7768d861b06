package io.github.verbs4j.bench.report;

import java.util.Collections;
import java.util.List;

/** A page in Markdown, written from top to bottom. */
final class Page {
    private final StringBuilder text = new StringBuilder();

    Page(String title) {
        text.append("# ").append(title).append("\n");
    }

    void section(String title) {
        text.append("\n## ").append(title).append("\n");
    }

    void paragraph(String sentences) {
        text.append("\n").append(sentences).append("\n");
    }

    /** Something that must not be overlooked. */
    void caution(List<String> sentences) {
        paragraph("> " + String.join("\n> ", sentences));
    }

    void picture(String file, String what) {
        paragraph("![" + what + "](" + file + ")");
    }

    /**
     * Adds a table.
     *
     * @param header one title a column
     * @param numbers from which column on they are numbers, set right
     * @param rows as wide as the header
     */
    void table(List<String> header, int numbers, List<List<String>> rows) {
        text.append("\n");
        row(header);
        text.append("|---".repeat(numbers))
                .append("|---:".repeat(header.size() - numbers))
                .append("|\n");
        rows.forEach(this::row);
    }

    /** Adds a table of names and values, without titles. */
    void facts(List<List<String>> rows) {
        table(Collections.nCopies(2, ""), 2, rows);
    }

    private void row(List<String> cells) {
        text.append("|");
        cells.forEach(cell -> text.append(" ").append(cell.replace("|", "\\|")).append(" |"));
        text.append("\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
