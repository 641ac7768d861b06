package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What came after rdma-core 44 is called with exactly its arguments where it is, and explained where it is not. */
class NewerVerbsTest {
    private static final Map<String, Integer> RELEASES = new HashMap<>();
    private static final Map<String, String> OUTCOMES = new HashMap<>();

    static {
        put("ibv_wr_flush", 45, "nothing from flush f0000001 f000000000000002 1f0000003 f4 f5");
        put("ibv_wr_opcode_str", 49, "opcode from ibv_wr_opcode_str e");
        put("ibv_reg_mr_ex", 59, "0 errno 101 from ibv_reg_mr_ex 0xa 0xb");
        put("ibv_alloc_dmah", 59, "0 errno 102 from ibv_alloc_dmah 0xa 0xb");
        put("ibv_dealloc_dmah", 59, "103 from ibv_dealloc_dmah 0xa");
        put("ibv_dm_export_dmabuf_fd", 62, "-1 errno 104 from ibv_dm_export_dmabuf_fd 0xa");
        put("ibv_query_port_speed", 62, "108 from ibv_query_port_speed 0xa f0000001 0xb");
        put("ibv_alloc_buf", 64, "0 errno 105 from ibv_alloc_buf 0xa 1f0000001 0xb");
        put("ibv_free_buf", 64, "nothing from ibv_free_buf 0xa");
        put("ibv_reg_buf_mr", 64, "0 errno 106 from ibv_reg_buf_mr 0xa 0xb 0xc 1f0000001 2");
        put("ibv_export_buf_dmabuf_fd", 65, "-1 errno 107 from ibv_export_buf_dmabuf_fd 0xa");
        put("ibv_query_comp_cntr_caps", 65, "109 from _ibv_query_comp_cntr_caps 0xa 0xb 16");
        put("ibv_create_comp_cntr", 65, "0 errno 110 from ibv_create_comp_cntr 0xa 0xb");
        put("ibv_destroy_comp_cntr", 65, "111 from ibv_destroy_comp_cntr 0xa");
        put("ibv_qp_attach_comp_cntr", 65, "112 from ibv_qp_attach_comp_cntr 0xa 0xb 0xc");
        put("ibv_set_comp_cntr", 65, "113 from ibv_set_comp_cntr 0xa f000000000000001");
        put("ibv_set_err_comp_cntr", 65, "114 from ibv_set_err_comp_cntr 0xa f000000000000002");
        put("ibv_inc_comp_cntr", 65, "115 from ibv_inc_comp_cntr 0xa f000000000000003");
        put("ibv_inc_err_comp_cntr", 65, "116 from ibv_inc_err_comp_cntr 0xa f000000000000004");
        put("ibv_read_comp_cntr", 65, "117 from ibv_read_comp_cntr 0xa 0xb");
        put("ibv_read_err_comp_cntr", 65, "118 from ibv_read_err_comp_cntr 0xa 0xb");
    }

    private static void put(String function, int release, String outcome) {
        RELEASES.put(function, release);
        OUTCOMES.put(function, outcome);
    }

    @Test
    void shouldCallWhatANewLibraryHas() {
        assertEquals(OUTCOMES, new HashMap<>(ChildJvm.withLibrary(NewerCalls.class, FakeLibrary.ofRelease(65, true))));
    }

    @Test
    void shouldExplainWhatAnOldLibraryLacks() {
        Map<String, String> expected = new HashMap<>();
        RELEASES.forEach((function, release) -> expected.put(
                function,
                function.replace("ibv_query_comp_cntr_caps", "_ibv_query_comp_cntr_caps")
                        + " needs libibverbs of rdma-core " + release
                        + " or newer; the library in use is of release 44"));

        assertEquals(expected, new HashMap<>(ChildJvm.withLibrary(NewerCalls.class, FakeLibrary.ofRelease(44, false))));
    }

    @Test
    void shouldReadTheReleaseFromTheNameOfTheFile() {
        assertEquals(
                OptionalInt.of(44),
                Release.of("libibverbs", "7f0-7f1 r--p 0 fe:01 9  /usr/lib/libibverbs.so.1.14.44.0"));
        assertEquals(OptionalInt.empty(), Release.of("libibverbs", "7f0-7f1 r--p 0 fe:01 9  /opt/libibverbs.so.1"));
        assertEquals(
                OptionalInt.empty(),
                Release.of("libibverbs", "7f0-7f1 r--p 0 fe:01 9  /usr/lib/librdmacm.so.1.3.44.0"));
    }

    /** No size tells where the struct of the library ends: a function behind its end must not be looked for. */
    @Test
    void shouldRefuseAMemberBehindTheEndOfAnOlderStruct() {
        String message = assertThrows(
                        UnsupportedOperationException.class,
                        () -> Release.require("ibv_wr_atomic_write", Release.ATOMIC_WRITE, OptionalInt.of(43)))
                .getMessage();

        assertEquals(
                "ibv_wr_atomic_write needs libibverbs of rdma-core 44 or newer; the library in use is of release 43",
                message);
        assertDoesNotThrow(() -> Release.require("ibv_wr_atomic_write", 44, OptionalInt.of(44)));
        assertDoesNotThrow(() -> Release.require("ibv_wr_atomic_write", 44, OptionalInt.empty()));
    }
}
