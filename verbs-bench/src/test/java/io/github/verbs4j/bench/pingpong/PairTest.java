package io.github.verbs4j.bench.pingpong;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processes are shell scripts that speak as the ends do. */
class PairTest {
    private static final String END = """
            echo "thread $$"
            echo "address $$"
            while read -r order rest; do
              case $order in
                connect) echo connected ;;
                pong) echo ready; eval "$PONG" ;;
                ping) eval "$PING" ;;
              esac
            done
            """;

    @TempDir
    private Path directory;

    private Pair pair;

    private Pair pair(String ping, String pong) {
        String script = "PING='" + ping + "' PONG='" + pong + "'\n" + END;
        pair = Pair.start("shell", List.of("sh", "-c", script), directory, new Inbox());
        pair.connect(Placement.onFirst(false));
        return pair;
    }

    @AfterEach
    void stop() {
        if (pair != null) {
            pair.close();
        }
    }

    @Test
    void shouldReadTheTimes() {
        long[] times = pair("echo times 17 18 19", "echo done").run(64, 3);

        assertArrayEquals(new long[] {17, 18, 19}, times);
    }

    @Test
    void shouldEndATurnOnlyWhenBothAreAtRest() throws IOException {
        // what it does after its answer, as the compilers of a virtual machine do
        Path done = directory.resolve("done");
        String work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; touch " + done;

        pair("echo times 1; " + work, "echo done").run(64, 1);

        assertTrue(Files.exists(done));
    }

    @Test
    void shouldTellWhichEndWasLostAndWhatItSaid() {
        Pair lost = pair("sleep 100", "echo it broke >&2; exit 7");

        BenchFailure failure = assertThrows(BenchFailure.class, () -> lost.run(64, 3));

        assertTrue(failure.getMessage().contains("the shell server ended early, with status 7"), failure.getMessage());
        assertTrue(failure.getMessage().contains("it broke"), failure.getMessage());
        lost.kill();
    }

    @Test
    void shouldRefuseAnAnswerThatIsNone() {
        Pair strange = pair("echo what", "echo done");

        BenchFailure failure = assertThrows(BenchFailure.class, () -> strange.run(64, 3));

        assertTrue(failure.getMessage().contains("the shell client said 'what'"), failure.getMessage());
    }

    @Test
    void shouldNotWaitForEverForAnEndThatSaysNothing() {
        try (EndProcess end = EndProcess.start("the end", List.of("cat"), directory, new Inbox())) {
            BenchFailure failure = assertThrows(BenchFailure.class, () -> end.await("address", Duration.ofMillis(20)));

            assertTrue(failure.getMessage().contains("the end said nothing"), failure.getMessage());
        }
    }

    @Test
    void shouldEndTheProcessesWhenClosed() {
        List<ProcessHandle> before = ProcessHandle.current().children().toList();
        pair("echo times 1", "echo done");
        List<ProcessHandle> started = ProcessHandle.current()
                .children()
                .filter(child -> !before.contains(child))
                .toList();

        pair.close();

        assertFalse(started.isEmpty());
        assertTrue(started.stream().noneMatch(ProcessHandle::isAlive));
    }
}
