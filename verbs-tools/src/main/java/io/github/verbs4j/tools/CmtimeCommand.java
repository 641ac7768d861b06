package io.github.verbs4j.tools;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verbs cmtime}: options. */
@Command(
        name = "cmtime",
        header = "Measure how fast connections are made by IP address, phase by phase.",
        description = {
            "",
            "With -s it is the client: it makes connections to the server there, takes all of them through one phase after the"
                    + " other, and tells of each phase how long it took for all, and for each. Without it is the server. The"
                    + " options are those of the C program cmtime of rdma-core up to 51, which may be either end; later"
                    + " ones talk to their own kind only.",
            ""
        },
        footer = {
            "",
            "Example, in two terminals",
            "  verbs cmtime",
            "  verbs cmtime -s SERVER -c 1000",
        })
final class CmtimeCommand implements Callable<Integer> {
    private static final int CONNECTIONS = 100;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "-s",
            paramLabel = "ADDRESS",
            converter = HostName.class,
            description = "The server's name or IP address.")
    private String server;

    @Option(
            names = "-b",
            paramLabel = "ADDRESS",
            converter = HostName.class,
            description =
                    "Our own address: a server listens there (default: on all), a client connects from there (default:"
                            + " by the way to the server).")
    private String bind;

    @Option(
            names = "-c",
            paramLabel = "COUNT",
            description = "Connections (default: " + CONNECTIONS + "); a server ends after so many (default: it goes on"
                    + " until Ctrl-C).")
    private Integer connections;

    @Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "7471",
            description =
                    "Port of librdmacm, which is none of TCP; a server takes 0 for any (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "-t",
            paramLabel = "MILLISECONDS",
            defaultValue = "10000",
            description = "How long an address or a route may take (default: ${DEFAULT-VALUE}).")
    private int resolving;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long any other step may take (default: ${DEFAULT-VALUE}).")
    private int patience;

    @Option(names = "--json", description = "The client prints one JSON object instead.")
    private boolean json;

    @Override
    public Integer call() {
        boolean client = server != null;
        int count = connections != null ? connections : client ? CONNECTIONS : 0;
        Usage.requireRange(spec, "connections (-c)", count, client || connections != null ? 1 : 0, 100_000);
        Usage.requireRange(spec, "port (-p)", port, client ? 1 : 0, 65_535);
        Usage.requireRange(spec, "time-out (-t)", resolving, 1, 3_600_000);
        Usage.requireRange(spec, "--patience", patience, 1, 3600);
        InetSocketAddress address = Usage.socketAddress(client ? server : bind, port);
        CmtimeOptions options = new CmtimeOptions(
                address,
                client && bind != null ? Usage.socketAddress(bind, 0) : null,
                count,
                Duration.ofMillis(resolving),
                Duration.ofSeconds(patience),
                json);
        Interruptible.run(
                client
                        ? new CmtimeClient(options, spec.commandLine().getOut())::run
                        : new CmtimeServer(options, spec.commandLine().getErr())::run);
        return 0;
    }
}
