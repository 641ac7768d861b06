package io.github.verbs4j.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.github.verbs4j.bench.Bench;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Each line is measured in a virtual machine of its own, which first holds the three ways' completions against each other. */
class OverheadCommandTest {
    private static final Pattern LINE =
            Pattern.compile("overhead case=(refill|empty-poll) batch=(1|16) c_ns=[0-9.]+ ffi_ns=[0-9.]+ core_ns=[0-9.]+"
                    + " ffi_ratio=[0-9.]+ core_ratio=[0-9.]+ bytes_per_op=[0-9.]+");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine bench = Bench.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return bench.execute(arguments);
    }

    @Test
    void shouldMeasureAndKeepTheResults(@TempDir Path results) throws Exception {
        assertEquals(
                0,
                run("overhead", "--only", "refill,empty-poll", "--seconds", "1", "--results", results.toString()),
                err::toString);

        List<String> lines = out.toString().lines().toList();
        List<String> measured =
                lines.stream().filter(line -> !line.startsWith("#")).toList();
        assertEquals(3, measured.size(), out::toString);
        measured.forEach(line -> assertTrue(LINE.matcher(line).matches(), line));
        Map<String, Object> kept = JSON.std.mapFrom(Files.readString(results.resolve("overhead.json")));
        List<?> all = (List<?>) kept.get("results");
        assertEquals(3, all.size());
        for (Object one : all) {
            Map<?, ?> line = (Map<?, ?>) one;
            for (String figure : List.of("c_ns", "ffi_ns", "core_ns", "ffi_ratio", "core_ratio")) {
                assertTrue(((Number) line.get(figure)).doubleValue() > 0, () -> figure + " of " + line);
            }
            assertTrue(((Number) line.get("bytes_per_op")).doubleValue() < 0.01, line::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--seconds, 0, --seconds 0 is not 1 or more",
        "--critical, all, '--critical all is none of [none, post, poll, post,poll]'",
        "--only, nothing, nothing"
    })
    void shouldRefuseWhatItCannotMeasure(String option, String value, String reason) {
        assertEquals(2, run("overhead", option, value));
        assertTrue(err.toString().contains(reason), err::toString);
        assertEquals("", out.toString());
    }
}
