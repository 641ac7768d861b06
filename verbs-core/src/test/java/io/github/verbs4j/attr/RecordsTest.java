package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordsTest {

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 0, 0, 0, sendDepth",
        "0, -1, 0, 0, 0, receiveDepth",
        "0, 0, -1, 0, 0, sendSegments",
        "0, 0, 0, -1, 0, receiveSegments",
        "0, 0, 0, 0, -1, inlineBytes"
    })
    void shouldRefuseNegativeCapacities(int a, int b, int c, int d, int e, String name) {
        assertEquals(
                name + "=-1 is negative",
                assertThrows(IllegalArgumentException.class, () -> new QueuePairCapacity(a, b, c, d, e))
                        .getMessage());
    }

    @Test
    void shouldAllowEmptyCapacities() {
        assertEquals(0, new QueuePairCapacity(0, 0, 0, 0, 0).sendDepth());
    }

    @Test
    void shouldBeGlobalWithADestination() {
        assertTrue(new AddressVector(new Gid(0, 1), 0, 1, 0, 0, 0, 0, 0).isGlobal());
        assertFalse(new AddressVector(Gid.NONE, 7, 1, 0, 0, 0, 0, 0).isGlobal());
        assertEquals(
                "destination",
                assertThrows(NullPointerException.class, () -> new AddressVector(null, 7, 1, 0, 0, 0, 0, 0))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "65536, 1, 0, 0, 0, 0, 0, 'lid=65536 is not in 0..65535'",
        "0, 256, 0, 0, 0, 0, 0, 'port=256 is not in 0..255'",
        "0, 1, 256, 0, 0, 0, 0, 'sourceGidIndex=256 is not in 0..255'",
        "0, 1, 0, 16, 0, 0, 0, 'serviceLevel=16 is not in 0..15'",
        "0, 1, 0, 0, 256, 0, 0, 'hopLimit=256 is not in 0..255'",
        "0, 1, 0, 0, 0, -1, 0, 'trafficClass=-1 is not in 0..255'",
        "0, 1, 0, 0, 0, 0, 1048576, 'flowLabel=1048576 is not in 0..1048575'"
    })
    void shouldRefuseAddressesThatDoNotFitTheirFields(
            int lid, int port, int index, int level, int hops, int traffic, int flow, String message) {
        assertEquals(
                message,
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new AddressVector(Gid.NONE, lid, port, index, level, hops, traffic, flow))
                        .getMessage());
    }

    @Test
    void shouldRefuseAlternatePathsThatDoNotFitTheirFields() {
        AddressVector path = new AddressVector(Gid.NONE, 7, 1, 0, 0, 0, 0, 0);
        assertEquals(
                "partitionKeyIndex=65536 is not in 0..65535",
                assertThrows(IllegalArgumentException.class, () -> new AlternatePath(path, 65536, 0))
                        .getMessage());
        assertEquals(
                "ackTimeout=32 is not in 0..31",
                assertThrows(IllegalArgumentException.class, () -> new AlternatePath(path, 0, 32))
                        .getMessage());
    }

    @Test
    void shouldChangeOneThingOfAnUnreliablePath() {
        UcPath path = UcPath.defaults();
        assertEquals(new UcPath(null, 64, 0, 0, 0), path);
        assertEquals(new UcPath(Mtu.MTU_512, 64, 0, 0, 0), path.withMtu(Mtu.MTU_512));
        assertEquals(new UcPath(null, 1, 2, 3, 4), path.withRouting(1, 2, 3, 4));
        assertEquals(
                "hopLimit=0 is not in 1..255",
                assertThrows(IllegalArgumentException.class, () -> path.withRouting(0, 0, 0, 0))
                        .getMessage());
    }
}
