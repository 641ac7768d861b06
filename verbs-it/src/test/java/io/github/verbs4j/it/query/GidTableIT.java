package io.github.verbs4j.it.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.GidType;
import io.github.verbs4j.it.rdma.Rdma;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GidTableIT {
    private static Path port() {
        return Path.of("/sys/class/infiniband", Rdma.device().name(), "ports", Integer.toString(Rdma.port()));
    }

    private static String read(String file, int index) throws IOException {
        return Files.readString(port().resolve(file).resolve(Integer.toString(index)))
                .strip();
    }

    private static GidType type(String text) {
        return switch (text) {
            case "RoCE v2" -> GidType.ROCE_V2;
            case "IB/RoCE v1" -> GidType.ROCE_V1;
            default -> throw new AssertionError("sysfs tells type " + text);
        };
    }

    @Test
    void shouldAgreeWithSysfsRowByRow() throws IOException {
        try (DeviceContext context = Rdma.open()) {
            GidTable table = context.gids(Rdma.port());
            int rows = context.port(Rdma.port()).gidTableLength();
            for (int index = 0; index < rows; index++) {
                Gid theirs = Gid.ofHex(read("gids", index).replace(":", ""));
                Optional<GidEntry> ours = table.find(index);
                assertEquals(!theirs.isNone(), ours.isPresent(), "row " + index + " is filled");
                if (ours.isPresent()) {
                    assertEquals(theirs, ours.get().gid());
                    assertEquals(
                            type(read("gid_attrs/types", index)), ours.get().type());
                    assertEquals(
                            NetworkInterface.getByName(read("gid_attrs/ndevs", index))
                                    .getIndex(),
                            ours.get().interfaceIndex());
                }
            }
        }
    }

    @Test
    void shouldFindEveryRowByItsAddressAndIndex() {
        try (DeviceContext context = Rdma.open()) {
            GidTable table = context.gids(Rdma.port());
            assertFalse(table.entries().isEmpty());
            for (GidEntry entry : table.entries()) {
                assertEquals(entry, table.byIndex(entry.index()));
                assertEquals(
                        entry.gid(), table.byAddress(entry.gid().toAddress()).gid());
            }
            assertThrows(NoSuchElementException.class, () -> table.byIndex(100_000));
        }
    }

    @Test
    void shouldPreferARoutableAddress() {
        try (DeviceContext context = Rdma.open()) {
            GidTable table = context.gids(Rdma.port());
            boolean routable =
                    table.entries().stream().anyMatch(entry -> !entry.gid().isLinkLocal());
            assertTrue(!routable || !table.preferred().gid().isLinkLocal(), () -> "prefers " + table.preferred());
        }
    }
}
