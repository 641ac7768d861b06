package io.github.verbs4j.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verbs pingpong rc}. */
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
final class RcPingpongCommand extends TransportCommand {
    @Option(
            names = "--validate",
            description = "Hold every byte against what it must be. Both ends must be Verbs4J and say so. The time that"
                    + " it takes is part of the times shown.")
    private boolean validate;

    @Override
    boolean validates() {
        return validate;
    }

    @Override
    Pingpong pingpong(PingpongOptions options, PingpongOutput output) {
        return new RcPingpong(options, output);
    }
}
