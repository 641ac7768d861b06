package io.github.verbs4j.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verbs pingpong uc}. */
@Command(
        name = "uc",
        header = "Ping-pong over an unreliable connection, with ibv_uc_pingpong or another verbs pingpong.",
        description = {
            "",
            TransportCommand.ROLES
                    + " -s, -n and -m must be the same at both ends. The other end may be the C program"
                    + " ibv_uc_pingpong, which over RoCE needs -g with a GID index.",
            "Nothing is repeated: where a message is lost, the run ends" + " after --patience, and says so.",
            ""
        },
        footer = {
            "",
            "Example, in two terminals",
            "  verbs pingpong uc",
            "  verbs pingpong uc -n 10000 -s 64 SERVER",
        })
final class UcPingpongCommand extends ConnectedCommand {
    @Mixin
    private ValidateOption validate;

    @Override
    boolean validates() {
        return validate.isGiven();
    }

    @Override
    Pingpong pingpong(PingpongOptions options, PingpongOutput output) {
        return new PairPingpong("UC", ConnectedEndpoint::unreliable, options, output);
    }
}
