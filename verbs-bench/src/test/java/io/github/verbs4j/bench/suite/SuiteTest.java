package io.github.verbs4j.bench.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.options.CommandLineOptions;

class SuiteTest {
    private static Optional<String> obstacle(String... arguments) throws Exception {
        return Suite.obstacle(new CommandLineOptions(arguments));
    }

    @Test
    void shouldRefuseADeviceThatIsNotThere() throws Exception {
        Optional<String> obstacle = obstacle("-p", "device=nonsense0", "-f", "1");
        assertTrue(obstacle.isPresent());
        assertTrue(obstacle.get().contains("next:"), obstacle.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "-l", "-lp", "-lprof", "-lrf"})
    void shouldTellWithoutADevice(String option) throws Exception {
        assertEquals(Optional.empty(), obstacle(option, "-p", "device=nonsense0"));
    }
}
