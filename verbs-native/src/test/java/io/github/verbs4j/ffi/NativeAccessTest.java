package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Without native access the message names the flag that is missing. */
class NativeAccessTest {
    @Test
    void shouldNameTheFlagForTheClassPath() {
        String message = ChildJvm.onClassPath(Open.class).get("message");

        assertTrue(message.contains("start java with --enable-native-access=ALL-UNNAMED "), message);
    }

    @Test
    void shouldNameTheFlagForTheModulePath() {
        String message = ChildJvm.onModulePath(Open.class).get("message");

        assertTrue(message.endsWith("start java with --enable-native-access=io.github.verbs4j.ffi"), message);
    }

    @Test
    void shouldOpenWithTheFlagForTheClassPath() {
        assertEquals(
                Map.of("message", "no exception"),
                ChildJvm.onClassPath(Open.class, "--enable-native-access=ALL-UNNAMED"));
    }

    @Test
    void shouldOpenWithTheFlagForTheModulePath() {
        assertEquals(
                Map.of("message", "no exception"),
                ChildJvm.onModulePath(Open.class, "--enable-native-access=io.github.verbs4j.ffi"));
    }

    static final class Open {
        private Open() {}

        public static void main(String[] arguments) {
            ChildJvm.print("message", ChildJvm.messageOf(NativeLibrary.libibverbs()::open));
        }
    }
}
