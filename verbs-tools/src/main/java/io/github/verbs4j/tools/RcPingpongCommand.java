package io.github.verbs4j.tools;

import io.github.verbs4j.attr.Mtu;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbs pingpong rc}: options, and the run in one of two roles. */
@Command(
        name = "rc",
        header = "Ping-pong over a reliable connection, with ibv_rc_pingpong or another verbs pingpong.",
        description = {
            "",
            "Without a host it is the server and waits for a client; with a host it is the client and connects to the"
                    + " server there. -s, -n and -m must be the same at both ends. The other end may be the C program"
                    + " ibv_rc_pingpong, which over RoCE needs -g with a GID index.",
            ""
        },
        footer = {
            "",
            "Example, in two terminals",
            "  verbs pingpong rc",
            "  verbs pingpong rc -n 10000 -s 64 SERVER",
        })
final class RcPingpongCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "HOST", description = "The server's name or IP address.")
    private String host;

    @Option(
            names = {"-d", "--ib-dev", "--device"},
            paramLabel = "NAME",
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
            defaultValue = "4096",
            description = "Size of a message (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "Round trips (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096 (default: ${DEFAULT-VALUE}).")
    private int mtu;

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

    @Option(
            names = "--validate",
            description = "Hold every byte against what it must be. Both ends must be Verbs4J and say so. The time that"
                    + " it takes is part of the times shown.")
    private boolean validate;

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

    @Override
    public Integer call() {
        requireRange("port (-i)", port, 1, 255);
        requireRange("iterations (-n)", iterations, 1, Integer.MAX_VALUE);
        requireRange("receives (-r)", depth, 1, Integer.MAX_VALUE - 1);
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
                pathMtu(),
                depth,
                validate,
                host,
                tcpPort,
                Duration.ofSeconds(patience),
                Duration.ofSeconds(wait));
        new RcPingpong(
                        options,
                        json,
                        spec.commandLine().getOut(),
                        spec.commandLine().getErr())
                .run();
        return 0;
    }

    private Mtu pathMtu() {
        try {
            return Mtu.ofBytes(mtu);
        } catch (IllegalArgumentException _) {
            throw misuse("MTU (-m) " + mtu + " is none of 256, 512, 1024, 2048, 4096");
        }
    }

    private ParameterException misuse(String reason) {
        return new ParameterException(spec.commandLine(), reason);
    }

    private void requireRange(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw misuse(name + " " + value + " is not in " + min + ".." + max);
        }
    }
}
