package io.github.verbs4j.docs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.docs.Troubleshooting.Case;
import io.github.verbs4j.docs.Troubleshooting.Proof;
import io.github.verbs4j.docs.Troubleshooting.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The table of troubleshooting has all its rows, and each is held by tests that make the situation happen. */
class TroubleshootingTest {
    private static final Set<String> ELSEWHERE = Set.of("(fake library)", "(null provider)", "(recorded machine)");

    private static Set<String> lines() {
        Set<String> lines = new TreeSet<>();
        IntStream.rangeClosed(1, 5).forEach(number -> lines.add("A" + number));
        IntStream.rangeClosed(1, 10).forEach(number -> lines.add("B" + number));
        IntStream.rangeClosed(1, 7).forEach(number -> lines.add("C" + number));
        lines.add("D1");
        return lines;
    }

    @Test
    void shouldHaveOneRowForEachLine() {
        List<String> rows = Troubleshooting.rows().stream().map(Row::line).toList();
        Set<String> all = new TreeSet<>(rows);
        assertEquals(rows.size(), all.size(), () -> "a line has two rows: " + rows);
        assertEquals(lines(), all);
    }

    @TestFactory
    Stream<DynamicTest> shouldTellAndBeHeld() {
        return Troubleshooting.rows().stream().map(row -> DynamicTest.dynamicTest(row.line(), () -> requireHeld(row)));
    }

    private static void requireHeld(Row row) throws IOException {
        assertFalse(
                row.symptom().isEmpty() || row.cause().isEmpty() || row.remedy().isEmpty(), "an empty cell");
        assertFalse(row.proofs().isEmpty(), "no test");
        StringBuilder tests = new StringBuilder();
        for (Proof proof : row.proofs()) {
            assertTrue(Files.isRegularFile(proof.source()), () -> proof.source() + " does not exist");
            String test = Files.readString(proof.source()).replaceAll("\\s+", "");
            assertTrue(test.contains(reference(row)), () -> proof.source() + " does not hold " + row.line());
            assertTrue(
                    proof.source().toString().endsWith("IT.java")
                            || ELSEWHERE.stream().anyMatch(proof.remark()::contains),
                    () -> proof.source() + " is not on a real device: say which of " + ELSEWHERE + " behind the link");
            tests.append(test);
        }
        for (String name : row.cases().keySet()) {
            Case one = row.cases().get(name);
            assertFalse(one.spans().isEmpty(), () -> one.name() + " prints nothing");
            assertTrue(
                    name.isEmpty() || tests.toString().contains(reference(row) + ".when(\"" + squeezed(name) + "\")"),
                    () -> "no test holds " + one.name());
        }
    }

    private static String reference(Row row) {
        return "Troubleshooting.line(\"" + row.line() + "\")";
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", "");
    }

    private static final String TABLE = """
            | Line | Symptom | Prints | Cause | Remedy | Test |
            |---|---|---|---|---|---|
            | B1 | too much | `asked … > 5 \\|` and `next:` | limits | less | [AnIT](AnIT.java), [BTest](B.java) (fake library) |
            | B5 | none | no node: `gone`<br>no right: `EPERM` | a, b | c | [AnIT](AnIT.java) |
            """;

    private static Row row(int index) {
        return Troubleshooting.rows(TABLE).get(index);
    }

    @Test
    void shouldFindEverySpanAcrossLinesAndOmissions() {
        assertDoesNotThrow(() -> row(0).mustBeIn("asked:\n 7 >\n   5 | next: ask for less"));
        AssertionError missing = assertThrows(AssertionError.class, () -> row(0).mustBeIn("asked 7 > 5 |"));
        assertTrue(missing.getMessage().contains("next:"), missing::getMessage);
        assertThrows(AssertionError.class, () -> row(0).mustBeIn("> 5 | asked next:"));
    }

    @Test
    void shouldHoldTheCaseThatIsMeant() {
        assertDoesNotThrow(() -> row(1).when("no right").mustBeIn("it is EPERM"));
        assertThrows(AssertionError.class, () -> row(1).when("no node").mustBeIn("it is EPERM"));
        assertThrows(AssertionError.class, () -> row(1).when("no luck"));
        assertThrows(AssertionError.class, () -> row(1).mustBeIn("gone EPERM"));
    }

    @Test
    void shouldReadTheTestsAndWhereTheyRan() {
        List<Proof> proofs = row(0).proofs();
        assertEquals(2, proofs.size());
        assertTrue(proofs.get(0).source().endsWith("docs/AnIT.java"), proofs::toString);
        assertTrue(proofs.get(1).remark().contains("(fake library)"), proofs::toString);
    }
}
