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
}
