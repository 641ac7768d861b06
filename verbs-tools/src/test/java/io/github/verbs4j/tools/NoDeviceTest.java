package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.host.Host;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine without libibverbs or without a device: the reason, no stack trace. */
class NoDeviceTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "devices",
                "devinfo",
                "devinfo --json",
                "counters",
                "counters --watch 1",
                "pingpong rc",
                "pingpong rc -d x host",
                "rping -s",
                "rping -c -a 127.0.0.1",
                "cmtime",
                "cmtime -s 127.0.0.1",
                "demo"
            })
    void tellsWhatIsMissing(String line) {
        assumeTrue(Host.local().rdmaDevices().isEmpty(), "this machine has an RDMA device");
        Run run = Run.of(line.split(" "));
        assertEquals(1, run.status());
        assertEquals("", run.out());
        assertTrue(run.err().startsWith("verbs " + line.split(" ")[0]), run.err());
        assertTrue(run.err().contains("cause:"), run.err());
        assertFalse(run.err().contains("\tat "), run.err());
        assertFalse(run.err().contains("unexpected"), run.err());
    }
}
