package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The child of {@link HeaderTwinsTest}: calls each inline function in Java, then the header's own in C, with the arguments that
 * {@code inlines.c} sets up, and prints what came of it.
 */
final class HeaderTwins {
    /** What C calls without a look, which ends the process if it is NULL. */
    static final Set<String> UNCHECKED_IN_C = Set.of(
            "ibv_dealloc_mw",
            "ibv_bind_mw",
            "ibv_bind_mw_to_nothing",
            "ibv_memcpy_to_dm",
            "ibv_memcpy_from_dm",
            "ibv_close_xrcd",
            "ibv_post_srq_recv",
            "ibv_post_wq_recv",
            "ibv_post_send",
            "ibv_post_recv",
            "ibv_poll_cq",
            "ibv_req_notify_cq");

    private static final int SAID_BYTES = 300;
    private static final int SILENT = 2;
    private static final List<String> KINDS = List.of("full", "failing", "silent", "old", "unmarked");

    private final NativeLibrary library = NativeLibrary.libibverbs().open();
    private final MethodHandle use = Calls.link(FunctionDescriptor.ofVoid(JAVA_INT));
    private final MethodHandle call = Calls.linkWithErrno(FunctionDescriptor.of(JAVA_LONG));
    private final List<MemorySegment> objects = new ArrayList<>();
    private final Map<String, Function<CapturedErrno, String>> twins = new LinkedHashMap<>();
    private final Set<String> pointers = new HashSet<>();

    private final MemorySegment context;
    private final MemorySegment pd = object("pd", ibv_pd.sizeof());
    private final MemorySegment mr = object("mr", ibv_mr.sizeof());
    private final MemorySegment mw = object("mw", ibv_mw.sizeof());
    private final MemorySegment bind = object("mw_bind", ibv_mw_bind.sizeof());
    private final MemorySegment dm = object("dm", ibv_dm.sizeof());
    private final MemorySegment srq = object("srq", ibv_srq.sizeof());
    private final MemorySegment qp = object("qp", ibv_qp.sizeof());
    private final MemorySegment cq = object("cq", ibv_cq.sizeof());
    private final MemorySegment wq = object("wq", ibv_wq.sizeof() + Architecture.mutexGrowth());
    private final MemorySegment flow = object("flow", ibv_flow.sizeof());
    private final MemorySegment action = object("action", ibv_flow_action.sizeof());
    private final MemorySegment counters = object("counters", ibv_counters.sizeof());
    private final MemorySegment srqAttributes = object("srq_attr", ibv_srq_init_attr_ex.sizeof());
    private final MemorySegment qpAttributes = object("qp_attr", ibv_qp_init_attr_ex.sizeof());
    private final MemorySegment input = object("input", ibv_query_device_ex_input.sizeof());
    private final MemorySegment device = object("device_attr", ibv_device_attr_ex.sizeof());
    private final MemorySegment attr = object("attr", 8);
    private final MemorySegment memory = object("memory", 8);
    private final MemorySegment bad = object("bad", 8);
    private final MemorySegment last = object("last", 8L * Long.BYTES);
    private final int rights = object("rights", 4).get(JAVA_INT, 0);

    private HeaderTwins() throws Throwable {
        this.context =
                (MemorySegment) Calls.link(FunctionDescriptor.of(ADDRESS)).invokeExact(library.require("used"));
    }

    public static void main(String[] arguments) throws Throwable {
        HeaderTwins twins = new HeaderTwins();
        twins.putMemory();
        twins.putDomains();
        twins.putSharedReceives();
        twins.putFlows();
        twins.putWorkQueues();
        twins.putQueues();
        twins.putQueries();
        twins.putExported();
        for (int kind = 0; kind < KINDS.size(); kind++) {
            for (String name : twins.twins.keySet()) {
                twins.compare(kind, name);
            }
        }
    }

    private void putMemory() {
        pointer("ibv_alloc_mw", errno -> WindowVerbs.ibv_alloc_mw(errno, pd, verbs4j_h.IBV_MW_TYPE_2()));
        put("ibv_dealloc_mw", () -> WindowVerbs.ibv_dealloc_mw(mw));
        put("ibv_bind_mw", () -> WindowVerbs.ibv_bind_mw(qp, mw, bind));
        put("ibv_bind_mw_of_type_2", () -> {
            ibv_mw.type(mw, verbs4j_h.IBV_MW_TYPE_2());
            return WindowVerbs.ibv_bind_mw(qp, mw, bind);
        });
        put("ibv_bind_mw_without_region", () -> {
            ibv_mw_bind_info.mr(ibv_mw_bind.bind_info(bind), MemorySegment.NULL);
            return WindowVerbs.ibv_bind_mw(qp, mw, bind);
        });
        put("ibv_bind_mw_to_nothing", () -> {
            bind.fill((byte) 0);
            return WindowVerbs.ibv_bind_mw(qp, mw, bind);
        });
        put("ibv_bind_mw_of_other_domain", () -> {
            ibv_mr.pd(mr, library.require("other_pd"));
            return WindowVerbs.ibv_bind_mw(qp, mw, bind);
        });
        put("ibv_inc_rkey", () -> Integer.toUnsignedLong(WindowVerbs.ibv_inc_rkey(0xf23456ff)));
        pointer("ibv_alloc_dm", errno -> DeviceMemoryVerbs.ibv_alloc_dm(errno, context, attr));
        put("ibv_free_dm", () -> DeviceMemoryVerbs.ibv_free_dm(dm));
        put(
                "ibv_memcpy_to_dm",
                () -> DeviceMemoryVerbs.ibv_memcpy_to_dm(dm, 0xf000000000000001L, memory, 0x1f0000002L));
        put(
                "ibv_memcpy_from_dm",
                () -> DeviceMemoryVerbs.ibv_memcpy_from_dm(memory, dm, 0xf000000000000001L, 0x1f0000002L));
        pointer(
                "ibv_reg_dm_mr",
                errno -> DeviceMemoryVerbs.ibv_reg_dm_mr(errno, pd, dm, 0xf000000000000001L, 0x1f0000002L, 0xf0000003));
        pointer("ibv_reg_mr", errno -> InlineVerbs.ibv_reg_mr(errno, pd, memory, 0x1f0000001L, rights));
        pointer(
                "ibv_reg_mr_iova",
                errno -> RegionVerbs.ibv_reg_mr_iova(errno, pd, memory, 0x1f0000001L, 0xf000000000000002L, rights));
        pointer("ibv_alloc_null_mr", errno -> RegionVerbs.ibv_alloc_null_mr(errno, pd));
        put(
                "ibv_advise_mr",
                () -> RegionVerbs.ibv_advise_mr(
                        pd, verbs4j_h.IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE(), 0xf0000001, attr, 0xf0000002));
    }

    private void putDomains() {
        MemorySegment td = object("td", ibv_td.sizeof());
        MemorySegment xrcd = object("xrcd", ibv_xrcd.sizeof());
        pointer("ibv_alloc_td", errno -> DomainVerbs.ibv_alloc_td(errno, context, attr));
        put("ibv_dealloc_td", () -> DomainVerbs.ibv_dealloc_td(td));
        pointer("ibv_alloc_parent_domain", errno -> DomainVerbs.ibv_alloc_parent_domain(errno, context, attr));
        pointer("ibv_open_xrcd", errno -> XrcVerbs.ibv_open_xrcd(errno, context, attr));
        put("ibv_close_xrcd", () -> XrcVerbs.ibv_close_xrcd(xrcd));
        pointer("ibv_open_qp", errno -> XrcVerbs.ibv_open_qp(errno, context, attr));
    }

    private void putSharedReceives() {
        put("ibv_get_srq_num", () -> XrcVerbs.ibv_get_srq_num(srq, memory));
        pointer("ibv_create_srq_ex", errno -> createShared(errno));
        pointer("ibv_create_srq_ex_basic", errno -> {
            ibv_srq_init_attr_ex.srq_type(srqAttributes, verbs4j_h.IBV_SRQT_BASIC());
            return createShared(errno);
        });
        pointer("ibv_create_srq_ex_untyped", errno -> {
            ibv_srq_init_attr_ex.comp_mask(srqAttributes, verbs4j_h.IBV_SRQ_INIT_ATTR_PD());
            return createShared(errno);
        });
        pointer("ibv_create_srq_ex_without_domain", errno -> {
            ibv_srq_init_attr_ex.comp_mask(srqAttributes, 0);
            return createShared(errno);
        });
        put("ibv_post_srq_recv", () -> SharedReceiveVerbs.ibv_post_srq_recv(srq, attr, bad));
        put("ibv_post_srq_ops", () -> SharedReceiveVerbs.ibv_post_srq_ops(srq, attr, bad));
    }

    private MemorySegment createShared(CapturedErrno errno) {
        return SharedReceiveVerbs.ibv_create_srq_ex(errno, context, srqAttributes);
    }

    private void putFlows() {
        pointer("ibv_create_flow", errno -> FlowVerbs.ibv_create_flow(errno, qp, attr));
        put("ibv_destroy_flow", () -> FlowVerbs.ibv_destroy_flow(flow));
        pointer("ibv_create_flow_action_esp", errno -> FlowVerbs.ibv_create_flow_action_esp(errno, context, attr));
        put("ibv_modify_flow_action_esp", () -> FlowVerbs.ibv_modify_flow_action_esp(action, attr));
        put("ibv_destroy_flow_action", () -> FlowVerbs.ibv_destroy_flow_action(action));
        pointer("ibv_create_counters", errno -> CounterVerbs.ibv_create_counters(errno, context, attr));
        put("ibv_destroy_counters", () -> CounterVerbs.ibv_destroy_counters(counters));
        put("ibv_attach_counters_point_flow", () -> CounterVerbs.ibv_attach_counters_point_flow(counters, attr, flow));
        put("ibv_read_counters", () -> CounterVerbs.ibv_read_counters(counters, memory, 0xf0000001, 0xf0000002));
    }

    private void putWorkQueues() {
        MemorySegment attributes = object("wq_attr", ibv_wq_init_attr.sizeof());
        MemorySegment table = object("table", ibv_rwq_ind_table.sizeof());
        pointer("ibv_create_wq", errno -> WorkQueueVerbs.ibv_create_wq(errno, context, attributes));
        put("ibv_modify_wq", () -> WorkQueueVerbs.ibv_modify_wq(wq, attr));
        put("ibv_destroy_wq", () -> WorkQueueVerbs.ibv_destroy_wq(wq));
        put("ibv_post_wq_recv", () -> WorkQueueVerbs.ibv_post_wq_recv(wq, attr, bad));
        pointer("ibv_create_rwq_ind_table", errno -> WorkQueueVerbs.ibv_create_rwq_ind_table(errno, context, attr));
        put("ibv_destroy_rwq_ind_table", () -> WorkQueueVerbs.ibv_destroy_rwq_ind_table(table));
    }

    private void putQueues() {
        MemorySegment cqAttributes = object("cq_attr", ibv_cq_init_attr_ex.sizeof());
        MemorySegment wc = object("wc", ibv_wc.sizeof());
        pointer("ibv_create_qp_ex", errno -> CreatorVerbs.ibv_create_qp_ex(errno, context, qpAttributes));
        pointer("ibv_create_qp_ex_with_domain", errno -> {
            ibv_qp_init_attr_ex.comp_mask(qpAttributes, verbs4j_h.IBV_QP_INIT_ATTR_PD());
            return CreatorVerbs.ibv_create_qp_ex(errno, context, qpAttributes);
        });
        pointer("ibv_create_cq_ex", errno -> CreatorVerbs.ibv_create_cq_ex(errno, context, cqAttributes));
        put("ibv_modify_cq", () -> TuningVerbs.ibv_modify_cq(cq, attr));
        put("ibv_modify_qp_rate_limit", () -> TuningVerbs.ibv_modify_qp_rate_limit(qp, attr));
        put("ibv_post_send", () -> InlineVerbs.ibv_post_send(qp, attr, bad));
        put("ibv_post_recv", () -> InlineVerbs.ibv_post_recv(qp, attr, bad));
        put("ibv_poll_cq", () -> InlineVerbs.ibv_poll_cq(cq, 16, wc));
        put("ibv_req_notify_cq", () -> InlineVerbs.ibv_req_notify_cq(cq, 1));
    }

    private void putQueries() {
        MemorySegment port = object("port_attr", ibv_port_attr.sizeof());
        MemorySegment gid = object("gid_entry", ibv_gid_entry.sizeof());
        put("ibv_query_device_ex", () -> QueryVerbs.ibv_query_device_ex(context, input, device));
        put("ibv_query_device_ex_with_mask", () -> {
            ibv_query_device_ex_input.comp_mask(input, 1);
            return QueryVerbs.ibv_query_device_ex(context, input, device);
        });
        put(
                "ibv_query_device_ex_without_input",
                () -> QueryVerbs.ibv_query_device_ex(context, MemorySegment.NULL, device));
        put("ibv_query_rt_values_ex", () -> QueryVerbs.ibv_query_rt_values_ex(context, attr));
        put("ibv_query_port", () -> InlineVerbs.ibv_query_port(context, (byte) 0xff, port));
        put("ibv_query_gid_ex", () -> InlineVerbs.ibv_query_gid_ex(context, 0xf0000001, 0xf0000002, gid, 0xf0000003));
        put("ibv_query_gid_table", () -> InlineVerbs.ibv_query_gid_table(context, gid, 0x1f0000001L, 0xf0000002));
        int datagrams = 1 << verbs4j_h.IBV_QPT_UD();
        put("ibv_is_qpt_supported", () -> QueryVerbs.ibv_is_qpt_supported(datagrams, verbs4j_h.IBV_QPT_UD()));
        put("ibv_is_qpt_supported_not", () -> QueryVerbs.ibv_is_qpt_supported(datagrams, verbs4j_h.IBV_QPT_RC()));
        put(
                "ibv_flow_label_to_udp_sport",
                () -> Short.toUnsignedLong(QueryVerbs.ibv_flow_label_to_udp_sport(0xfabcde)));
    }

    private void putExported() {
        MemorySegment wc = object("wc", ibv_wc.sizeof());
        pointer(
                "ibv_reg_dmabuf_mr",
                errno -> RegionVerbs.ibv_reg_dmabuf_mr(
                        errno, pd, 0xf000000000000001L, 0x1f0000002L, 0xf000000000000003L, 4, 5));
        CapturedErrno ignored = CapturedErrno.create();
        put("ibv_rereg_mr", () -> RegionVerbs.ibv_rereg_mr(ignored, mr, 1, pd, memory, 0x1f0000002L, 3));
        pointer(
                "ibv_create_ah_from_wc",
                errno -> AddressVerbs.ibv_create_ah_from_wc(errno, pd, wc, memory, (byte) 0xff));
        put(
                "ibv_init_ah_from_wc",
                () -> AddressVerbs.ibv_init_ah_from_wc(ignored, context, (byte) 0xff, wc, memory, attr));
    }

    private void put(String name, LongSupplier function) {
        twins.put(name, errno -> outcome(function.getAsLong()));
    }

    /** A function that returns a pointer, or NULL and errno. */
    private void pointer(String name, Function<CapturedErrno, MemorySegment> function) {
        pointers.add(name);
        twins.put(name, errno -> pointerOutcome(function.apply(errno).address(), errno));
    }

    private void compare(int kind, String name) throws Throwable {
        CapturedErrno errno = CapturedErrno.create();
        String end = KINDS.get(kind) + " " + name;
        use(kind);
        ChildJvm.print("java " + end, twins.get(name).apply(errno));
        ChildJvm.print("java memory " + end, contents());
        if (!crashes(kind, name)) {
            use(kind);
            long result = (long) call.invokeExact(library.require("c_" + name), errno.state());
            ChildJvm.print("c " + end, pointers.contains(name) ? pointerOutcome(result, errno) : outcome(result));
            ChildJvm.print("c memory " + end, contents());
        }
    }

    private static boolean crashes(int kind, String name) {
        return UNCHECKED_IN_C.contains(name) && (kind == SILENT || kind > SILENT && name.equals("ibv_close_xrcd"));
    }

    private void use(int kind) throws Throwable {
        use.invokeExact(library.require("use"), kind);
    }

    private String pointerOutcome(long address, CapturedErrno errno) {
        return outcome(address) + (address == 0 ? ", errno " + errno.value() : "");
    }

    private String outcome(long result) {
        String said = Pointers.string(library.require("said"), SAID_BYTES);
        return result + ", " + (said.isEmpty() ? "nothing said" : said);
    }

    /** A digest of all that a call may have changed. */
    private int contents() {
        return objects.stream()
                .map(object -> Arrays.hashCode(object.toArray(JAVA_BYTE)))
                .toList()
                .hashCode();
    }

    private MemorySegment object(String name, long bytes) {
        MemorySegment object = Pointers.segment(library.require(name), bytes);
        objects.add(object);
        return object;
    }
}
