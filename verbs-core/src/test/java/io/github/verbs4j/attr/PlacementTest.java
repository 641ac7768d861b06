package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
    @Test
    void shouldKeepTheNodeWhenPagesAreChosen() {
        assertEquals(new Placement(OptionalInt.empty(), PageKind.ORDINARY, 0), Placement.nearDevice());
        assertEquals(
                new Placement(OptionalInt.of(1), PageKind.HUGE, 2 << 20),
                Placement.onNode(1).hugePages(Placement.TWO_MEBIBYTES));
        assertEquals(
                new Placement(OptionalInt.of(1), PageKind.TRANSPARENT_HUGE, 0),
                Placement.onNode(1).hugePages(Placement.ONE_GIBIBYTE).transparentHugePages());
    }

    @Test
    void shouldReadAsWords() {
        assertEquals(
                "HUGE pages of 2097152 bytes on node 1",
                Placement.onNode(1).hugePages(Placement.TWO_MEBIBYTES).toString());
        assertEquals("ORDINARY pages near the device", Placement.nearDevice().toString());
    }

    @Test
    void shouldRefuseNegativeNodes() {
        assertEquals(
                "node=-1: nodes are counted from 0",
                assertThrows(IllegalArgumentException.class, () -> Placement.onNode(-1))
                        .getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4096, -1, 3 << 20, Long.MIN_VALUE})
    void shouldRefuseWhatIsNoSizeOfHugePages(long size) {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> Placement.nearDevice().hugePages(size))
                .getMessage();

        assertTrue(message.startsWith("pageBytes=" + size + " of HUGE pages: "), message);
    }

    @Test
    void shouldRefuseASizeOfOtherPages() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new Placement(OptionalInt.empty(), PageKind.TRANSPARENT_HUGE, 2 << 20));
    }
}
