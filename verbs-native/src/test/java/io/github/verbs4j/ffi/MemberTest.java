package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The other direction: C has no member that the bindings lack. jextract silently drops what it cannot express, bit fields
 * for example.
 */
class MemberTest {
    /** Members that releases up to rdma-core 65 added to 44, from which the bindings were generated. */
    private static final Map<String, Set<String>> NEWER = Map.of(
            "ibv_port_attr",
            Set.of("active_speed_ex"),
            "ibv_qp_ex",
            Set.of("wr_flush"),
            "rdma_cm_event",
            Set.of("param.arg"),
            "verbs_context",
            Set.of("alloc_buf", "alloc_dmah", "dealloc_dmah", "dm_export_dmabuf_fd", "free_buf", "reg_mr_ex"));

    private static CMembers c;

    @BeforeAll
    static void askTheCompiler() {
        c = CMembers.ofHeaders();
    }

    @Test
    void shouldHaveEveryMemberThatCHas() {
        Map<String, Set<String>> lacking = new TreeMap<>();
        int members = 0;
        for (Class<?> struct : GeneratedClasses.structs()) {
            Set<String> missing = new TreeSet<>(c.of(struct.getSimpleName()));
            members += missing.size();
            missing.removeAll(paths(struct, ""));
            missing.removeAll(NEWER.getOrDefault(struct.getSimpleName(), Set.of()));
            if (!missing.isEmpty()) {
                lacking.put(struct.getSimpleName(), missing);
            }
        }

        assertEquals(Map.of(), lacking);
        assertTrue(members > 800, "only " + members + " members");
    }

    private static Set<String> paths(Class<?> struct, String path) {
        Set<String> paths = new TreeSet<>();
        for (String field : GeneratedClasses.methods(struct, "$offset")) {
            paths.add(path + field);
        }
        for (Class<?> nested : GeneratedClasses.nestedStructs(struct)) {
            paths.addAll(paths(nested, path + nested.getSimpleName() + "."));
        }
        return paths;
    }
}
