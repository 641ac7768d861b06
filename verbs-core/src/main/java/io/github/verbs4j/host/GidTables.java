package io.github.verbs4j.host;

import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.GidType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The GID table of a port, as {@code /sys/class/infiniband} shows it to everybody. */
final class GidTables {

    /**
     * Tables have up to a thousand rows, each a file, and are filled from the start: so many empty rows in a row are the
     * end.
     */
    private static final int EMPTY_ROWS = 64;

    private GidTables() {}

    static GidTable read(Tree tree, String device, int port) {
        String directory = "/sys/class/infiniband/" + device + "/ports/" + port + "/";
        List<GidEntry> entries = new ArrayList<>();
        int last = 0;
        for (int index = 0; index - last <= EMPTY_ROWS; index++) {
            Optional<Gid> gid = tree.line(directory + "gids/" + index)
                    .flatMap(GidTables::parse)
                    .filter(found -> !found.isNone());
            if (gid.isPresent()) {
                entries.add(new GidEntry(
                        port, index, gid.get(), type(tree, directory, index), netIndex(tree, directory, index)));
                last = index;
            }
        }
        return new GidTable(port, entries);
    }

    private static Optional<Gid> parse(String text) {
        try {
            return Optional.of(Gid.of(HexFormat.ofDelimiter("").parseHex(text.replace(":", ""))));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static GidType type(Tree tree, String directory, int index) {
        return switch (tree.line(directory + "gid_attrs/types/" + index).orElse("")) {
            case "RoCE v2" -> GidType.ROCE_V2;
            // InfiniBand has the same name here, and no interface
            case "IB/RoCE v1" ->
                tree.line(directory + "link_layer").equals(Optional.of("Ethernet"))
                        ? GidType.ROCE_V1
                        : GidType.INFINIBAND;
            default -> GidType.UNKNOWN;
        };
    }

    private static int netIndex(Tree tree, String directory, int index) {
        return tree.line(directory + "gid_attrs/ndevs/" + index)
                .map(name ->
                        (int) tree.number("/sys/class/net/" + name + "/ifindex").orElse(0))
                .orElse(0);
    }
}
