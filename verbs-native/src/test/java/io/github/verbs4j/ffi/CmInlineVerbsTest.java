package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What {@code rdma_cma.h} and {@code rdma_verbs.h} define inline does in Java exactly what it does in C: requests, results and
 * errno are the same whatever the provider answers. A child calls both, over the fake library.
 */
class CmInlineVerbsTest {
    @Test
    void shouldDoWhatCDoes() {
        Map<String, String> said = ChildJvm.withFakeLibrary(CmTwins.class);
        Map<String, String> differences = new TreeMap<>();
        int compared = 0;
        for (Map.Entry<String, String> entry : said.entrySet()) {
            if (entry.getKey().startsWith("c ")) {
                compared++;
                String java = said.get("java " + entry.getKey().substring(2));
                if (!entry.getValue().equals(java)) {
                    differences.put(entry.getKey(), "C: " + entry.getValue() + "; Java: " + java);
                }
            }
        }

        assertEquals(Map.of(), differences);
        assertEquals(CmTwins.KINDS.size() * 21, compared);
        assertTrue(said.get("c after event rdma_get_recv_comp").contains("event_of"), said::toString);
        assertTrue(said.get("c shared rdma_post_recv").contains("cm_post_srq_recv"), said::toString);
    }
}
