package io.github.verbs4j.tools;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The TCP connection over which two ping-pong programs tell each other their addresses, as those of rdma-core do:
 * the client sends its records, one for each queue pair; the server connects, then answers with its own; the client says {@code done}.
 */
final class Meeting implements AutoCloseable {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);

    private final Socket socket;
    private final Duration patience;

    private Meeting(Socket socket, Duration patience) throws IOException {
        this.socket = socket;
        this.patience = patience;
        socket.setTcpNoDelay(true);
    }

    /** Listens; the port is free again when what is returned is closed. */
    static ServerSocket listen(int port) {
        try {
            ServerSocket listener = new ServerSocket();
            try {
                listener.setReuseAddress(true);
                listener.bind(new InetSocketAddress(port), 1);
                return listener;
            } catch (IOException e) {
                listener.close();
                throw e;
            }
        } catch (BindException e) {
            throw new CommandFailure(
                    "cannot listen on TCP port " + port + ": " + e.getMessage() + "; choose another with -p", e);
        } catch (IOException e) {
            throw new CommandFailure("cannot listen on TCP port " + port + ": " + e.getMessage(), e);
        }
    }

    /** Waits for a client; a wait of zero has no end. */
    static Meeting accept(ServerSocket listener, Duration wait, Duration patience) {
        try {
            listener.setSoTimeout(Math.toIntExact(wait.toMillis()));
            return new Meeting(listener.accept(), patience);
        } catch (SocketTimeoutException e) {
            throw new CommandFailure(
                    "no client came to port " + listener.getLocalPort() + " for " + wait.toSeconds() + " s", e);
        } catch (IOException e) {
            throw new CommandFailure("waiting for a client: " + e.getMessage(), e);
        }
    }

    /** Connects to a server, which may come up a little later than we do. */
    static Meeting connect(String host, int port, Duration patience) {
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new CommandFailure("unknown host: " + host, e);
        }
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            for (InetAddress address : addresses) {
                try {
                    return connect(address, port, patience);
                } catch (ConnectException e) {
                    if (System.nanoTime() >= end) {
                        throw new CommandFailure(
                                "nobody listens at " + host + ":" + port + " (tried for " + patience.toSeconds()
                                        + " s): start the server there first, the same command without a host",
                                e);
                    }
                } catch (IOException e) {
                    throw new CommandFailure("cannot connect to " + host + ":" + port + ": " + e.getMessage(), e);
                }
            }
            pause(host, port);
        }
    }

    private static Meeting connect(InetAddress address, int port, Duration patience) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(address, port), Math.toIntExact(patience.toMillis()));
            return new Meeting(socket, patience);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static void pause(String host, int port) {
        try {
            Thread.sleep(BETWEEN_TRIES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted while connecting to " + host + ":" + port, e);
        }
    }

    void tell(List<PingpongRecord> mine) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        mine.forEach(one -> all.writeBytes(one.encode()));
        write(all.toByteArray());
    }

    List<PingpongRecord> hear(int count) {
        String what = count == 1 ? "its address" : "its addresses";
        long end = System.nanoTime() + patience.toNanos();
        return Stream.generate(() -> PingpongRecord.decode(read(PingpongRecord.BYTES, what, end)))
                .limit(count)
                .toList();
    }

    void tellDone() {
        write(DONE);
    }

    void hearDone() {
        byte[] said = read(DONE.length, "'done'", System.nanoTime() + patience.toNanos());
        if (!Arrays.equals(said, DONE)) {
            throw new CommandFailure("the peer does not speak the protocol of this ping-pong, no 'done' came after its"
                    + " address: is the transport the same at both ends?");
        }
    }

    /** In one segment: the C program takes what one read gives. */
    private void write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new CommandFailure(lost(e.getMessage()), e);
        }
    }

    private byte[] read(int length, String what, long end) {
        byte[] bytes = new byte[length];
        try {
            for (int have = 0; have < length; ) {
                int more = readSome(bytes, have, end);
                if (more < 0) {
                    throw new CommandFailure(lost("closed before it had sent " + what));
                }
                have += more;
            }
        } catch (SocketTimeoutException e) {
            throw new CommandFailure(
                    "the peer at " + peer() + " did not send " + what + " within " + patience.toSeconds()
                            + " s: is it a ping-pong, and the transport the same at both ends?",
                    e);
        } catch (IOException e) {
            throw new CommandFailure(lost(e.getMessage()), e);
        }
        return bytes;
    }

    /** The time-out of a socket is that of one read, and starts anew with each byte of a slow peer. */
    private int readSome(byte[] bytes, int have, long end) throws IOException {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        socket.setSoTimeout((int) Math.max(1, left)); // 0 is for ever
        return socket.getInputStream().read(bytes, have, bytes.length - have);
    }

    private String lost(String how) {
        return "the peer at " + peer() + " is gone (" + how
                + "): its own output tells why; over RoCE the C program needs -g with a GID index";
    }

    private String peer() {
        return socket.getInetAddress().getHostAddress() + ":" + socket.getPort();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException _) {
            // all that matters has been said
        }
    }
}
