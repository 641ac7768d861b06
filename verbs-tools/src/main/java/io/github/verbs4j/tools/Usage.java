package io.github.verbs4j.tools;

import io.github.verbs4j.cm.ConnectionManager;
import io.github.verbs4j.cm.Connector;
import io.github.verbs4j.cm.EndpointOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What command lines have in common: what they must be, and the addresses in them. */
final class Usage {
    private Usage() {}

    static ParameterException misuse(CommandSpec spec, String reason) {
        return new ParameterException(spec.commandLine(), reason);
    }

    static void requireRange(CommandSpec spec, String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw misuse(spec, name + " " + value + " is not in " + min + ".." + max);
        }
    }

    /** Of a row, null for the preferred one. C's ping-pongs take -1 for no GID at all. */
    static void requireGidIndex(CommandSpec spec, Integer index) {
        if (index != null && index < 0) {
            throw misuse(
                    spec,
                    "GID index (-g) " + index + ": rows of the GID table are counted from 0, see devinfo; there is no"
                            + " RoCE without a GID, and without -g it is the preferred one");
        }
    }

    /** Of a name or IP address; the wildcard if there is none. */
    static InetSocketAddress socketAddress(String host, int port) {
        try {
            return host == null
                    ? new InetSocketAddress(InetAddress.ofLiteral("::"), port) // and of IPv4 too
                    : new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new CommandFailure("unknown host: " + host, e);
        }
    }

    /** From an address of ours; null for that which the way there decides about. */
    static Connector connector(ConnectionManager manager, InetSocketAddress destination, InetSocketAddress source) {
        return source == null
                ? manager.connector(destination)
                : manager.connector(destination, source, EndpointOptions.defaults());
    }
}
