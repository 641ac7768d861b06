package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each function calls the provider's function of its member and returns every bit of its result. */
class ExtendedPollingTest {
    private static final MemorySegment ATTRIBUTES = ibv_poll_cq_attr.allocate(Arena.ofAuto());
    private static final MemorySegment TAG = ibv_wc_tm_info.allocate(Arena.ofAuto());

    /** A function of C, the member it goes through, what the provider returns. */
    private record Call(String function, String member, Object result, Function<MemorySegment, Object> action) {}

    private static final List<Call> CALLS = List.of(
            new Call("ibv_start_poll", "start_poll", 2, cq -> ExtendedPolling.ibv_start_poll(cq, ATTRIBUTES)),
            new Call("ibv_next_poll", "next_poll", 22, ExtendedPolling::ibv_next_poll),
            new Call("ibv_end_poll", "end_poll", "nothing", cq -> {
                ExtendedPolling.ibv_end_poll(cq);
                return "nothing";
            }),
            read("opcode", verbs4j_h.IBV_WC_RECV_RDMA_WITH_IMM(), ExtendedPolling::ibv_wc_read_opcode),
            read("vendor_err", 0xf0000001, ExtendedPolling::ibv_wc_read_vendor_err),
            read("byte_len", 0xf0000002, ExtendedPolling::ibv_wc_read_byte_len),
            read("imm_data", 0xf0000003, ExtendedPolling::ibv_wc_read_imm_data),
            new Call(
                    "ibv_wc_read_invalidated_rkey",
                    "read_imm_data",
                    0xf0000003,
                    ExtendedPolling::ibv_wc_read_invalidated_rkey),
            read("qp_num", 0xf0000004, ExtendedPolling::ibv_wc_read_qp_num),
            read("src_qp", 0xf0000005, ExtendedPolling::ibv_wc_read_src_qp),
            read("wc_flags", 0xf0000006, ExtendedPolling::ibv_wc_read_wc_flags),
            read("slid", 0xf0000007, ExtendedPolling::ibv_wc_read_slid),
            read("sl", (byte) 0xf1, ExtendedPolling::ibv_wc_read_sl),
            read("dlid_path_bits", (byte) 0xf2, ExtendedPolling::ibv_wc_read_dlid_path_bits),
            read("completion_ts", 0xf000000000000008L, ExtendedPolling::ibv_wc_read_completion_ts),
            read("cvlan", (short) 0xf003, ExtendedPolling::ibv_wc_read_cvlan),
            read("flow_tag", 0xf0000009, ExtendedPolling::ibv_wc_read_flow_tag),
            read("completion_wallclock_ns", 0xf00000000000000aL, ExtendedPolling::ibv_wc_read_completion_wallclock_ns),
            read("tm_info", 0xf00000000000000bL, cq -> {
                ExtendedPolling.ibv_wc_read_tm_info(cq, TAG);
                return ibv_wc_tm_info.tag(TAG);
            }));

    private static SectionLibrary library;

    @BeforeAll
    static void compile() {
        library = new SectionLibrary();
    }

    private static Call read(String field, Object result, Function<MemorySegment, Object> action) {
        return new Call("ibv_wc_read_" + field, "read_" + field, result, action);
    }

    @Test
    void shouldCallTheMemberAndReturnItsResult() {
        MemorySegment cq = library.object("full_cq");
        ibv_poll_cq_attr.comp_mask(ATTRIBUTES, 0xf000000d);

        assertAll(CALLS.stream().map(call -> () -> {
            assertEquals(call.result(), call.action().apply(cq), call.function());
            assertEquals(
                    call.member().equals("start_poll") ? "start_poll mask f000000d" : call.member(), library.said());
        }));
    }

    @Test
    void shouldReadIdAndStatus() {
        MemorySegment cq = library.object("full_cq");

        assertEquals(0xf00000000000000cL, ExtendedPolling.wr_id(cq));
        assertEquals(verbs4j_h.IBV_WC_RETRY_EXC_ERR(), ExtendedPolling.status(cq));
    }

    @Test
    void shouldBeTheSameQueueForOtherFunctions() {
        MemorySegment cq = library.object("full_cq");

        assertSame(cq, ExtendedPolling.ibv_cq_ex_to_cq(cq));
    }

    @Test
    void shouldRefuseByNameWhatTheProviderLeftOut() {
        MemorySegment cq = library.object("empty_cq");

        assertAll(CALLS.stream().map(call -> () -> {
            String message = assertThrows(
                            UnsupportedOperationException.class,
                            () -> call.action().apply(cq))
                    .getMessage();
            assertEquals(
                    call.function() + " is not supported here: the provider left ibv_cq_ex." + call.member() + " NULL",
                    message.substring(0, message.indexOf(';')));
        }));
    }
}
