package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void columnsAreAligned() {
        Table table = Table.of(">size", "name", "rest");
        table.row(List.of("4096", "a", ""));
        table.row(List.of("1", "longer", "x"));
        assertEquals(List.of("size  name    rest", "4096  a", "   1  longer  x"), table.lines());
    }

    @Test
    void aRowHasACellForEachColumn() {
        Table table = Table.of("a", "b");
        assertThrows(IllegalArgumentException.class, () -> table.row(List.of("1")));
    }
}
