package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of coverage has a row for each function of the headers, and names only what exists. */
class CoverageTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> HEADERS =
            List.of("infiniband/verbs.h", "rdma/rdma_cma.h", "rdma/rdma_verbs.h", "rdma/rsocket.h");
    private static final String CORE = "io.github.verbs4j.";
    private static final String FFI = CORE + "ffi.";
    private static final String CM = CORE + "cm.";

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("static inline[^;{(]*?\\b(\\w+)\\s*\\(");
    private static final Pattern EXPORTED = Pattern.compile(
            "^(?!static|#|typedef|return)[\\w *]+?\\b(\\w+)\\s*\\([^;{}]*\\)\\s*(?:__attribute_\\w+)?\\s*;",
            Pattern.MULTILINE);
    private static final Pattern FUNCTION = Pattern.compile("^\\| `(\\w+)` \\|(.*)\\|$", Pattern.MULTILINE);
    private static final Pattern CASE =
            Pattern.compile("^\\| `(test_\\w+\\.py)` \\| `(test_\\w+)` \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([A-Za-z]\\w*)(?:\\.(\\w+))?`");

    private static String page;
    private static Map<String, String> tests;

    /** A function: where it is in the bindings and in the core, what tests it, whether the device has executed it. */
    private record Row(String function, String ffi, String core, String tests, String executed) {}

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(ROOT.resolve("docs/coverage.md"));
        tests = new HashMap<>();
        for (String module : List.of("verbs-native", "verbs-core", "verbs-it")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    tests.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
                }
            }
        }
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        Matcher row = FUNCTION.matcher(page);
        while (row.find()) {
            String[] cells = row.group(2).split("\\|", -1);
            assertEquals(4, cells.length, row.group(1));
            rows.add(new Row(row.group(1), cells[0].strip(), cells[1].strip(), cells[2].strip(), cells[3].strip()));
        }
        return rows;
    }

    @Test
    void shouldHaveARowForEachFunctionOfTheHeaders() throws IOException {
        Set<String> functions = functionsOfTheHeaders();
        assertTrue(functions.size() > 240, () -> "found only " + functions);

        rows().forEach(row -> functions.remove(row.function()));

        assertEquals(Set.of(), functions, "without a row");
    }

    private static Set<String> functionsOfTheHeaders() throws IOException {
        String directory =
                Optional.ofNullable(System.getenv("RDMA_INCLUDE_DIR")).orElse("/usr/include");
        Set<String> functions = new TreeSet<>();
        for (String name : HEADERS) {
            String header =
                    COMMENT.matcher(Files.readString(Path.of(directory, name))).replaceAll("");
            for (Pattern pattern : List.of(INLINE, EXPORTED)) {
                Matcher function = pattern.matcher(header);
                while (function.find()) {
                    functions.add(function.group(1));
                }
            }
        }
        return functions;
    }

    @Test
    void shouldHaveOneRowForEachFunctionAndSayWhetherItWasExecuted() {
        Set<String> seen = new HashSet<>();

        rows().forEach(row -> {
            assertTrue(seen.add(row.function()), row.function());
            assertTrue(row.executed().matches("(yes|no: .+)"), row.toString());
        });
    }

    /** Each function is reached in the bindings, and each such place is tested, on the device if it was executed there. */
    @Test
    void shouldNameAPlaceAndATestOfEachFunction() {
        for (Row row : rows()) {
            boolean absent = row.ffi().startsWith("none: ");
            assertTrue(absent || NAME.matcher(row.ffi()).find(), row.toString());
            assertTrue(absent || NAME.matcher(row.tests()).find(), row.toString());
            assertTrue(!row.executed().equals("yes") || row.tests().contains("IT"), row.toString());
        }
    }

    @Test
    void shouldNameOnlyWhatExists() {
        Set<String> missing = new TreeSet<>();
        for (Row row : rows()) {
            note(missing, row.function(), row.ffi(), (type, member) -> isPublic(FFI + type, member));
            note(
                    missing,
                    row.function(),
                    row.core(),
                    (type, member) -> isPublic(CORE + type, member) || isPublic(CM + type, member));
            note(missing, row.function(), row.tests(), CoverageTest::isTested);
        }
        assertEquals(Set.of(), missing);
    }

    private static void note(Set<String> missing, String row, String cell, BiPredicate<String, String> exists) {
        Matcher name = NAME.matcher(cell);
        while (name.find()) {
            if (!exists.test(name.group(1), name.group(2))) {
                missing.add(row + ": " + name.group());
            }
        }
    }

    private static boolean isPublic(String type, String member) {
        try {
            Class<?> found = Class.forName(type, false, CoverageTest.class.getClassLoader());
            return Modifier.isPublic(found.getModifiers())
                    && Stream.of(found.getMethods()).map(Method::getName).anyMatch(name -> name.equals(member));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static boolean isTested(String type, String method) {
        String source = tests.get(type);
        return source != null && (method == null || source.contains("void " + method + "("));
    }

    /** A case of pyverbs names one test, which runs on the device. */
    @Test
    void shouldNameATestOfEachCaseOfPyverbs() {
        Set<String> missing = new TreeSet<>();
        Set<String> seen = new HashSet<>();
        Matcher row = CASE.matcher(page);
        while (row.find()) {
            assertTrue(seen.add(row.group(1) + row.group(2)), row.group());
            Matcher name = NAME.matcher(row.group(3));
            boolean known = name.matches() && name.group(1).endsWith("IT") && name.group(2) != null;
            if (!known || !isTested(name.group(1), name.group(2))) {
                missing.add(row.group());
            }
        }
        assertEquals(Set.of(), missing);
        assertTrue(seen.size() > 80, () -> "found only " + seen);
    }
}
