package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The inline creators choose as C does. A child calls everything once, over the fake library. */
class CreatorVerbsTest {
    private static Map<String, String> said;

    @BeforeAll
    static void callEverything() {
        said = ChildJvm.withFakeLibrary(Calls.class);
    }

    @Test
    void shouldCreateThroughTheContext() {
        assertEquals("3000, this context true, these attributes true", said.get("create_qp_ex"));
        assertEquals("4000, this context true, these attributes true", said.get("create_cq_ex"));
    }

    @Test
    void shouldCaptureErrno() {
        assertEquals("0 errno 110", said.get("create_qp_ex failed"));
        assertEquals("0 errno 111", said.get("create_cq_ex failed"));
    }

    @Test
    void shouldFailAsUnsupportedWhereTheContextDoesNotKnowThem() {
        assertEquals("0 errno 95", said.get("old create_qp_ex"));
        assertEquals("0 errno 95", said.get("old create_cq_ex"));
    }

    @Test
    void shouldCreateAQueuePairTheOldWayIfOnlyADomainIsGiven() {
        assertEquals("0 errno 108, domain 70, these attributes true", said.get("create_qp"));
    }

    static final class Calls {
        private static final int DOMAIN = 0x70;

        private final Arena arena = Arena.ofAuto();
        private final NativeLibrary library = NativeLibrary.libibverbs().open();
        private final MemorySegment last = Pointers.segment(library.require("last"), 2L * Long.BYTES);
        private final MemorySegment extended = arena.allocate(verbs_context.sizeof() + Architecture.mutexGrowth(), 8);
        private final MemorySegment context = extended.asSlice(verbs_context.context$offset());
        private final CapturedErrno errno = CapturedErrno.create();

        private final MemorySegment queuePair = ibv_qp_init_attr_ex.allocate(arena);
        private final MemorySegment queue = ibv_cq_init_attr_ex.allocate(arena);

        private Calls() {
            context.set(ValueLayout.JAVA_LONG, ContextOps.abiCompatOffset(Architecture.mutexGrowth()), -1);
            verbs_context.sz(extended, extended.byteSize());
            ibv_qp_init_attr_ex.pd(queuePair, MemorySegment.ofAddress(DOMAIN));
        }

        public static void main(String[] arguments) {
            Calls calls = new Calls();
            calls.createUnknown();
            calls.extend();
            calls.createQueuePairs();
            calls.createQueues();
        }

        private void createUnknown() {
            ibv_qp_init_attr_ex.comp_mask(queuePair, verbs4j_h.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS());
            ChildJvm.print("old create_qp_ex", failed(CreatorVerbs.ibv_create_qp_ex(errno, context, queuePair)));
            ChildJvm.print("old create_cq_ex", failed(CreatorVerbs.ibv_create_cq_ex(errno, context, queue)));
        }

        private void extend() {
            verbs_context.create_qp_ex(extended, library.require("fake_create_qp_ex"));
            verbs_context.create_cq_ex(extended, library.require("fake_create_cq_ex"));
        }

        private void createQueuePairs() {
            ChildJvm.print("create_qp_ex failed", failed(CreatorVerbs.ibv_create_qp_ex(errno, context, queuePair)));
            ibv_qp_init_attr_ex.comp_mask(
                    queuePair, verbs4j_h.IBV_QP_INIT_ATTR_PD() | verbs4j_h.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS());
            ChildJvm.print(
                    "create_qp_ex", created(CreatorVerbs.ibv_create_qp_ex(errno, context, queuePair), queuePair));
            ibv_qp_init_attr_ex.comp_mask(queuePair, verbs4j_h.IBV_QP_INIT_ATTR_PD());
            ChildJvm.print(
                    "create_qp",
                    failed(CreatorVerbs.ibv_create_qp_ex(errno, context, queuePair)) + ", domain "
                            + Long.toHexString(last(0)) + ", these attributes " + (last(1) == queuePair.address()));
        }

        private void createQueues() {
            ChildJvm.print("create_cq_ex failed", failed(CreatorVerbs.ibv_create_cq_ex(errno, context, queue)));
            ibv_cq_init_attr_ex.cqe(queue, 1);
            ChildJvm.print("create_cq_ex", created(CreatorVerbs.ibv_create_cq_ex(errno, context, queue), queue));
        }

        private String failed(MemorySegment result) {
            return result.address() + " errno " + errno.value();
        }

        private String created(MemorySegment result, MemorySegment attributes) {
            return Long.toHexString(result.address()) + ", this context " + (last(0) == context.address())
                    + ", these attributes " + (last(1) == attributes.address());
        }

        private long last(int index) {
            return last.getAtIndex(ValueLayout.JAVA_LONG, index);
        }
    }
}
