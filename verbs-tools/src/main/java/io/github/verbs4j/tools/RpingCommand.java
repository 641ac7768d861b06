package io.github.verbs4j.tools;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verbs rping}: options. */
@Command(
        name = "rping",
        header = "Connect by IP address and ping by RDMA read and write, with C's rping or another verbs rping.",
        description = {
            "",
            "The client announces memory with a text in it; the server reads it by RDMA, and writes it back by RDMA to other"
                    + " memory that the client announces. The options are those of the C program rping, which may be either"
                    + " end. -S is the client's; this server takes any size, C's the size of its own -S.",
            ""
        },
        footer = {
            "",
            "Example, in two terminals",
            "  verbs rping -s",
            "  verbs rping -c -a SERVER -C 1000 -S 4096 -V",
        })
final class RpingCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "-s", description = "Be the server.")
    private boolean server;

    @Option(names = "-c", description = "Be the client.")
    private boolean client;

    @Option(
            names = "-a",
            paramLabel = "ADDRESS",
            converter = HostName.class,
            description = "The server's name or IP address; a server listens there (default: on all of its addresses).")
    private String address;

    @Option(
            names = "-I",
            paramLabel = "ADDRESS",
            converter = HostName.class,
            description = "The client's own address (default: by the way to the server).")
    private String source;

    @Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "7174",
            description =
                    "Port of librdmacm, which is none of TCP; a server takes 0 for any (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "-C",
            paramLabel = "COUNT",
            defaultValue = "0",
            description = "Pings, 0 for as many as there are until Ctrl-C (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "-S",
            paramLabel = "BYTES",
            defaultValue = "64",
            description = "Size of a ping, " + RpingText.SHORTEST + " to " + RpingText.LONGEST
                    + " (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(names = "-v", description = "Print each ping.")
    private boolean verbose;

    @Option(names = "-V", description = "Hold every byte against what it must be.")
    private boolean validate;

    @Option(names = "-d", description = "Print each step.")
    private boolean steps;

    @Option(names = "-P", description = "The server goes on until Ctrl-C, with any number of clients at a time.")
    private boolean persistent;

    @Option(names = "-q", description = "Make and lead the queue pair ourselves: always so here.")
    private boolean ownQueuePair;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Give up when a step does not come so long (default: ${DEFAULT-VALUE}).")
    private int patience;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "A server without -P waits so long for a client, 0 for ever (default: ${DEFAULT-VALUE}).")
    private int wait;

    @Override
    public Integer call() {
        requireRole();
        Usage.requireRange(spec, "port (-p)", port, server ? 0 : 1, 65_535);
        Usage.requireRange(spec, "count (-C)", count, 0, Integer.MAX_VALUE);
        Usage.requireRange(spec, "size (-S)", size, RpingText.SHORTEST, RpingText.LONGEST);
        Usage.requireRange(spec, "--patience", patience, 1, 3600);
        Usage.requireRange(spec, "--wait", wait, 0, 1_000_000);
        RpingOptions options = new RpingOptions(
                Usage.socketAddress(address, port),
                source == null ? null : Usage.socketAddress(source, 0),
                count,
                size,
                validate,
                persistent,
                Duration.ofSeconds(patience),
                Duration.ofSeconds(wait));
        RpingOutput output = new RpingOutput(
                verbose, steps, spec.commandLine().getOut(), spec.commandLine().getErr());
        Interruptible.run(server ? new RpingServer(options, output)::run : new RpingClient(options, output)::run);
        return 0;
    }

    private void requireRole() {
        if (server == client) {
            throw Usage.misuse(spec, "say either -s, to be the server, or -c, to be the client");
        }
        if (client && address == null) {
            throw Usage.misuse(spec, "a client (-c) needs the server's address (-a)");
        }
        if (server && source != null) {
            throw Usage.misuse(spec, "-I is a client's option: a server listens on the address of -a");
        }
        if (client && persistent) {
            throw Usage.misuse(spec, "-P is a server's option: a client pings until Ctrl-C if -C is 0");
        }
    }
}
