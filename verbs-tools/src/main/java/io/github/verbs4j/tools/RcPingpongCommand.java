package io.github.verbs4j.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verbs pingpong rc}. */
@Command(
        name = "rc",
        header = "Ping-pong over a reliable connection, with ibv_rc_pingpong or another verbs pingpong.",
        description = {
            "",
            TransportCommand.ROLES
                    + " -s, -n and -m must be the same at both ends. The other end may be the C program"
                    + " ibv_rc_pingpong, which over RoCE needs -g with a GID index.",
            ""
        },
        footer = {
            "",
            "Example, in two terminals",
            "  verbs pingpong rc",
            "  verbs pingpong rc -n 10000 -s 64 SERVER",
        })
final class RcPingpongCommand extends ConnectedCommand {
    @Mixin
    private ValidateOption validate;

    @Override
    boolean validates() {
        return validate.isGiven();
    }

    @Override
    Pingpong pingpong(PingpongOptions options, PingpongOutput output) {
        return new PairPingpong("RC", ConnectedEndpoint::reliable, options, output);
    }
}
