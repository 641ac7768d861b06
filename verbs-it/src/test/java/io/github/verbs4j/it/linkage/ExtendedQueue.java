package io.github.verbs4j.it.linkage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.CreatorVerbs;
import io.github.verbs4j.ffi.DataPath;
import io.github.verbs4j.ffi.ExtendedPolling;
import io.github.verbs4j.ffi.ibv_cq_init_attr_ex;
import io.github.verbs4j.ffi.ibv_poll_cq_attr;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.it.rdma.Watchdog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A completion queue for {@code ibv_start_poll}, made through ffi alone. */
final class ExtendedQueue implements AutoCloseable {
    private static final int ENTRIES = 64;
    private static final int ENOENT = 2;

    private final MemorySegment handle;
    private final MemorySegment poll;
    private final MemorySegment attributes = ibv_poll_cq_attr.allocate(Arena.ofAuto());

    ExtendedQueue(DeviceContext context) {
        poll = DataPath.pollCompletionQueue(context.handle());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_cq_init_attr_ex.allocate(arena);
            ibv_cq_init_attr_ex.cqe(init, ENTRIES);
            ibv_cq_init_attr_ex.wc_flags(init, verbs4j_h.IBV_WC_STANDARD_FLAGS());
            CapturedErrno errno = CapturedErrno.create();
            handle = CreatorVerbs.ibv_create_cq_ex(errno, context.handle(), init);
            assertNotEquals(0, handle.address(), () -> "ibv_create_cq_ex failed with errno " + errno.value());
        }
    }

    /** {@return {@code struct ibv_cq *}} */
    MemorySegment handle() {
        return ExtendedPolling.ibv_cq_ex_to_cq(handle);
    }

    /** {@return what {@code ibv_poll_cq} calls for this queue, as for any} */
    MemorySegment poll() {
        return poll;
    }

    /** Waits for a completion and stands at it, holding the lock until {@link #end}. */
    void start() {
        Watchdog.await("a completion", () -> {
            int result = ExtendedPolling.ibv_start_poll(handle, attributes);
            if (result != 0) {
                assertEquals(ENOENT, result, "ibv_start_poll");
            }
            return result == 0;
        });
    }

    /** Fails unless the completion is a successful write. */
    void requireWritten(long id) {
        assertEquals(verbs4j_h.IBV_WC_SUCCESS(), ExtendedPolling.status(handle), "status");
        assertEquals(id, ExtendedPolling.wr_id(handle), "wr_id");
        assertEquals(verbs4j_h.IBV_WC_RDMA_WRITE(), ExtendedPolling.ibv_wc_read_opcode(handle), "opcode");
    }

    /** Leaves the completion. No {@code ibv_next_poll}: on an empty queue of older Soft-RoCE it breaks the queue. */
    void end() {
        ExtendedPolling.ibv_end_poll(handle);
    }

    @Override
    public void close() {
        assertEquals(0, verbs_h.ibv_destroy_cq(handle()), "ibv_destroy_cq");
    }
}
