package io.github.verbs4j.bench.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.bench.Bench;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options are looked at before a machine is booted. */
class WaitCommandTest {
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        PrintWriter writer = new PrintWriter(err, true);
        return Bench.commandLine().setOut(writer).setErr(writer).execute(arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rounds", "--pause", "--seconds", "--port"})
    void shouldRefuseWhatIsNotPositive(String option) {
        assertEquals(2, run("wait", option, "0"));
        assertEquals(
                "verbs bench wait: " + option + " 0 is not 1 or more; see 'verbs bench wait --help'",
                err.toString().strip());
    }

    @Test
    void shouldNeedNoDeviceToLookAtItsOptions() {
        assertEquals(0, run("wait", "--rounds", "10", "--check-usage"));
        assertEquals("", err.toString());
    }
}
