package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.Gid;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MeetingTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final PingpongRecord CLIENT = new PingpongRecord(1, 2, 3, Gid.NONE);
    private static final PingpongRecord SERVER = new PingpongRecord(4, 5, 6, new Gid(7, 8));

    @Test
    void bothEndsLearnOfEachOther() throws IOException {
        try (ServerSocket listener = Meeting.listen(0)) {
            CompletableFuture<List<PingpongRecord>> heard = CompletableFuture.supplyAsync(() -> {
                try (Meeting meeting = Meeting.accept(listener, LONG, LONG)) {
                    List<PingpongRecord> peer = meeting.hear(2);
                    meeting.tell(List.of(SERVER, CLIENT));
                    meeting.hearDone();
                    return peer;
                }
            });
            try (Meeting meeting = Meeting.connect("127.0.0.1", listener.getLocalPort(), LONG)) {
                meeting.tell(List.of(CLIENT, SERVER));
                assertEquals(List.of(SERVER, CLIENT), meeting.hear(2));
                meeting.tellDone();
            }
            assertEquals(List.of(CLIENT, SERVER), heard.join());
        }
    }

    @Test
    void nobodyListens() throws IOException {
        int port = freePort();
        assertReason("nobody listens at 127.0.0.1:" + port, () -> Meeting.connect("127.0.0.1", port, SHORT));
    }

    @Test
    void aServerMayComeLater() throws Exception {
        int port = freePort();
        CompletableFuture<Void> client = CompletableFuture.runAsync(
                () -> Meeting.connect("127.0.0.1", port, LONG).close());
        Thread.sleep(300);
        try (ServerSocket listener = Meeting.listen(port)) {
            Meeting.accept(listener, LONG, LONG).close();
            client.join();
        }
    }

    @Test
    void unknownHost() {
        assertReason("unknown host: no.such.host.invalid", () -> Meeting.connect("no.such.host.invalid", 1, SHORT));
    }

    @Test
    void portInUse() throws IOException {
        try (ServerSocket listener = Meeting.listen(0)) {
            int port = listener.getLocalPort();
            assertReason("cannot listen on TCP port " + port, () -> Meeting.listen(port));
        }
    }

    @Test
    void noClient() throws IOException {
        try (ServerSocket listener = Meeting.listen(0)) {
            assertReason("no client came", () -> Meeting.accept(listener, SHORT, SHORT));
        }
    }

    @Test
    void thePeerClosesEarly() throws IOException {
        assertHears("0001:", true, "closed before it had sent its address");
    }

    @Test
    void thePeerIsSilent() throws IOException {
        assertHears("", false, "did not send its address within 1 s");
    }

    @Test
    void thePeerSpeaksSomethingElse() throws IOException {
        assertHears("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3".repeat(2), false, "does not speak the protocol");
    }

    private static void assertHears(String said, boolean close, String reason) throws IOException {
        try (ServerSocket listener = Meeting.listen(0);
                Socket peer = new Socket("127.0.0.1", listener.getLocalPort());
                Meeting meeting = Meeting.accept(listener, LONG, SHORT)) {
            peer.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
            if (close) {
                peer.shutdownOutput();
            }
            assertReason(reason, () -> meeting.hear(1));
        }
    }

    private static void assertReason(String part, org.junit.jupiter.api.function.Executable work) {
        CommandFailure failure = assertThrows(CommandFailure.class, work);
        assertTrue(failure.getMessage().contains(part), failure.getMessage());
        assertEquals(1, failure.getMessage().lines().count(), failure.getMessage());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
