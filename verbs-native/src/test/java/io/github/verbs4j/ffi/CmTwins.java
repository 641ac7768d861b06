package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The child of {@link CmInlineVerbsTest}: calls each inline function in Java, then the header's own in C, with the arguments that
 * {@code cm_inlines.c} has, and prints what came of it.
 */
final class CmTwins {
    static final List<String> KINDS =
            List.of("ready", "refused", "after arming", "after event", "no event", "broken", "shared");

    private static final int SAID_BYTES = 300;
    private static final MemorySegment CONTEXT = MemorySegment.ofAddress(0xf00000000000000aL);
    private static final long BYTES = 0xf000000cL;
    private static final int FLAGS = 0xf0000008;
    private static final long REMOTE = 0xf000000000000009L;
    private static final int KEY = 0xf000000b;

    private final NativeLibrary library = NativeLibrary.libibverbs().open();
    private final MethodHandle use = Calls.link(FunctionDescriptor.ofVoid(JAVA_INT));
    private final MethodHandle call = Calls.linkWithErrno(FunctionDescriptor.of(JAVA_LONG));
    private final Map<String, ToLongFunction<CapturedErrno>> twins = new LinkedHashMap<>();

    private final MemorySegment id = library.require("cm_id");
    private final MemorySegment mr = library.require("mr");
    private final MemorySegment wc = library.require("wc");
    private final MemorySegment memory = library.require("memory");
    private final MemorySegment elements = library.require("elements");

    private CmTwins() {}

    public static void main(String[] arguments) throws Throwable {
        CmTwins twins = new CmTwins();
        twins.putOthers();
        twins.putLists();
        twins.putElements();
        for (int kind = 0; kind < KINDS.size(); kind++) {
            for (String name : twins.twins.keySet()) {
                twins.compare(kind, name);
            }
        }
    }

    private void putOthers() {
        put(
                "rdma_get_local_addr",
                errno -> CmInlineVerbs.rdma_get_local_addr(id).address());
        put("rdma_get_peer_addr", errno -> CmInlineVerbs.rdma_get_peer_addr(id).address());
        put("rdma_seterrno", errno -> CmInlineVerbs.rdma_seterrno(errno, 0));
        put("rdma_seterrno_failed", errno -> CmInlineVerbs.rdma_seterrno(errno, 99));
        put(
                "rdma_reg_msgs",
                errno -> CmInlineVerbs.rdma_reg_msgs(errno, id, memory, 0x1f0000001L)
                        .address());
        put(
                "rdma_reg_read",
                errno -> CmInlineVerbs.rdma_reg_read(errno, id, memory, 0x1f0000001L)
                        .address());
        put(
                "rdma_reg_write",
                errno -> CmInlineVerbs.rdma_reg_write(errno, id, memory, 0x1f0000001L)
                        .address());
        put("rdma_dereg_mr", errno -> CmInlineVerbs.rdma_dereg_mr(errno, mr));
        put("rdma_get_send_comp", errno -> CmInlineVerbs.rdma_get_send_comp(errno, id, wc));
        put("rdma_get_recv_comp", errno -> CmInlineVerbs.rdma_get_recv_comp(errno, id, wc));
    }

    private void putLists() {
        put("rdma_post_recvv", errno -> CmPostVerbs.rdma_post_recvv(errno, id, CONTEXT, elements, 2));
        put("rdma_post_sendv", errno -> CmPostVerbs.rdma_post_sendv(errno, id, CONTEXT, elements, 2, FLAGS));
        put(
                "rdma_post_readv",
                errno -> CmPostVerbs.rdma_post_readv(errno, id, CONTEXT, elements, 2, FLAGS, REMOTE, KEY));
        put(
                "rdma_post_writev",
                errno -> CmPostVerbs.rdma_post_writev(errno, id, CONTEXT, elements, 2, FLAGS, REMOTE, KEY));
    }

    private void putElements() {
        MemorySegment none = MemorySegment.NULL;
        put("rdma_post_recv", errno -> CmPostVerbs.rdma_post_recv(errno, id, CONTEXT, memory, BYTES, mr));
        put("rdma_post_send", errno -> CmPostVerbs.rdma_post_send(errno, id, CONTEXT, memory, BYTES, mr, FLAGS));
        put(
                "rdma_post_send_inline",
                errno -> CmPostVerbs.rdma_post_send(errno, id, CONTEXT, memory, BYTES, none, FLAGS));
        put(
                "rdma_post_read",
                errno -> CmPostVerbs.rdma_post_read(errno, id, CONTEXT, memory, BYTES, mr, FLAGS, REMOTE, KEY));
        put(
                "rdma_post_write",
                errno -> CmPostVerbs.rdma_post_write(errno, id, CONTEXT, memory, BYTES, mr, FLAGS, REMOTE, KEY));
        put(
                "rdma_post_write_inline",
                errno -> CmPostVerbs.rdma_post_write(errno, id, CONTEXT, memory, BYTES, none, FLAGS, REMOTE, KEY));
        put("rdma_post_ud_send", errno -> {
            ibv_qp.qp_type(Pointers.segment(library.require("qp"), ibv_qp.sizeof()), verbs4j_h.IBV_QPT_UD());
            MemorySegment handle = MemorySegment.ofAddress(0xd);
            return CmPostVerbs.rdma_post_ud_send(errno, id, CONTEXT, memory, BYTES, mr, FLAGS, handle, 0xf000000e);
        });
    }

    private void put(String name, ToLongFunction<CapturedErrno> function) {
        twins.put(name, function);
    }

    private void compare(int kind, String name) throws Throwable {
        CapturedErrno errno = CapturedErrno.create();
        String end = KINDS.get(kind) + " " + name;
        use.invokeExact(library.require("cm_use"), kind);
        ChildJvm.print("java " + end, outcome(twins.get(name).applyAsLong(errno), errno));
        use.invokeExact(library.require("cm_use"), kind);
        long result = (long) call.invokeExact(library.require("c_" + name), errno.state());
        ChildJvm.print("c " + end, outcome((int) result == -1 ? -1 : result, errno));
    }

    private String outcome(long result, CapturedErrno errno) {
        long[] noted =
                Pointers.segment(library.require("last"), 8L * Long.BYTES).toArray(JAVA_LONG);
        return result + (result == -1 ? " errno " + errno.value() : "") + ", " + Arrays.toString(noted) + ", "
                + Pointers.string(library.require("said"), SAID_BYTES);
    }
}
