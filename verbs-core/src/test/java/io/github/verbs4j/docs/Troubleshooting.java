package io.github.verbs4j.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table of {@code docs/troubleshooting.md}, by which a test says that a row of it is true:
 * {@code Troubleshooting.line("B3").mustBeIn(output)}.
 *
 * <p>Every code span of the row's third cell must be part of the output, where {@code …} stands for anything and any white
 * space for any other. A cell for several cases begins each of them, behind {@code <br>}, with its name and a colon; then
 * it is {@code Troubleshooting.line("B5").when("no provider").mustBeIn(output)}.
 */
public final class Troubleshooting {
    private static final Path PAGE =
            Path.of(System.getProperty("root.directory", "..")).resolve("docs/troubleshooting.md");
    private static final Pattern ROW = Pattern.compile("^\\| ([A-D]\\d+) \\|(.*)\\|$", Pattern.MULTILINE);
    private static final Pattern CELL_END = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern CASE = Pattern.compile("\\s*(?:([^`:]+):)?(.*)", Pattern.DOTALL);
    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("\\[\\w+]\\(([^)]+)\\)([^\\[]*)");

    private Troubleshooting() {}

    /**
     * What is printed in one case.
     *
     * @param name of the case, as it is in messages of failure: line and, if there are several, what it is
     * @param spans each part of what is printed
     */
    public record Case(String name, List<String> spans) {
        /**
         * Requires that what the table says was printed.
         *
         * @param output what was printed, for example the message of an exception
         */
        public void mustBeIn(String output) {
            for (String span : spans) {
                if (!pattern(span).matcher(output).find()) {
                    throw new AssertionError("docs/troubleshooting.md, " + name + ", says that\n  " + span
                            + "\nis printed, but it is not in:\n" + output);
                }
            }
        }

        private static Pattern pattern(String span) {
            return Pattern.compile(
                    Arrays.stream(span.strip().split("\\s*…\\s*", -1))
                            .map(part -> Arrays.stream(part.split("\\s+", -1))
                                    .map(Pattern::quote)
                                    .collect(Collectors.joining("\\s+")))
                            .collect(Collectors.joining(".*?")),
                    Pattern.DOTALL);
        }
    }

    /**
     * A test that makes the situation happen.
     *
     * @param source the file
     * @param remark behind the link: where it was seen if not on the kernel's own device
     */
    public record Proof(Path source, String remark) {}

    /**
     * One row.
     *
     * @param line for example {@code B3}
     * @param symptom what people see
     * @param cases what is printed, by the name of the case; under the empty name if there is but one
     * @param cause why it is so
     * @param remedy what to do
     * @param proofs what holds the row to be true
     */
    public record Row(
            String line, String symptom, Map<String, Case> cases, String cause, String remedy, List<Proof> proofs) {
        /**
         * Requires that what the table says was printed.
         *
         * @param output what was printed, for example the message of an exception
         */
        public void mustBeIn(String output) {
            when("").mustBeIn(output);
        }

        /**
         * {@return one case of several}
         *
         * @param name as the cell has it before the colon
         */
        public Case when(String name) {
            Case found = cases.get(name);
            if (found == null) {
                throw new AssertionError(
                        "docs/troubleshooting.md, " + line + ", has no case '" + name + "', but " + cases.keySet());
            }
            return found;
        }
    }

    /**
     * {@return the row of a line}
     *
     * @param line for example {@code B3}
     */
    public static Row line(String line) {
        return rows().stream()
                .filter(row -> row.line().equals(line))
                .findFirst()
                .orElseThrow(() -> new AssertionError("docs/troubleshooting.md has no row " + line));
    }

    /** {@return every row, in order} */
    public static List<Row> rows() {
        return rows(page());
    }

    /** {@return the whole page} */
    public static String page() {
        try {
            return Files.readString(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Row> rows(String page) {
        return ROW.matcher(page)
                .results()
                .map(row -> row(row.group(1), CELL_END.split(row.group(2), -1)))
                .toList();
    }

    private static Row row(String line, String[] cells) {
        if (cells.length != 5) {
            throw new AssertionError(
                    "docs/troubleshooting.md, " + line + ", has " + (cells.length + 1) + " cells, not 6");
        }
        List<String> texts = Arrays.stream(cells)
                .map(cell -> cell.strip().replace("\\|", "|"))
                .toList();
        return new Row(line, texts.get(0), cases(line, texts.get(1)), texts.get(2), texts.get(3), proofs(texts.get(4)));
    }

    private static Map<String, Case> cases(String line, String cell) {
        Map<String, Case> cases = new LinkedHashMap<>();
        for (String part : cell.split("<br>")) {
            Matcher matcher = CASE.matcher(part);
            matcher.matches();
            String name = matcher.group(1) == null ? "" : matcher.group(1).strip();
            List<String> spans = SPAN.matcher(matcher.group(2))
                    .results()
                    .map(span -> span.group(1))
                    .toList();
            if (cases.put(name, new Case(name.isEmpty() ? line : line + " (" + name + ")", spans)) != null) {
                throw new AssertionError("docs/troubleshooting.md, " + line + ", has two cases '" + name + "'");
            }
        }
        return cases;
    }

    private static List<Proof> proofs(String cell) {
        List<Proof> proofs = new ArrayList<>();
        Matcher link = LINK.matcher(cell);
        while (link.find()) {
            proofs.add(new Proof(PAGE.getParent().resolve(link.group(1)).normalize(), link.group(2)));
        }
        return proofs;
    }
}
