package io.github.verbs4j.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersTest {

    @TempDir
    Path root;

    private RecordedHost recorded;

    @BeforeEach
    void record() {
        recorded = new RecordedHost(root).mellanox("mlx5_0");
    }

    private RecordedHost standard(String name, String value) {
        return recorded.counter("mlx5_0", "counters", name, value);
    }

    private RecordedHost hardware(String name, String value) {
        return recorded.counter("mlx5_0", "hw_counters", name, value);
    }

    private Counters read() {
        return recorded.host().counters("mlx5_0", 1);
    }

    @Test
    void shouldReadBothDirectoriesByName() {
        standard("port_xmit_data", "250");
        standard("link_downed", "2");
        hardware("out_of_sequence", "7");
        hardware("lifespan", "10");

        assertEquals(
                new Counters(
                        "mlx5_0",
                        1,
                        OptionalLong.of(10),
                        List.of(
                                new Counter(CounterSource.STANDARD, "link_downed", 2),
                                new Counter(CounterSource.STANDARD, "port_xmit_data", 250),
                                new Counter(CounterSource.HARDWARE, "out_of_sequence", 7))),
                read());
        assertEquals(OptionalLong.of(7), read().value("out_of_sequence"));
        assertEquals(OptionalLong.empty(), read().value("no_such_counter"));
        assertEquals(OptionalLong.empty(), read().value("lifespan"));
    }

    @Test
    void shouldReadThoseOfTheDevice() {
        recorded.file("/sys/class/infiniband/mlx5_0/hw_counters/cnpSent", "5\n");

        assertEquals(
                new Counters(
                        "mlx5_0", 0, OptionalLong.empty(), List.of(new Counter(CounterSource.HARDWARE, "cnpSent", 5))),
                recorded.host().counters("mlx5_0", 0));
    }

    @Test
    void shouldBeEmptyWithoutPortDirectoryOrNumber() {
        standard("port_rcv_data", "N/A (not supported)");
        hardware("nonsense", "");

        assertEquals(List.of(), read().all());
        assertEquals(List.of(), recorded.host().counters("mlx5_0", 2).all());
        assertEquals(List.of(), recorded.host().counters("mlx5_0", -1).all());
        assertEquals(List.of(), recorded.host().counters("\0", 1).all());
    }

    @Test
    void shouldTellUnitsWhereTheyAreDocumented() {
        standard("port_rcv_data", "250");
        standard("port_rcv_packets", "3");
        standard("port_xmit_wait", "9");
        hardware("port_rcv_packets", "3");

        assertEquals(
                List.of(CounterUnit.FOUR_BYTES, CounterUnit.PACKETS, CounterUnit.TICKS, CounterUnit.NUMBER),
                read().all().stream().map(Counter::unit).toList());
        assertEquals(OptionalLong.of(1000), read().all().getFirst().bytes());
        assertEquals(OptionalLong.empty(), read().all().getLast().bytes());
    }

    @Test
    void shouldTellHowFarEachMoved() {
        standard("link_downed", "9");
        hardware("link_downed", "4");
        hardware("out_of_sequence", "7");
        Counters before = read();
        standard("link_downed", "1"); // set back
        hardware("out_of_sequence", "12");
        hardware("duplicate_request", "3"); // not there before

        Counters moved = read().since(before);

        assertEquals(
                List.of(
                        new Counter(CounterSource.STANDARD, "link_downed", 1),
                        new Counter(CounterSource.HARDWARE, "link_downed", 0),
                        new Counter(CounterSource.HARDWARE, "out_of_sequence", 5)),
                moved.all());
        assertEquals(OptionalLong.empty(), moved.nonZero().since(before).value("duplicate_request"));
        assertEquals(2, moved.nonZero().all().size());
    }

    @Test
    void shouldNotSubtractAnotherPort() {
        Counters other = recorded.host().counters("mlx5_0", 2);

        assertEquals(
                "earlier=mlx5_0 port 2: these are the counters of mlx5_0 port 1",
                assertThrows(IllegalArgumentException.class, () -> read().since(other))
                        .getMessage());
    }

    @Test
    void shouldAddUpByMeaningWhateverTheVendor() {
        hardware("out_of_sequence", "7");
        hardware("to_retransmits", "1");
        hardware("rcvd_rnr_err", "2");
        hardware("rx_write_requests", "100");

        assertEquals(8, read().total(CounterMeaning.RETRANSMISSION));
        assertEquals(2, read().total(CounterMeaning.RECEIVER_NOT_READY));
        assertEquals(0, read().total(CounterMeaning.GAVE_UP));
        assertThrows(IllegalArgumentException.class, () -> read().total(CounterMeaning.OTHER));
    }

    @Test
    void shouldExplainEachMeaning() {
        Set<String> explanations = new HashSet<>();
        for (CounterMeaning meaning : CounterMeaning.values()) {
            assertTrue(explanations.add(meaning.explanation()), meaning.explanation());
            assertFalse(meaning.explanation().contains("\n"));
        }
        assertEquals("", CounterMeaning.OTHER.explanation());
    }
}
