package io.github.verbs4j.bench.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.Bench;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingpongCommandTest {
    private final StringWriter output = new StringWriter();

    private int run(String... arguments) {
        PrintWriter writer = new PrintWriter(output, true);
        return Bench.commandLine().setOut(writer).setErr(writer).execute(arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--rounds=0",
                "--iterations=-1",
                "--size=64,0",
                "--wait=sleep",
                "--port=0",
                "--cpus=1,2,3",
                "--nonsense"
            })
    void shouldRefuseWhatMakesNoSense(String option) {
        assertEquals(2, run("pingpong", option), output.toString());

        assertTrue(output.toString().contains(option.split("=")[0]), output.toString());
    }

    @Test
    void shouldNotPassOverOptionsThatQuickReplaces() {
        assertEquals(2, run("pingpong", "--quick", "--rounds=3"));

        assertTrue(output.toString().contains("--quick has its own rounds"), output.toString());
    }

    @Test
    void shouldNotCheckWhatHardlyMeasures() {
        assertEquals(2, run("pingpong", "--quick", "--check"));

        assertTrue(output.toString().contains("--quick measures too little"), output.toString());
    }

    @Test
    void shouldListTheNamesThatAreRight() {
        run("pingpong", "--wait=sleep");

        assertTrue(output.toString().contains("'sleep' is none of spin, yield"), output.toString());
    }

    @Test
    void shouldLookAtTheOptionsWithoutADevice() {
        assertEquals(0, run("pingpong", "--check-usage"), output.toString());
        assertEquals(0, run("start", "--check-usage"), output.toString());
        assertEquals(2, run("start", "--check-usage", "--largest=0"), output.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong", "start", "wait"})
    void shouldRefuseADeviceWithoutAName(String command) {
        assertEquals(2, run(command, "--check-usage", "--device="), output.toString());

        assertTrue(output.toString().contains("'' is no name of a device"), output.toString());
    }

    @Test
    void shouldListTheCommandsThatThereAre() {
        assertEquals(2, run("nope", "--check-usage"));

        assertEquals(
                "verbs bench: there is no command 'nope' (overhead, pingpong, start, wait, report); see 'verbs bench --help'",
                output.toString().strip());
    }

    @Test
    void shouldExplainTheRatios() {
        assertEquals(0, run("pingpong", "--help"));

        assertTrue(output.toString().contains("median_ratio="), output.toString());
        assertTrue(output.toString().contains("--wait=HOW"), output.toString());
    }
}
