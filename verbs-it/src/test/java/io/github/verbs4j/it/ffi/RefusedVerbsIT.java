package io.github.verbs4j.it.ffi;

import static io.github.verbs4j.ffi.verbs4j_h.*;
import static java.lang.foreign.MemorySegment.NULL;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.ffi.*;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Resources;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Soft-RoCE cannot do, called by its C name: each answers as the library does for a provider that left it out. */
class RefusedVerbsIT {
    private static final int EOPNOTSUPP = 95;

    private final Arena arena = Arena.ofAuto();
    private final CapturedErrno errno = CapturedErrno.create();
    private final MemorySegment anything = arena.allocate(512, 8);
    private final Map<String, IntSupplier> calls = new LinkedHashMap<>();
    private final Resources resources = new Resources();
    private DeviceContext context;
    private ProtectionDomain domain;
    private MemoryRegion region;
    private RcQueuePair queuePair;
    private CompletionQueue queue;
    private SharedReceiveQueue shared;

    @BeforeEach
    void open() {
        assumeTrue(Rdma.driver().equals("rdma_rxe"), "refusals of Soft-RoCE");
        context = resources.add(Rdma.open());
        domain = resources.add(context.allocateProtectionDomain());
        region = resources.add(domain.allocate(4096, AccessFlag.LOCAL_WRITE));
        queue = resources.add(context.createCompletionQueue(128));
        shared = resources.add(domain.createSharedReceiveQueue(16, 1));
        queuePair = resources.add(
                domain.createRc(QueuePairOptions.sharing(queue).depth(8, 8).extended(SendOperation.SEND)));
    }

    @AfterEach
    void close() {
        resources.close();
    }

    /** A creator; 0 stands for success. */
    private void creator(String name, Function<CapturedErrno, MemorySegment> call) {
        calls.put(name, () -> call.apply(errno).address() == 0 ? errno.value() : 0);
    }

    @Test
    void shouldNotBeSupported() {
        putMemory();
        putDomains();
        putQueues();
        putFlows();

        assertAll(calls.entrySet().stream().map(call -> () -> {
            int result = call.getValue().getAsInt();
            assertEquals(EOPNOTSUPP, result, call.getKey());
        }));
    }

    private void putMemory() {
        MemorySegment pd = domain.handle();
        creator("ibv_alloc_dm", e -> DeviceMemoryVerbs.ibv_alloc_dm(e, context.handle(), anything));
        creator("ibv_reg_dm_mr", e -> DeviceMemoryVerbs.ibv_reg_dm_mr(e, pd, NULL, 0, 8, 0));
        creator("ibv_import_dm", e -> ImportVerbs.ibv_import_dm(e, context.handle(), 1));
        creator("ibv_alloc_null_mr", e -> RegionVerbs.ibv_alloc_null_mr(e, pd));
        creator("ibv_reg_dmabuf_mr", e -> RegionVerbs.ibv_reg_dmabuf_mr(e, pd, 0, 4096, 0, 0, 1));
        creator("ibv_import_mr", e -> ImportVerbs.ibv_import_mr(e, pd, 1));
        calls.put("ibv_advise_mr", () -> RegionVerbs.ibv_advise_mr(pd, 0, 0, anything, 1));
        calls.put("ibv_rereg_mr", () -> {
            int result = RegionVerbs.ibv_rereg_mr(
                    errno, region.handle(), IBV_REREG_MR_CHANGE_ACCESS(), NULL, NULL, 0, IBV_ACCESS_LOCAL_WRITE());
            return result == 0 ? 0 : errno.value();
        });
    }

    private void putDomains() {
        MemorySegment parent = ibv_parent_domain_init_attr.allocate(arena);
        ibv_parent_domain_init_attr.pd(parent, domain.handle());
        creator("ibv_alloc_td", e -> DomainVerbs.ibv_alloc_td(e, context.handle(), anything));
        creator("ibv_alloc_parent_domain", e -> DomainVerbs.ibv_alloc_parent_domain(e, context.handle(), parent));
        creator("ibv_import_pd", e -> ImportVerbs.ibv_import_pd(e, context.handle(), 1));
        creator("ibv_open_xrcd", e -> XrcVerbs.ibv_open_xrcd(e, context.handle(), anything));
        creator("ibv_open_qp", e -> XrcVerbs.ibv_open_qp(e, context.handle(), anything));
    }

    private void putQueues() {
        MemorySegment tagged = ibv_srq_init_attr_ex.allocate(arena);
        ibv_srq_attr.max_wr(ibv_srq_init_attr_ex.attr(tagged), 16);
        ibv_srq_attr.max_sge(ibv_srq_init_attr_ex.attr(tagged), 1);
        ibv_srq_init_attr_ex.comp_mask(
                tagged,
                IBV_SRQ_INIT_ATTR_TYPE() | IBV_SRQ_INIT_ATTR_PD() | IBV_SRQ_INIT_ATTR_CQ() | IBV_SRQ_INIT_ATTR_TM());
        ibv_srq_init_attr_ex.srq_type(tagged, IBV_SRQT_TM());
        ibv_srq_init_attr_ex.pd(tagged, domain.handle());
        ibv_srq_init_attr_ex.cq(tagged, queue.handle());
        ibv_tm_cap.max_num_tags(ibv_srq_init_attr_ex.tm_cap(tagged), 8);
        ibv_tm_cap.max_ops(ibv_srq_init_attr_ex.tm_cap(tagged), 8);
        creator("ibv_create_srq_ex", e -> SharedReceiveVerbs.ibv_create_srq_ex(e, context.handle(), tagged));
        calls.put("ibv_post_srq_ops", () -> SharedReceiveVerbs.ibv_post_srq_ops(shared.handle(), anything, anything));
        calls.put("ibv_get_srq_num", () -> XrcVerbs.ibv_get_srq_num(shared.handle(), anything));
        calls.put("ibv_modify_cq", () -> TuningVerbs.ibv_modify_cq(queue.handle(), anything));
        calls.put("ibv_modify_qp_rate_limit", () -> TuningVerbs.ibv_modify_qp_rate_limit(queuePair.handle(), anything));
        calls.put("ibv_query_rt_values_ex", () -> QueryVerbs.ibv_query_rt_values_ex(context.handle(), anything));
        calls.put("ibv_set_ece", () -> verbs_h.ibv_set_ece(queuePair.handle(), ibv_ece.allocate(arena)));
        calls.put("ibv_query_ece", () -> verbs_h.ibv_query_ece(queuePair.handle(), ibv_ece.allocate(arena)));
        creator("ibv_create_wq", e -> WorkQueueVerbs.ibv_create_wq(e, context.handle(), anything));
        creator(
                "ibv_create_rwq_ind_table",
                e -> WorkQueueVerbs.ibv_create_rwq_ind_table(e, context.handle(), anything));
    }

    private void putFlows() {
        creator("ibv_create_flow", e -> FlowVerbs.ibv_create_flow(e, queuePair.handle(), anything));
        creator("ibv_create_flow_action_esp", e -> FlowVerbs.ibv_create_flow_action_esp(e, context.handle(), anything));
        creator("ibv_create_counters", e -> CounterVerbs.ibv_create_counters(e, context.handle(), anything));
    }

    /** The library asks the provider for a function that makes a context of a descriptor. */
    @Test
    void shouldNotImportADevice() {
        int descriptor = ibv_context.cmd_fd(context.handle());

        assertEquals(0, ImportVerbs.ibv_import_device(errno, descriptor).address());
        assertEquals(EOPNOTSUPP, errno.value());
    }

    @Test
    void shouldLeaveBuildersOutThatItLacks() {
        MemorySegment builder = verbs_h.ibv_qp_to_qp_ex(queuePair.handle());
        BuilderVerbs.ibv_wr_start(builder);

        requireLeftOut("ibv_wr_send_tso", () -> BuilderVerbs.ibv_wr_send_tso(builder, anything, (short) 1, (short) 1));
        requireLeftOut("ibv_wr_set_xrc_srqn", () -> BuilderDataVerbs.ibv_wr_set_xrc_srqn(builder, 1));

        BuilderVerbs.ibv_wr_abort(builder);
    }

    private static void requireLeftOut(String function, Runnable call) {
        String message =
                assertThrows(UnsupportedOperationException.class, call::run).getMessage();
        assertTrue(message.startsWith(function + " is not supported here"), message);
    }
}
