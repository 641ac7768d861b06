package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the header defines inline does in Java exactly what it does in C: the provider is asked for the same with the same
 * arguments, result, errno and what is left in memory are the same, on devices that know everything, fail, know nothing,
 * are of an old library, or of none that can be extended. A child calls both, over the fake library.
 */
class HeaderTwinsTest {
    private static Map<String, String> said;

    @BeforeAll
    static void callEverything() {
        said = ChildJvm.withFakeLibrary(HeaderTwins.class);
    }

    @Test
    void shouldDoOnAnyDeviceWhatCDoes() {
        Map<String, String> java = of("java ");
        Map<String, String> c = of("c ");
        Map<String, String> differences = new TreeMap<>();
        c.forEach((call, outcome) -> {
            if (!outcome.equals(java.get(call))) {
                differences.put(call, "C: " + outcome + "; Java: " + java.get(call));
            }
        });

        assertEquals(Map.of(), differences);
        assertTrue(c.size() > 600, c.size() + " outcomes");
    }

    @Test
    void shouldReachTheProviderWithEachCall() {
        Map<String, String> silent = new TreeMap<>(of("c full "));
        silent.values().removeIf(outcome -> !outcome.contains("nothing said"));

        assertEquals(
                Set.of(
                        "ibv_bind_mw_of_type_2",
                        "ibv_bind_mw_without_region",
                        "ibv_bind_mw_of_other_domain",
                        "ibv_inc_rkey",
                        "ibv_is_qpt_supported",
                        "ibv_is_qpt_supported_not",
                        "ibv_flow_label_to_udp_sport",
                        "ibv_query_device_ex_with_mask",
                        // these leave their arguments elsewhere, which is compared too
                        "ibv_reg_mr",
                        "ibv_reg_mr_iova",
                        "ibv_query_gid_ex",
                        "ibv_query_gid_table",
                        "ibv_create_qp_ex_with_domain",
                        "ibv_create_srq_ex_basic",
                        "ibv_create_srq_ex_untyped",
                        "ibv_reg_dmabuf_mr",
                        "ibv_rereg_mr",
                        "ibv_create_ah_from_wc",
                        "ibv_init_ah_from_wc"),
                silent.keySet());
    }

    /** Where C would call NULL: never called here. */
    @Test
    void shouldFailAsUnsupportedWhereCCallsWhatTheProviderLeftOut() {
        for (String function : HeaderTwins.UNCHECKED_IN_C) {
            String expected = function.equals("ibv_poll_cq") ? "-95" : "95";
            assertEquals(expected + ", nothing said", of("java silent ").get(function), function);
        }
        assertEquals("95, nothing said", of("java unmarked ").get("ibv_close_xrcd"));
    }

    private static Map<String, String> of(String prefix) {
        return said.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .collect(Collectors.toMap(
                        entry -> entry.getKey().substring(prefix.length()),
                        Map.Entry::getValue,
                        (first, second) -> first,
                        TreeMap::new));
    }
}
