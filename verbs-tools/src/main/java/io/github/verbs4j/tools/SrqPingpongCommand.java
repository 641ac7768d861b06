package io.github.verbs4j.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verbs pingpong srq}. */
@Command(
        name = "srq",
        header = "Ping-pong over several reliable connections that share their receives, with ibv_srq_pingpong.",
        description = {
            "",
            TransportCommand.ROLES
                    + " -s, -n, -m and -q must be the same at both ends. The other end may be another verbs"
                    + " pingpong, or the C program ibv_srq_pingpong, which over RoCE needs -g with a GID index.",
            ""
        },
        footer = {
            "",
            "Example, in two terminals",
            "  verbs pingpong srq",
            "  verbs pingpong srq -q 4 -n 10000 -s 64 SERVER",
        })
final class SrqPingpongCommand extends ConnectedCommand {
    @Option(
            names = {"-q", "--num-qp"},
            paramLabel = "COUNT",
            defaultValue = "16",
            description = "Connections (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Override
    boolean validates() {
        return false;
    }

    @Override
    Pingpong pingpong(PingpongOptions options, PingpongOutput output) {
        requireRange("connections (-q)", connections, 1, SrqPingpong.MOST);
        requireRange("receives (-r)", options.depth(), connections, Integer.MAX_VALUE / 2);
        return new SrqPingpong(options, connections, output);
    }
}
