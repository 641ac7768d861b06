package io.github.verbs4j.tools;

import io.github.verbs4j.attr.Mtu;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbs pingpong TRANSPORT}: the options that all transports have, and the run in one of two roles. */
abstract class TransportCommand implements Callable<Integer> {
    /** What the descriptions of all say first. */
    static final String ROLES =
            "Without a host it is the server and waits for a client; with a host it is the client and"
                    + " connects to the server there.";

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "HOST",
            converter = HostName.class,
            description = "The server's name or IP address.")
    private String host;

    @Option(
            names = {"-d", "--ib-dev", "--device"},
            paramLabel = "NAME",
            converter = DeviceName.class,
            description = "RDMA device (default: the first).")
    private String device;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "1",
            description = "Port of the device (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            description = "Row of the GID table (default: the preferred one, see devinfo).")
    private Integer gidIndex;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            description = "Size of a message (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "Round trips (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "COUNT",
            defaultValue = "500",
            description = "Receives to keep posted (default: ${DEFAULT-VALUE}).")
    private int depth;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "18515",
            description = "TCP port to meet on; a server takes 0 for any (default: ${DEFAULT-VALUE}).")
    private int tcpPort;

    @Option(names = "--json", description = "Print one JSON object instead.")
    private boolean json;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Give up when the peer shows no sign of life so long (default: ${DEFAULT-VALUE}).")
    private int patience;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "A server waits so long for a client, 0 for ever (default: ${DEFAULT-VALUE}).")
    private int wait;

    /**
     * For a transport.
     *
     * @param size of a message unless said otherwise, bytes
     */
    TransportCommand(long size) {
        this.size = size;
    }

    @Override
    public final Integer call() {
        requireRange("port (-i)", port, 1, 255);
        Usage.requireGidIndex(spec, gidIndex);
        requireRange("iterations (-n)", iterations, 1, Integer.MAX_VALUE);
        requireRange("receives (-r)", depth, 1, Integer.MAX_VALUE / 2);
        requireRange("TCP port (-p)", tcpPort, host == null ? 0 : 1, 65535);
        requireRange("--patience", patience, 1, 3600);
        requireRange("--wait", wait, 0, 1_000_000);
        if (size < 1) {
            throw misuse("size (-s) " + size + ": a message has at least 1 byte");
        }
        PingpongOptions options = new PingpongOptions(
                device,
                port,
                gidIndex,
                size,
                iterations,
                mtu(),
                depth,
                validates(),
                host,
                tcpPort,
                Duration.ofSeconds(patience),
                Duration.ofSeconds(wait));
        PingpongOutput output = new PingpongOutput(
                json, spec.commandLine().getOut(), spec.commandLine().getErr());
        pingpong(options, output).run();
        return 0;
    }

    /** The MTU of the path, null where messages are packets. */
    abstract Mtu mtu();

    /** Whether contents are to be checked. */
    abstract boolean validates();

    /** What is to be run. */
    abstract Pingpong pingpong(PingpongOptions options, PingpongOutput output);

    final ParameterException misuse(String reason) {
        return Usage.misuse(spec, reason);
    }

    final void requireRange(String name, int value, int min, int max) {
        Usage.requireRange(spec, name, value, min, max);
    }
}
