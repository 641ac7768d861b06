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
        assertHears(1, "0001:", true, "closed before it had sent its address");
    }

    @Test
    void thePeerIsSilent() throws IOException {
        assertHears(1, "", false, "did not send its address within 1 s");
    }

    @Test
    void thePeerSpeaksSomethingElse() throws IOException {
        assertHears(1, "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3".repeat(2), false, "does not speak the protocol");
    }

    @Test
    void thePeerHasFewerAddresses() throws IOException {
        assertHears(256, text(CLIENT), false, "did not send its addresses within 1 s");
    }

    @Test
    void thePeerHasMoreAddresses() throws IOException {
        meet((peer, meeting) -> {
            say(peer, text(CLIENT) + text(SERVER));
            meeting.hear(1);
            assertReason("no 'done' came after its address: is the transport the same", meeting::hearDone);
        });
    }

    @Test
    void thePeerSpeaksSlowly() throws IOException {
        meet((peer, meeting) -> {
            CompletableFuture.runAsync(() -> drip(peer, text(CLIENT)));
            assertReason("did not send its address within 1 s", () -> meeting.hear(1));
        });
    }

    /** One character after the other, so that none is late. */
    private static void drip(Socket peer, String text) {
        try {
            for (char one : text.toCharArray()) {
                say(peer, String.valueOf(one));
                Thread.sleep(100);
            }
        } catch (IOException | InterruptedException _) {
            // the other end has given up
        }
    }

    private static void assertHears(int count, String said, boolean close, String reason) throws IOException {
        meet((peer, meeting) -> {
            say(peer, said);
            if (close) {
                peer.shutdownOutput();
            }
            assertReason(reason, () -> meeting.hear(count));
        });
    }

    private static String text(PingpongRecord record) {
        return new String(record.encode(), StandardCharsets.US_ASCII);
    }

    private static void say(Socket peer, String text) throws IOException {
        peer.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** What happens between a peer that says what it likes and us, who are not patient. */
    @FunctionalInterface
    private interface Encounter {
        void happen(Socket peer, Meeting meeting) throws IOException;
    }

    private static void meet(Encounter encounter) throws IOException {
        try (ServerSocket listener = Meeting.listen(0);
                Socket peer = new Socket("127.0.0.1", listener.getLocalPort());
                Meeting meeting = Meeting.accept(listener, LONG, SHORT)) {
            encounter.happen(peer, meeting);
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
