package io.github.verbs4j.tools;

import io.github.verbs4j.attr.GidType;
import io.github.verbs4j.attr.LinkLayer;
import io.github.verbs4j.attr.TransportType;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Locale;
import java.util.Optional;

/** Values in the words that people know from the C tools. */
final class Text {
    private Text() {}

    /** {@code 5054:0aff:fe09:0001}. */
    static String guid(long guid) {
        return String.format(
                "%04x:%04x:%04x:%04x", guid >>> 48, guid >>> 32 & 0xffff, guid >>> 16 & 0xffff, guid & 0xffff);
    }

    /** {@code 10.9.0.1:7174}, {@code [fd09:0:0:0:0:0:0:1]:7174}, or {@code *:7174} of all addresses. */
    static String address(InetSocketAddress address) {
        String host = address.getAddress().isAnyLocalAddress()
                ? "*"
                : address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** {@code CHANNEL_ADAPTER} as {@code channel adapter}. */
    static String words(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static String transport(TransportType type) {
        return switch (type) {
            case INFINIBAND -> "InfiniBand";
            case IWARP -> "iWARP";
            case USNIC -> "usNIC";
            case USNIC_UDP -> "usNIC UDP";
            case UNSPECIFIED, UNKNOWN -> words(type);
        };
    }

    static String linkLayer(LinkLayer layer) {
        return switch (layer) {
            case INFINIBAND -> "InfiniBand";
            case ETHERNET -> "Ethernet";
            case UNSPECIFIED, UNKNOWN -> words(layer);
        };
    }

    static String gidType(GidType type) {
        return switch (type) {
            case INFINIBAND -> "InfiniBand";
            case ROCE_V1 -> "RoCE v1";
            case ROCE_V2 -> "RoCE v2";
            case UNKNOWN -> "unknown";
        };
    }

    /** The name of a network interface; empty if this network namespace has none of that index. */
    static Optional<String> interfaceName(int index) {
        try {
            return index == 0
                    ? Optional.empty()
                    : Optional.ofNullable(NetworkInterface.getByIndex(index)).map(NetworkInterface::getName);
        } catch (SocketException _) {
            return Optional.empty();
        }
    }
}
