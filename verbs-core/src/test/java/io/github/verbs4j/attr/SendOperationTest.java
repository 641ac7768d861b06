package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Operations have C's two numbers: the bit of creation and the opcode of a request. */
class SendOperationTest {
    private static final Map<String, SendOperation> NAMES = Map.ofEntries(
            Map.entry("RDMA_WRITE", SendOperation.WRITE),
            Map.entry("RDMA_WRITE_WITH_IMM", SendOperation.WRITE_IMMEDIATE),
            Map.entry("SEND", SendOperation.SEND),
            Map.entry("SEND_WITH_IMM", SendOperation.SEND_IMMEDIATE),
            Map.entry("SEND_WITH_INV", SendOperation.SEND_INVALIDATE),
            Map.entry("RDMA_READ", SendOperation.READ),
            Map.entry("ATOMIC_CMP_AND_SWP", SendOperation.COMPARE_AND_SWAP),
            Map.entry("ATOMIC_FETCH_AND_ADD", SendOperation.FETCH_AND_ADD),
            Map.entry("LOCAL_INV", SendOperation.LOCAL_INVALIDATE),
            Map.entry("BIND_MW", SendOperation.BIND_MEMORY_WINDOW),
            Map.entry("ATOMIC_WRITE", SendOperation.ATOMIC_WRITE));

    @Test
    void shouldHaveTheNumbersOfC() {
        NAMES.forEach((name, operation) -> {
            assertEquals(GeneratedConstants.valueOf("IBV_QP_EX_WITH_" + name), operation.code(), name);
            assertEquals(GeneratedConstants.valueOf("IBV_WR_" + name), operation.opcode(), name);
            assertSame(operation, SendOperation.ofOpcode(operation.opcode()), name);
        });
    }

    /** Segmentation offload is of raw packets, which are not offered. */
    @Test
    void shouldHaveEveryOperationOfC() {
        Set<String> all = new HashSet<>(
                GeneratedConstants.of("IBV_QP_EX_WITH_", "IBV_QP_EX_WITH_TSO").keySet());
        NAMES.keySet().forEach(name -> all.remove("IBV_QP_EX_WITH_" + name));

        assertEquals(Set.of(), all);
    }

    /** As rdma-core 45 defined it, which is newer than the bindings. */
    @Test
    void shouldKnowFlush() {
        assertEquals(1 << 11, SendOperation.FLUSH.code());
        assertEquals(14, SendOperation.FLUSH.opcode());
        assertEquals(1, FlushPlacement.GLOBAL.code());
        assertEquals(2, FlushPlacement.PERSISTENT.code());
    }
}
