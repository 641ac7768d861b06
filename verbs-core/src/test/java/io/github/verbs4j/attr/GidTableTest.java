package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GidTableTest {
    private static final String LINK_LOCAL = "fe80000000000000505400fffe123456";
    private static final String ROUTABLE = "fd090000000000000000000000000001";
    private static final String IPV4 = "00000000000000000000ffff0a090001";

    private static GidEntry row(int index, String hex, GidType type) {
        return new GidEntry(1, index, Gid.ofHex(hex), type, 2);
    }

    private static GidTable table(GidEntry... rows) {
        return new GidTable(1, List.of(rows));
    }

    @Test
    void shouldPreferInTheDocumentedOrder() {
        List<GidEntry> best = List.of(
                row(90, IPV4, GidType.ROCE_V2),
                row(91, IPV4, GidType.ROCE_V2),
                row(80, ROUTABLE, GidType.ROCE_V2),
                row(70, LINK_LOCAL, GidType.ROCE_V2),
                row(60, IPV4, GidType.ROCE_V1),
                row(50, ROUTABLE, GidType.ROCE_V1),
                row(40, LINK_LOCAL, GidType.ROCE_V1));
        Random random = new Random(1);

        for (int from = 0; from < best.size(); from++) {
            List<GidEntry> rest = new ArrayList<>(best.subList(from, best.size()));
            Collections.shuffle(rest, random);
            assertEquals(best.get(from), new GidTable(1, rest).preferred());
        }
    }

    @Test
    void shouldPreferTheLowestIndexOnInfiniBand() {
        assertEquals(
                0,
                table(row(1, LINK_LOCAL, GidType.INFINIBAND), row(0, LINK_LOCAL, GidType.INFINIBAND))
                        .preferred()
                        .index());
    }

    @Test
    void shouldFindByAddressWithVersion2First() throws UnknownHostException {
        GidTable table =
                table(row(2, IPV4, GidType.ROCE_V1), row(5, IPV4, GidType.ROCE_V2), row(3, ROUTABLE, GidType.ROCE_V2));

        assertEquals(5, table.byAddress(InetAddress.getByName("10.9.0.1")).index());
        assertEquals(3, table.byAddress(InetAddress.getByName("fd09::1")).index());
    }

    @Test
    void shouldListWhatItHasWhenAnAddressIsMissing() throws UnknownHostException {
        InetAddress other = InetAddress.getByAddress(new byte[] {10, 9, 0, 77});

        assertEquals(
                "port 1 has no GID of /10.9.0.77; it has 2=::ffff:10.9.0.1 ROCE_V1, 7=fd09:0:0:0:0:0:0:1 ROCE_V2",
                assertThrows(
                                NoSuchElementException.class,
                                () -> table(row(7, ROUTABLE, GidType.ROCE_V2), row(2, IPV4, GidType.ROCE_V1))
                                        .byAddress(other))
                        .getMessage());
    }

    @Test
    void shouldFindByIndexInASparseTable() {
        GidTable table = table(row(1023, IPV4, GidType.ROCE_V2), row(3, LINK_LOCAL, GidType.ROCE_V2));

        assertEquals(1023, table.byIndex(1023).index());
        assertEquals(3, table.byIndex(3).index());
        assertTrue(table.find(0).isEmpty());
        assertTrue(table.find(-1).isEmpty());
        assertEquals(
                "GID index 0 of port 1 is empty; filled are 3=fe80:0:0:0:5054:ff:fe12:3456 ROCE_V2, "
                        + "1023=::ffff:10.9.0.1 ROCE_V2",
                assertThrows(NoSuchElementException.class, () -> table.byIndex(0))
                        .getMessage());
    }

    @Test
    void shouldExplainAnEmptyTable() {
        assertEquals(
                "port 1 has no GID: give its network interface an IP address and bring it up (ip addr, ip link)",
                assertThrows(NoSuchElementException.class, () -> table().preferred())
                        .getMessage());
        assertEquals(
                "GID index 4 of port 1 is empty; filled are none",
                assertThrows(NoSuchElementException.class, () -> table().byIndex(4))
                        .getMessage());
    }

    @Test
    void shouldKeepASortedCopy() {
        List<GidEntry> rows =
                new ArrayList<>(List.of(row(3, IPV4, GidType.ROCE_V1), row(1, LINK_LOCAL, GidType.ROCE_V1)));
        GidTable table = new GidTable(1, rows);
        rows.clear();

        assertEquals(
                List.of(1, 3), table.entries().stream().map(GidEntry::index).toList());
        assertThrows(UnsupportedOperationException.class, () -> table.entries().clear());
    }

    @Test
    void shouldNeedAddressAndType() {
        assertEquals(
                "gid",
                assertThrows(NullPointerException.class, () -> new GidEntry(1, 0, null, GidType.ROCE_V2, 2))
                        .getMessage());
        assertEquals(
                "type",
                assertThrows(NullPointerException.class, () -> new GidEntry(1, 0, Gid.NONE, null, 2))
                        .getMessage());
        assertEquals(
                "GID ::ffff:10.9.0.1 (ROCE_V2, index 5 of port 1)",
                row(5, IPV4, GidType.ROCE_V2).toString());
    }
}
