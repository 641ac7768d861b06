package io.github.verbs4j.bench.pingpong;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidType;
import io.github.verbs4j.bench.Machine;
import io.github.verbs4j.bench.build.CProgram;
import java.util.List;
import org.junit.jupiter.api.Test;

class PingpongReportTest {
    private static PingpongReport report(String device, String processor) {
        return new PingpongReport(
                new Target(device, "unknown", new GidEntry(1, 0, Gid.NONE, GidType.ROCE_V2, 0)),
                new Placement(0, 1, 0),
                new Machine(processor, 2, "6.1.0", "44.0", "25.0.3", "gcc 12"),
                PingpongPlan.quick(List.of(64), false));
    }

    @Test
    void shouldSayWhatItRanOnAndWith() {
        String header = String.join("\n", report("mlx5_0", "Some CPU").header());

        for (String fact : List.of("mlx5_0", "6.1.0", "44.0", "25.0.3", "gcc 12", CProgram.FLAGS, "-XX:+UseSerialGC")) {
            assertTrue(header.contains(fact), header);
        }
        assertFalse(header.contains("not to be quoted"), header);
    }

    @Test
    void shouldSayThatTimesOfEmulationAreNotLatency() {
        String header =
                String.join("\n", report("rxe0", "QEMU TCG CPU version 2.5+").header());

        assertTrue(header.contains("emulated"), header);
        assertTrue(header.contains("not RDMA latency"), header);
    }
}
