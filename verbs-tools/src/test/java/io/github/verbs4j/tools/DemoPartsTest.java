package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class DemoPartsTest {
    @Test
    void theVersionOfRdmaCoreIsInTheNameOfTheLibrary() {
        String mapping = "7f0000-7f1000 r-xp 0 00:1b 5 /usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0";
        assertEquals(Optional.of("44.0"), DemoMachine.versionIn(mapping));
        assertEquals(Optional.empty(), DemoMachine.versionIn("7f0000-7f1000 r-xp 0 00:1b 5 /opt/libibverbs.so.1"));
    }

    @Test
    void theMeanOfTheCProgramIsInItsLastLine() {
        String output = "  local address:  LID 0x0000, QPN 0x000012\n8192000 bytes in 7.74 seconds = 8.47 Mbit/sec\n"
                + "1000 iters in 7.74 seconds = 7739.48 usec/iter\n";
        assertEquals(OptionalDouble.of(7739.48), CPingpong.meanIn(output));
        assertEquals(OptionalDouble.empty(), CPingpong.meanIn("Couldn't connect to 127.0.0.1:18515"));
    }

    @Test
    void thePeerIsStartedAsWeWere() {
        List<String> command = ChildJvm.command(DemoPeer.class, "rxe0", "1", "preferred");
        assertTrue(command.getFirst().endsWith("/bin/java"), command.toString());
        assertTrue(command.contains("--enable-native-access=ALL-UNNAMED"), command.toString());
        assertTrue(command.contains(System.getProperty("java.class.path")), command.toString());
        assertEquals(
                List.of(DemoPeer.class.getName(), "rxe0", "1", "preferred"),
                command.subList(command.size() - 4, command.size()));
    }
}
