package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the header defines inline behaves as it does in C. A child calls everything once, over the fake library. */
class InlineVerbsTest {
    private static Map<String, String> said;

    @BeforeAll
    static void callEverything() {
        said = ChildJvm.withFakeLibrary(Calls.class);
    }

    @Test
    void shouldQueryAPortThroughTheContext() {
        assertEquals("port 255, 52 bytes", said.get("query_port arguments"));
        assertEquals("0", said.get("query_port"));
    }

    @Test
    void shouldFillWhatTheFrozenQueryPortDoesNotKnow() {
        assertEquals("2222", said.get("query_port port_cap_flags2"));
        assertEquals("22222222", said.get("query_port gid_tbl_len"));
    }

    @Test
    void shouldFallBackToTheFrozenQueryPort() {
        assertEquals("0", said.get("old query_port"));
        assertEquals("11111111", said.get("old query_port gid_tbl_len"));
    }

    @Test
    void shouldLeaveWhatTheFrozenQueryPortDoesNotKnowAlone() {
        assertEquals("0", said.get("old query_port port_cap_flags2"));
    }

    @Test
    void shouldRegisterMemoryAsTheMacroDoes() {
        assertEquals("1000", said.get("reg_mr"));
        assertEquals("pd 70, addr 5000, length 1ffffffff, iova 5000, access 100001", said.get("reg_mr arguments"));
    }

    @Test
    void shouldPassTheSizeOfAGidEntry() {
        assertEquals("61 port 2, index 3, flags 0, size 32", said.get("query_gid_ex"));
        assertEquals("-28 entries 7, flags 0, size 32", said.get("query_gid_table"));
    }

    @Test
    void shouldPostThroughTheContextOfTheQueue() {
        assertEquals("12 same queue true, same request true, refused true", said.get("post_send"));
        assertEquals("22 same queue true, same request true, refused true", said.get("post_recv"));
    }

    @Test
    void shouldPollThroughTheContextOfTheQueue() {
        assertEquals("1 same queue true, entries 16, id 1234567890abcdef", said.get("poll_cq"));
    }

    @Test
    void shouldRequestNotificationThroughTheContextOfTheQueue() {
        assertEquals("95 same queue true, solicited only 1", said.get("req_notify_cq"));
    }

    @Test
    void shouldKnowOptionalAccess() {
        assertTrue(InlineVerbs.isOptionalAccess(verbs4j_h.IBV_ACCESS_RELAXED_ORDERING()));
        assertFalse(InlineVerbs.isOptionalAccess(verbs4j_h.IBV_ACCESS_LOCAL_WRITE()
                | verbs4j_h.IBV_ACCESS_HUGETLB()
                | verbs4j_h.IBV_ACCESS_ON_DEMAND()));
    }

    static final class Calls {
        private final Arena arena = Arena.ofAuto();
        private final NativeLibrary library = NativeLibrary.libibverbs().open();
        private final MemorySegment last = Pointers.segment(library.require("last"), 8L * Long.BYTES);
        private final MemorySegment extended = arena.allocate(verbs_context.sizeof() + Architecture.mutexGrowth(), 8);
        private final MemorySegment context = extended.asSlice(verbs_context.context$offset());

        private Calls() {
            MemorySegment ops = ibv_context.ops(context);
            ibv_context_ops.post_send(ops, library.require("fake_post_send"));
            ibv_context_ops.post_recv(ops, library.require("fake_post_recv"));
            ibv_context_ops.poll_cq(ops, library.require("fake_poll_cq"));
            ibv_context_ops.req_notify_cq(ops, library.require("fake_req_notify_cq"));
        }

        public static void main(String[] arguments) {
            Calls calls = new Calls();
            calls.queryPort("old query_port");
            calls.extend();
            calls.queryPort("query_port");
            ChildJvm.print("query_port arguments", "port " + calls.last(1) + ", " + calls.last(2) + " bytes");
            calls.registerMemory();
            calls.queryGids();
            calls.post();
            calls.poll();
            calls.requestNotification();
        }

        private void extend() {
            context.set(ValueLayout.JAVA_LONG, ContextOps.abiCompatOffset(Architecture.mutexGrowth()), -1);
            verbs_context.sz(extended, extended.byteSize());
            verbs_context.query_port(extended, library.require("fake_query_port"));
        }

        private void queryPort(String name) {
            MemorySegment attributes = ibv_port_attr.allocate(arena);
            ChildJvm.print(name, InlineVerbs.ibv_query_port(context, (byte) 255, attributes));
            ChildJvm.print(name + " gid_tbl_len", Integer.toHexString(ibv_port_attr.gid_tbl_len(attributes)));
            ChildJvm.print(name + " port_cap_flags2", Integer.toHexString(ibv_port_attr.port_cap_flags2(attributes)));
        }

        private void registerMemory() {
            MemorySegment region = InlineVerbs.ibv_reg_mr(
                    CapturedErrno.create(),
                    MemorySegment.ofAddress(0x70),
                    MemorySegment.ofAddress(0x5000),
                    0x1_ffff_ffffL,
                    verbs4j_h.IBV_ACCESS_LOCAL_WRITE() | verbs4j_h.IBV_ACCESS_RELAXED_ORDERING());
            ChildJvm.print("reg_mr", Long.toHexString(region.address()));
            ChildJvm.print(
                    "reg_mr arguments",
                    "pd %x, addr %x, length %x, iova %x, access %x"
                            .formatted(last(0), last(1), last(2), last(3), last(4)));
        }

        private void queryGids() {
            MemorySegment entries = ibv_gid_entry.allocateArray(7, arena);
            int row = InlineVerbs.ibv_query_gid_ex(context, 2, 3, entries, 0);
            ChildJvm.print(
                    "query_gid_ex",
                    "%d port %d, index %d, flags %d, size %d".formatted(row, last(0), last(1), last(2), last(3)));
            long rows = InlineVerbs.ibv_query_gid_table(context, entries, 7, 0);
            ChildJvm.print(
                    "query_gid_table", "%d entries %d, flags %d, size %d".formatted(rows, last(0), last(1), last(2)));
        }

        private void post() {
            MemorySegment queue = ibv_qp.allocate(arena);
            ibv_qp.context(queue, context);
            MemorySegment refused = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment send = ibv_send_wr.allocate(arena);
            ChildJvm.print("post_send", posted(InlineVerbs.ibv_post_send(queue, send, refused), queue, send, refused));
            MemorySegment receive = ibv_recv_wr.allocate(arena);
            ChildJvm.print(
                    "post_recv", posted(InlineVerbs.ibv_post_recv(queue, receive, refused), queue, receive, refused));
        }

        private String posted(int result, MemorySegment queue, MemorySegment request, MemorySegment refused) {
            return result + " same queue " + (last(0) == queue.address()) + ", same request "
                    + (last(1) == request.address()) + ", refused "
                    + (refused.get(ValueLayout.JAVA_LONG, 0) == request.address());
        }

        private void poll() {
            MemorySegment queue = ibv_cq.allocate(arena);
            ibv_cq.context(queue, context);
            MemorySegment completions = ibv_wc.allocateArray(16, arena);
            int polled = InlineVerbs.ibv_poll_cq(queue, 16, completions);
            ChildJvm.print(
                    "poll_cq",
                    polled + " same queue " + (last(0) == queue.address()) + ", entries " + last(1) + ", id "
                            + Long.toHexString(ibv_wc.wr_id(completions)));
        }

        private void requestNotification() {
            MemorySegment queue = ibv_cq.allocate(arena);
            ibv_cq.context(queue, context);
            int result = InlineVerbs.ibv_req_notify_cq(queue, 1);
            ChildJvm.print(
                    "req_notify_cq",
                    result + " same queue " + (last(0) == queue.address()) + ", solicited only " + last(1));
        }

        private long last(int index) {
            return last.getAtIndex(ValueLayout.JAVA_LONG, index);
        }
    }
}
