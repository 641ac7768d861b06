package io.github.verbs4j.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.Bench;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import picocli.CommandLine;

/** Recorded results in, a page and pictures out. */
class ReportCommandTest {
    private static final Pattern PICTURE = Pattern.compile("!\\[[^]]+]\\(([^)]+)\\)");

    @TempDir
    Path results;

    @TempDir
    Path output;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Path directory) {
        CommandLine bench = Bench.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return bench.execute("report", "--results", results.toString(), "--output", directory.toString());
    }

    private void record(String... commands) throws IOException {
        for (String command : commands) {
            try (InputStream recorded = getClass().getResourceAsStream("/report/" + command + ".json")) {
                Files.copy(recorded, results.resolve(command + ".json"));
            }
        }
    }

    private String page() throws IOException {
        return Files.readString(output.resolve("results.md"));
    }

    private List<String> pictures() throws IOException {
        return PICTURE.matcher(page()).results().map(match -> match.group(1)).toList();
    }

    /** The picture as XML, which fails unless it is well-formed. */
    private Element picture(String name) throws Exception {
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        builder.setEntityResolver((_, _) -> new InputSource(new StringReader(""))); // its definition is elsewhere
        return builder.parse(output.resolve(name).toFile()).getDocumentElement();
    }

    private String text(Element picture, String element) {
        return picture.getElementsByTagName(element).item(0).getTextContent();
    }

    @Test
    void shouldShowTheNumbersOnThePage() throws Exception {
        record("overhead", "pingpong", "start");

        assertEquals(0, run(output), err::toString);

        assertEquals("", err.toString());
        List<String> lines = page().lines().toList();
        assertTrue(lines.contains("| write | 16 | 1 | 7.8 | 8.6 | 10.6 | 1.13 | 1.25 | 1.38 | 1.40 | 0.00 |"), page());
        assertTrue(
                lines.contains(
                        "| 64 B | 15000 | 42.5 | 43.1 | 1.017 | 53.9 | 53.4 | 1.043 | 83.2 | 83.4 | 189.3 | 190.2 |"),
                page());
        assertTrue(
                lines.contains("| from the list of devices to a queue pair in RTS | 812.4 | 901.7 | 1.11 |"), page());
        assertTrue(lines.contains("| 4 KiB | 40.1 | 44.9 | 1.12 |"), page());
        assertTrue(lines.contains("| 1 MiB | 5155.6 | 58028790.4 | 1.73 |"), page());
        assertTrue(lines.contains("| 256 | 90.5 | 1.08 |"), page());
        assertFalse(page().contains("--largest"), page());
        for (String fact : List.of(
                "| date | 2026-01-02T03:04:05Z |",
                "| date | 2026-01-02T03:04:06Z |",
                "| processor | AMD EPYC, 1 in use |",
                "| processor | QEMU TCG CPU version 2.5+, 2 in use, emulated |",
                "| kernel | 6.18.44 |",
                "| rdma-core | 44.0 |",
                "| C options | `-O2 -Wall -Wextra -Werror` |",
                "| Java options | `-XX:+UseSerialGC` |",
                "> The machine is emulated, several times slower than the computer that it runs on.")) {
            assertTrue(lines.contains(fact), () -> fact + " is not in " + lines);
        }
    }

    @Test
    void shouldDrawThePicturesThatThePageShows() throws Exception {
        record("overhead", "pingpong", "start");

        assertEquals(0, run(output), err::toString);

        assertEquals(
                List.of(
                        "overhead-ratio.svg",
                        "overhead-cases.svg",
                        "overhead-queue-pairs.svg",
                        "pingpong-latency.svg",
                        "pingpong-percentiles-64.svg",
                        "pingpong-percentiles-4096.svg",
                        "start-registration.svg",
                        "start-shared-queue.svg"),
                pictures());
        for (String name : pictures()) {
            Element picture = picture(name);
            assertEquals("svg", picture.getTagName());
            assertTrue(picture.getElementsByTagName("path").getLength() > 20, name + " is empty");
            assertTrue(read(output.resolve(name)).contains("rgb(0,114,178)"), name + " has no line of the library");
            assertTrue(out.toString().contains("wrote " + output.resolve(name)), out::toString);
        }
        Element ratio = picture("overhead-ratio.svg");
        assertEquals("Posting a write: time relative to C, by the size of the batch", text(ratio, "title"));
        assertTrue(
                text(ratio, "desc").endsWith("Shown: C, library, library, budget, raw bindings, raw bindings, budget."),
                text(ratio, "desc"));
        String latency = text(picture("pingpong-latency.svg"), "desc");
        assertTrue(latency.contains("emulated: ratios only"), latency);
        assertTrue(latency.endsWith("Shown: C, median, Java, median, C, p99, Java, p99."), latency);
    }

    @Test
    void shouldWriteTheSameFilesForTheSameResults(@TempDir Path again) throws Exception {
        record("overhead", "pingpong");

        assertEquals(0, run(output), err::toString);
        assertEquals(0, run(again), err::toString);

        assertEquals(contents(output), contents(again));
    }

    private static Map<String, String> contents(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.collect(Collectors.toMap(file -> file.getFileName().toString(), ReportCommandTest::read));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTellWhatIsMissingAndDrawTheRest() throws Exception {
        record("overhead");

        assertEquals(0, run(output));

        assertTrue(err.toString().contains("no results of pingpong in '" + results + "'"), err::toString);
        assertTrue(err.toString().contains("make it with './verbs bench start'"), err::toString);
        assertFalse(page().contains("Round trips"), page());
        assertEquals(3, pictures().size());
    }

    @Test
    void shouldRefuseToDrawNothing() {
        assertEquals(1, run(output.resolve("none")));

        assertTrue(err.toString().contains("make it with './verbs bench overhead'"), err::toString);
        assertTrue(err.toString().contains("there are no results in '" + results + "'"), err::toString);
        assertFalse(Files.exists(output.resolve("none")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ 'date' : | overhead.json is not the JSON of a result",
                "[] | overhead.json is not the JSON of a result",
                "{} | overhead.json: machine is not there",
                "{ 'machine' : 1 } | overhead.json: machine is not an object",
                "{ 'machine' : {}, 'date' : 1 } | overhead.json: date is not a text",
                "{ 'machine' : { 'processor' : 'x', 'processors' : 1.5 }, 'date' : 'x' } | machine: processors is not a whole"
            })
    void shouldTellWhatIsWrongWithAResult(String json, String reason) throws Exception {
        Files.writeString(results.resolve("overhead.json"), json.replace('\'', '"'));

        assertEquals(1, run(output));

        List<String> lines = err.toString().lines().toList();
        assertEquals(1, lines.size(), err::toString);
        assertTrue(lines.getFirst().startsWith("verbs bench report: "), err::toString);
        assertTrue(lines.getFirst().contains(reason), err::toString);
        assertTrue(lines.getFirst().endsWith("make it with './verbs bench overhead'"), err::toString);
    }

    @Test
    void shouldTellThatItCannotWrite() throws Exception {
        record("overhead");
        Path file = Files.writeString(output.resolve("file"), "");

        assertEquals(1, run(file));

        String complaint =
                "verbs bench report: cannot write the report to '" + file + "': it is a file, not a directory";
        assertTrue(err.toString().contains(complaint), err::toString);
    }

    @Test
    void shouldRefuseANumberThatNoAxisHolds() throws Exception {
        record("start");
        Path file = results.resolve("start.json");
        Files.writeString(file, read(file).replace("901.7", "1e300"));

        assertNotEquals(0, run(output));

        assertTrue(err.toString().contains("java_us is out of range: 1.0E300"), err::toString);
    }
}
