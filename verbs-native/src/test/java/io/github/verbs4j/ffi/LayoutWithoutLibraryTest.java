package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Layouts and constants need no library, so they work where none is installed. */
class LayoutWithoutLibraryTest {
    @Test
    void shouldReadLayoutsAndConstantsWithoutLoadingALibrary() {
        assertEquals(
                Map.of("size", "128", "state", "3", "loaded", "false"),
                ChildJvm.onClassPath(Layouts.class, "--enable-native-access=ALL-UNNAMED"));
    }

    static final class Layouts {
        private Layouts() {}

        public static void main(String[] arguments) throws IOException {
            ChildJvm.print("size", ibv_send_wr.sizeof());
            ChildJvm.print("state", verbs4j_h.IBV_QPS_RTS());
            String maps = Files.readString(Path.of("/proc/self/maps"));
            ChildJvm.print("loaded", maps.contains("libibverbs") || maps.contains("librdmacm"));
        }
    }
}
