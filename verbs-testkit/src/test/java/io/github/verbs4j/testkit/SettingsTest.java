package io.github.verbs4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsTest {

    private static Settings settings(Map<String, String> configuration, Map<String, String> environment) {
        return new Settings(
                name -> Optional.ofNullable(configuration.get(name)),
                name -> Optional.ofNullable(environment.get(name)));
    }

    @Test
    void shouldAskForNothingByDefault() {
        Settings settings = settings(Map.of(), Map.of());

        assertEquals(Optional.empty(), settings.device());
        assertFalse(settings.isRequired());
    }

    @Test
    void shouldReadTheEnvironment() {
        Settings settings = settings(Map.of(), Map.of("VERBS_DEVICE", "mlx5_0", "VERBS_REQUIRED", "false"));

        assertEquals(Optional.of("mlx5_0"), settings.device());
        assertFalse(settings.isRequired());
    }

    @Test
    void shouldPreferTheConfiguration() {
        Settings settings = settings(
                Map.of("verbs.device", "mlx5_1", "verbs.required", "true"),
                Map.of("VERBS_DEVICE", "mlx5_0", "VERBS_REQUIRED", "false"));

        assertEquals(Optional.of("mlx5_1"), settings.device());
        assertTrue(settings.isRequired());
    }

    @Test
    void shouldTakeBlankAsNothing() { // what a build file makes of a property that nobody has set
        Settings settings = settings(Map.of("verbs.device", " ", "verbs.required", ""), Map.of("VERBS_DEVICE", "rxe0"));

        assertEquals(Optional.of("rxe0"), settings.device());
    }

    @Test
    void shouldRequireWhatIsNamed() {
        assertTrue(settings(Map.of("verbs.device", "mlx5_0"), Map.of()).isRequired());
    }

    @Test
    void shouldRefuseOtherWords() {
        Settings settings = settings(Map.of("verbs.required", "yes"), Map.of());

        String message = assertThrows(IllegalArgumentException.class, settings::isRequired)
                .getMessage();
        assertTrue(message.contains("verbs.required"), message);
        assertTrue(message.contains("'yes'"), message);
    }
}
