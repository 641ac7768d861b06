package io.github.verbs4j.tools;

import io.github.verbs4j.attr.Mtu;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verbs pingpong ud}. */
@Command(
        name = "ud",
        header = "Ping-pong of unreliable datagrams, with ibv_ud_pingpong or another verbs pingpong.",
        description = {
            "",
            TransportCommand.ROLES
                    + " -s and -n must be the same at both ends. The other end may be the C program"
                    + " ibv_ud_pingpong, which over RoCE needs -g with a GID index.",
            "A message is one packet, at most the port's active MTU. Nothing is repeated: where a message is lost, the run ends"
                    + " after --patience, and says so.",
            ""
        },
        footer = {
            "",
            "Example, in two terminals",
            "  verbs pingpong ud",
            "  verbs pingpong ud -n 10000 -s 64 SERVER",
        })
final class UdPingpongCommand extends TransportCommand {
    @Mixin
    private ValidateOption validate;

    UdPingpongCommand() {
        super(1024);
    }

    @Override
    Mtu mtu() {
        return null;
    }

    @Override
    boolean validates() {
        return validate.isGiven();
    }

    @Override
    Pingpong pingpong(PingpongOptions options, PingpongOutput output) {
        return new PairPingpong("UD", DatagramEndpoint::create, options, output);
    }
}
