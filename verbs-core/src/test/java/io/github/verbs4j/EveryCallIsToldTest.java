package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.CompletionField;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.MemoryAdvice;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.Recorded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever is asked of libibverbs, Flight Recorder is told: the fake counts the calls, and knows all there are. */
@ExtendWith(FakeVerbs.Reset.class)
class EveryCallIsToldTest {
    private static final int EINVAL = 22;

    /** The data path, events that are taken, and what asks only libibverbs itself. */
    private static final Set<String> NO_CONTROL_CALLS = Set.of(
            "ibv_post_send",
            "ibv_post_recv",
            "ibv_post_srq_recv",
            "ibv_poll_cq",
            "ibv_start_poll",
            "ibv_next_poll",
            "ibv_end_poll",
            "ibv_wr_complete",
            "ibv_req_notify_cq",
            "ibv_get_cq_event",
            "ibv_ack_cq_events",
            "ibv_get_async_event",
            "ibv_ack_async_event",
            "ibv_free_device_list",
            "ibv_get_device_name",
            "ibv_get_device_guid",
            "ibv_get_device_index",
            "ibv_node_type_str",
            "ibv_is_fork_initialized");

    /** What Verbs4J has no use for. */
    private static final Set<String> NEVER_CALLED =
            Set.of("ibv_get_pkey_index", "ibv_query_gid_ex", "ibv_reg_mr_iova", "ibv_query_qp_data_in_order");

    private static final List<String> EXTENDED = List.of("ibv_create_cq_ex", "ibv_create_qp_ex");

    /** As users know the function, whatever it is called in the library. */
    private static String name(String function) {
        String name = function.startsWith("_") ? function.substring(1) : function;
        return switch (name) {
            case "ibv_reg_mr_iova2" -> "ibv_reg_mr";
            default -> name.startsWith("ibv_") ? name : "ibv_" + name;
        };
    }

    private static Map<String, Long> counted() {
        Map<String, Long> calls = new TreeMap<>();
        for (String function : FakeVerbs.functions()) {
            calls.merge(name(function), FakeVerbs.calls(function), Long::sum);
        }
        calls.keySet().removeAll(NO_CONTROL_CALLS);
        for (String extended : EXTENDED) { // the fake makes a plain one of it
            String plain = extended.substring(0, extended.length() - "_ex".length());
            calls.merge(plain, -calls.get(extended), Long::sum);
        }
        return calls;
    }

    @Test
    void shouldTellOfEveryCall() throws Exception {
        Map<String, Long> told =
                Recorded.during(EveryCallIsToldTest::useEverything).calls();

        counted().forEach((function, calls) -> {
            assertEquals(calls, told.getOrDefault(function, 0L), function);
            assertTrue(calls > 0 || NEVER_CALLED.contains(function), () -> function + " is not used by this test");
        });
    }

    private static void useEverything() {
        Device.initializeFork();
        try (DeviceContext context = Device.first().open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                CompletionQueue queue = context.createCompletionQueue(64)) {
            context.extendedAttributes();
            context.partitionKey(1, 0);
            useMemory(domain, queue);
            useQueues(context, domain, queue);
            useConnected(domain, queue);
            useDatagrams(context, domain, queue);
        }
    }

    private static void useMemory(ProtectionDomain domain, CompletionQueue queue) {
        AccessFlag[] flags = {AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND};
        MemorySegment segment = Arena.ofAuto().allocate(4096, 4096);
        try (MemoryRegion allocated = domain.allocate(4096, flags);
                MemoryRegion registered = domain.register(segment, flags);
                MemoryRegion dma = domain.registerDmaBuffer(3, 0, 4096, 0, AccessFlag.LOCAL_WRITE);
                MemoryWindow window = domain.allocateMemoryWindow(MemoryWindowType.TYPE_1);
                RcQueuePair pair =
                        domain.createRc(QueuePairOptions.sharing(queue).depth(4, 4));
                SendQueue sends = connected(pair)) {
            registered.advise(MemoryAdvice.PREFETCH, 0, 4096, true);
            sends.bindNow(1, window, allocated, 0, 64, Set.of());
            assertEquals(4096, dma.length());
        }
    }

    private static SendQueue connected(RcQueuePair pair) {
        GidEntry gid = pair.domain().context().gids(1).preferred();
        pair.connect(pair.initialize(gid), RcPath.defaults());
        return SendQueue.over(pair);
    }

    private static void useQueues(DeviceContext context, ProtectionDomain domain, CompletionQueue queue) {
        queue.resize(128);
        queue.moderate(1, Duration.ZERO);
        CompletionQueueOptions extended = CompletionQueueOptions.entries(16).extended(CompletionField.BYTE_LENGTH);
        try (CompletionQueue another = context.createCompletionQueue(extended);
                SharedReceiveQueue shared = domain.createSharedReceiveQueue(8, 1)) {
            shared.query();
            shared.armLimit(1);
            shared.resize(16);
            assertTrue(another.isOpen());
        }
    }

    private static void useConnected(ProtectionDomain domain, CompletionQueue queue) {
        QueuePairOptions options = QueuePairOptions.sharing(queue).depth(4, 4);
        GidEntry gid = domain.context().gids(1).preferred();
        try (RcQueuePair built = domain.createRc(options.extended(SendOperation.SEND));
                UcQueuePair unreliable = domain.createUc(options)) {
            built.query();
            QueuePairAddress address = built.initialize(gid);
            FakeVerbs.failNext("ibv_modify_qp", EINVAL); // the explanation asks for the GID
            assertThrows(VerbsException.class, () -> built.connect(address, RcPath.defaults()));
            unreliable.initialize(gid);
            unreliable.toError();
            unreliable.reset();
        }
    }

    private static void useDatagrams(DeviceContext context, ProtectionDomain domain, CompletionQueue queue) {
        GidEntry gid = context.gids(1).preferred();
        try (UdQueuePair pair = domain.createUd(QueuePairOptions.sharing(queue).depth(4, 4));
                AddressHandle way =
                        domain.createAddressHandle(new AddressVector(gid.gid(), 0, 1, gid.index(), 0, 64, 0, 0))) {
            pair.initialize(gid, 1);
            pair.attach(new Gid(0xff0e_0000_0000_0000L, 1), 0).close();
            assertTrue(way.isOpen());
        }
    }
}
