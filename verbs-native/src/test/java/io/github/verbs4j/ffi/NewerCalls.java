package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/** The child of {@link NewerVerbsTest}: calls each newer function once and prints what came of it. */
final class NewerCalls {
    private static final int SAID_BYTES = 300;

    private final NativeLibrary library = NativeLibrary.libibverbs().open();
    private final MemorySegment a = MemorySegment.ofAddress(0xa);
    private final MemorySegment b = MemorySegment.ofAddress(0xb);
    private final MemorySegment c = MemorySegment.ofAddress(0xc);

    private NewerCalls() {}

    public static void main(String[] arguments) {
        NewerCalls calls = new NewerCalls();
        calls.callMemory();
        calls.callCounters();
        calls.callOthers();
    }

    private void callMemory() {
        pointer("ibv_reg_mr_ex", errno -> NewerMemoryVerbs.ibv_reg_mr_ex(errno, a, b));
        pointer("ibv_alloc_dmah", errno -> NewerMemoryVerbs.ibv_alloc_dmah(errno, a, b));
        call("ibv_dealloc_dmah", errno -> NewerMemoryVerbs.ibv_dealloc_dmah(a));
        failed("ibv_dm_export_dmabuf_fd", errno -> NewerMemoryVerbs.ibv_dm_export_dmabuf_fd(errno, a));
        pointer("ibv_alloc_buf", errno -> NewerMemoryVerbs.ibv_alloc_buf(errno, a, 0x1f0000001L, b));
        call("ibv_free_buf", errno -> {
            NewerMemoryVerbs.ibv_free_buf(a);
            return "nothing";
        });
        pointer("ibv_reg_buf_mr", errno -> NewerMemoryVerbs.ibv_reg_buf_mr(errno, a, b, c, 0x1f0000001L, 2));
        failed("ibv_export_buf_dmabuf_fd", errno -> NewerMemoryVerbs.ibv_export_buf_dmabuf_fd(errno, a));
    }

    private void callCounters() {
        call("ibv_query_comp_cntr_caps", errno -> CompletionCounterVerbs.ibv_query_comp_cntr_caps(a, b));
        pointer("ibv_create_comp_cntr", errno -> CompletionCounterVerbs.ibv_create_comp_cntr(errno, a, b));
        call("ibv_destroy_comp_cntr", errno -> CompletionCounterVerbs.ibv_destroy_comp_cntr(a));
        call("ibv_qp_attach_comp_cntr", errno -> CompletionCounterVerbs.ibv_qp_attach_comp_cntr(a, b, c));
        call("ibv_set_comp_cntr", errno -> CompletionCounterVerbs.ibv_set_comp_cntr(a, 0xf000000000000001L));
        call("ibv_set_err_comp_cntr", errno -> CompletionCounterVerbs.ibv_set_err_comp_cntr(a, 0xf000000000000002L));
        call("ibv_inc_comp_cntr", errno -> CompletionCounterVerbs.ibv_inc_comp_cntr(a, 0xf000000000000003L));
        call("ibv_inc_err_comp_cntr", errno -> CompletionCounterVerbs.ibv_inc_err_comp_cntr(a, 0xf000000000000004L));
        call("ibv_read_comp_cntr", errno -> CompletionCounterVerbs.ibv_read_comp_cntr(a, b));
        call("ibv_read_err_comp_cntr", errno -> CompletionCounterVerbs.ibv_read_err_comp_cntr(a, b));
    }

    private void callOthers() {
        call("ibv_query_port_speed", errno -> NewerVerbs.ibv_query_port_speed(a, 0xf0000001, b));
        call("ibv_wr_opcode_str", errno -> Pointers.string(NewerVerbs.ibv_wr_opcode_str(14), SAID_BYTES));
        call("ibv_wr_flush", errno -> {
            MemorySegment qp = library.require("flushing_qp");
            NewerVerbs.ibv_wr_flush(qp, 0xf0000001, 0xf000000000000002L, 0x1f0000003L, (byte) 0xf4, (byte) 0xf5);
            return "nothing";
        });
    }

    private void pointer(String name, Function<CapturedErrno, MemorySegment> function) {
        failed(name, errno -> function.apply(errno).address());
    }

    private void failed(String name, Function<CapturedErrno, Object> function) {
        call(name, errno -> {
            Object result = function.apply(errno);
            return result + " errno " + errno.value();
        });
    }

    private void call(String name, Function<CapturedErrno, Object> function) {
        String outcome;
        try {
            outcome = function.apply(CapturedErrno.create()) + " from "
                    + Pointers.string(library.require("said"), SAID_BYTES);
        } catch (UnsupportedOperationException e) {
            outcome = e.getMessage();
        }
        ChildJvm.print(name, outcome);
    }
}
