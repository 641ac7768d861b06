package io.github.verbs4j.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Rows of text in aligned columns. A header that begins with {@code >} aligns its column to the right. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();
    private final boolean[] right;

    private Table(List<String> headers) {
        right = new boolean[headers.size()];
        List<String> names = new ArrayList<>();
        for (int column = 0; column < right.length; column++) {
            right[column] = headers.get(column).startsWith(">");
            names.add(right[column] ? headers.get(column).substring(1) : headers.get(column));
        }
        rows.add(names);
    }

    static Table of(String... headers) {
        return new Table(List.of(headers));
    }

    void row(List<String> cells) {
        if (cells.size() != right.length) {
            throw new IllegalArgumentException(cells.size() + " cells in a table of " + right.length + " columns");
        }
        rows.add(List.copyOf(cells));
    }

    /** The header, then the rows; no line ends in blanks. */
    List<String> lines() {
        int[] widths = IntStream.range(0, right.length)
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = row.get(column);
            int blanks = widths[column] - cell.length();
            line.append(column == 0 ? "" : "  ");
            line.append(right[column] ? " ".repeat(blanks) + cell : cell + " ".repeat(blanks));
        }
        return line.toString().stripTrailing();
    }
}
