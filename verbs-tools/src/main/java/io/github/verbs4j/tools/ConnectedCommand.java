package io.github.verbs4j.tools;

import io.github.verbs4j.attr.Mtu;
import picocli.CommandLine.Option;

/** {@code verbs pingpong} over connections, whose messages may be longer than a packet. */
abstract class ConnectedCommand extends TransportCommand {
    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096 (default: ${DEFAULT-VALUE}).")
    private int mtu;

    ConnectedCommand() {
        super(4096);
    }

    @Override
    final Mtu mtu() {
        try {
            return Mtu.ofBytes(mtu);
        } catch (IllegalArgumentException _) {
            throw misuse("MTU (-m) " + mtu + " is none of 256, 512, 1024, 2048, 4096");
        }
    }
}
