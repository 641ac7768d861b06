package io.github.verbs4j.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the report shows is replaced only by a whole measurement, or by one that was asked to. */
class ResultsTest {
    private static final String DEFAULT = "io.github.verbs4j.bench.results";

    @TempDir
    Path usual;

    private final StringWriter err = new StringWriter();

    @Command(name = "measure")
    static final class Measure implements Runnable {
        @Option(names = "--rounds", defaultValue = "5")
        private int rounds;

        @Mixin
        private Results results;

        @Override
        public void run() {
            results.prepare();
            results.keep("measure", Map.of("rounds", rounds), "--rounds");
        }
    }

    @BeforeEach
    void set() {
        System.setProperty(DEFAULT, usual.toString());
    }

    @AfterEach
    void clear() {
        System.clearProperty(DEFAULT);
    }

    private void measure(String... arguments) {
        assertEquals(
                0, new CommandLine(new Measure()).setErr(new PrintWriter(err)).execute(arguments), err::toString);
    }

    @Test
    void shouldKeepAWholeMeasurement() {
        measure();

        assertTrue(Files.exists(usual.resolve("measure.json")));
        assertEquals("", err.toString());
    }

    @Test
    void shouldTellThatANarrowOneIsNotKept() {
        measure("--rounds=1");

        assertFalse(Files.exists(usual.resolve("measure.json")));
        assertTrue(err.toString().contains("because of --rounds; --results DIRECTORY keeps it"), err::toString);
    }

    @Test
    void shouldNotTakeNoDirectoryForTheWorkingDirectory() {
        for (String blank : new String[] {"", " "}) {
            for (String[] arguments : new String[][] {
                {"pingpong", "--results", blank}, {"report", "--results", blank}, {"report", "--output", blank}
            }) {
                StringWriter told = new StringWriter();
                assertEquals(
                        2, Bench.commandLine().setErr(new PrintWriter(told)).execute(arguments), told::toString);
                assertTrue(told.toString().contains("'" + blank + "' is no directory; '.' is the"), told::toString);
            }
        }
    }

    @Test
    void shouldNameADirectoryThatCannotBeMade() throws IOException {
        Path file = Files.writeString(usual.resolve("file"), "");
        new CommandLine(new Measure()).setErr(new PrintWriter(err)).execute("--results", file.toString());

        assertTrue(err.toString().contains("no results can be kept in '" + file + "' (--results)"), err::toString);
    }

    @Test
    void shouldKeepANarrowOneWhereItIsAskedTo(@TempDir Path asked) {
        measure("--rounds=1", "--results", asked.toString());

        assertTrue(Files.exists(asked.resolve("measure.json")));
        assertFalse(Files.exists(usual.resolve("measure.json")));
    }
}
