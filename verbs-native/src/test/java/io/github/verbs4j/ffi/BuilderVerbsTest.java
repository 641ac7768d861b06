package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each builder calls the provider's function of its name with exactly its arguments. */
class BuilderVerbsTest {
    private static final Map<String, Consumer<MemorySegment>> CALLS = new LinkedHashMap<>();
    private static SectionLibrary library;

    static {
        MemorySegment data = MemorySegment.ofAddress(0xf000000000005000L);
        MemorySegment other = MemorySegment.ofAddress(0xf000000000006000L);
        CALLS.put("wr_start", BuilderVerbs::ibv_wr_start);
        CALLS.put(
                "wr_rdma_read rkey f0000001 at f000000000000002",
                qp -> BuilderVerbs.ibv_wr_rdma_read(qp, 0xf0000001, 0xf000000000000002L));
        CALLS.put(
                "wr_rdma_write rkey f0000003 at f000000000000004",
                qp -> BuilderVerbs.ibv_wr_rdma_write(qp, 0xf0000003, 0xf000000000000004L));
        CALLS.put(
                "wr_rdma_write_imm rkey f0000005 at f000000000000006 imm f0000007",
                qp -> BuilderVerbs.ibv_wr_rdma_write_imm(qp, 0xf0000005, 0xf000000000000006L, 0xf0000007));
        CALLS.put("wr_send", BuilderVerbs::ibv_wr_send);
        CALLS.put("wr_send_imm imm f0000008", qp -> BuilderVerbs.ibv_wr_send_imm(qp, 0xf0000008));
        CALLS.put(
                "wr_set_inline_data data f000000000005000 length 1f0000009",
                qp -> BuilderDataVerbs.ibv_wr_set_inline_data(qp, data, 0x1f0000009L));
        CALLS.put(
                "wr_set_sge lkey f000000a at f00000000000000b length f000000c",
                qp -> BuilderDataVerbs.ibv_wr_set_sge(qp, 0xf000000a, 0xf00000000000000bL, 0xf000000c));
        CALLS.put("wr_send_inv rkey f0000009", qp -> BuilderVerbs.ibv_wr_send_inv(qp, 0xf0000009));
        CALLS.put(
                "wr_send_tso header f000000000005000 size f00a mss f00b",
                qp -> BuilderVerbs.ibv_wr_send_tso(qp, data, (short) 0xf00a, (short) 0xf00b));
        CALLS.put(
                "wr_atomic_cmp_swp rkey f0000001 at f000000000000002 compare f000000000000003 swap f000000000000004",
                qp -> BuilderVerbs.ibv_wr_atomic_cmp_swp(
                        qp, 0xf0000001, 0xf000000000000002L, 0xf000000000000003L, 0xf000000000000004L));
        CALLS.put(
                "wr_atomic_fetch_add rkey f0000005 at f000000000000006 add f000000000000007",
                qp -> BuilderVerbs.ibv_wr_atomic_fetch_add(qp, 0xf0000005, 0xf000000000000006L, 0xf000000000000007L));
        CALLS.put(
                "wr_atomic_write rkey f0000008 at f000000000000009 value f000000000005000",
                qp -> BuilderVerbs.ibv_wr_atomic_write(qp, 0xf0000008, 0xf000000000000009L, data));
        CALLS.put(
                "wr_bind_mw window f000000000006000 rkey f000000a to f000000000005000",
                qp -> BuilderVerbs.ibv_wr_bind_mw(qp, other, 0xf000000a, data));
        CALLS.put("wr_local_inv rkey f000000b", qp -> BuilderVerbs.ibv_wr_local_inv(qp, 0xf000000b));
        CALLS.put(
                "wr_set_ud_addr to f000000000006000 number f000000c key f000000d",
                qp -> BuilderDataVerbs.ibv_wr_set_ud_addr(qp, other, 0xf000000c, 0xf000000d));
        CALLS.put("wr_set_xrc_srqn number f000000e", qp -> BuilderDataVerbs.ibv_wr_set_xrc_srqn(qp, 0xf000000e));
        CALLS.put(
                "wr_set_inline_data_list count 1f000000f of f000000000005000",
                qp -> BuilderDataVerbs.ibv_wr_set_inline_data_list(qp, 0x1f000000fL, data));
        CALLS.put(
                "wr_set_sge_list count 1f0000010 of f000000000005000",
                qp -> BuilderDataVerbs.ibv_wr_set_sge_list(qp, 0x1f0000010L, data));
        CALLS.put("wr_complete", BuilderVerbs::ibv_wr_complete);
        CALLS.put("wr_abort", BuilderVerbs::ibv_wr_abort);
    }

    @BeforeAll
    static void compile() {
        library = new SectionLibrary();
    }

    @Test
    void shouldPassEveryArgument() {
        MemorySegment qp = library.object("full_qp");
        BuilderVerbs.wr_id(qp, 0xf00000000000000dL);
        BuilderVerbs.wr_flags(qp, 0xf000000e);

        assertAll(CALLS.entrySet().stream().map(call -> () -> {
            call.getValue().accept(qp);
            assertEquals(call.getKey().replaceFirst("\\w+", "$0 id f00000000000000d flags f000000e"), library.said());
        }));
    }

    @Test
    void shouldReturnTheErrnoOfComplete() {
        assertEquals(28, BuilderVerbs.ibv_wr_complete(library.object("full_qp")));
    }

    @Test
    void shouldRefuseByNameWhatTheProviderLeftOut() {
        MemorySegment qp = library.object("empty_qp");

        assertAll(CALLS.entrySet().stream().map(call -> () -> {
            String member = call.getKey().split(" ")[0];
            String message = assertThrows(
                            UnsupportedOperationException.class,
                            () -> call.getValue().accept(qp))
                    .getMessage();
            assertEquals(
                    "ibv_" + member + " is not supported here: the provider left ibv_qp_ex." + member + " NULL",
                    message.substring(0, message.indexOf(';')));
        }));
    }
}
