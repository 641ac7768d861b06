package io.github.verbs4j.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every constant that C has is here, under the number that C has. The lists go by the generated constants, so one that a
 * newer header brings is missed here until the enum has it.
 */
class CodesTest {

    /** Constants whose names differ from C's in more than the prefix. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("IBV_WC_RDMA_WRITE", "WRITE"),
            Map.entry("IBV_WC_RDMA_READ", "READ"),
            Map.entry("IBV_WC_COMP_SWAP", "COMPARE_AND_SWAP"),
            Map.entry("IBV_WC_FETCH_ADD", "FETCH_AND_ADD"),
            Map.entry("IBV_WC_BIND_MW", "BIND_MEMORY_WINDOW"),
            Map.entry("IBV_WC_LOCAL_INV", "LOCAL_INVALIDATE"),
            Map.entry("IBV_WC_TSO", "TCP_SEGMENTATION"),
            Map.entry("IBV_WC_RECV", "RECEIVE"),
            Map.entry("IBV_WC_RECV_RDMA_WITH_IMM", "RECEIVE_WRITE_IMMEDIATE"),
            Map.entry("IBV_QPT_XRC_RECV", "XRC_RECEIVE"),
            Map.entry("IBV_ATOMIC_HCA", "DEVICE"),
            Map.entry("IBV_ATOMIC_GLOB", "GLOBAL"),
            Map.entry("IBV_GID_TYPE_IB", "INFINIBAND"),
            Map.entry("IBV_TRANSPORT_IB", "INFINIBAND"),
            Map.entry("IBV_NODE_CA", "CHANNEL_ADAPTER"),
            Map.entry("IBV_ACCESS_MW_BIND", "MEMORY_WINDOW_BIND"),
            Map.entry("IBV_ACCESS_HUGETLB", "HUGE_PAGES"));

    /** Opcodes of completions that only hardware tag matching and provider-direct calls give: out of scope, UNKNOWN. */
    private static final String[] OPCODES_LEFT_OUT = {
        "IBV_WC_TM_ADD",
        "IBV_WC_TM_DEL",
        "IBV_WC_TM_SYNC",
        "IBV_WC_TM_RECV",
        "IBV_WC_TM_NO_TAG",
        "IBV_WC_DRIVER1",
        "IBV_WC_DRIVER2",
        "IBV_WC_DRIVER3"
    };

    private static final List<String> OPCODES = List.of(
            "IBV_WC_SEND",
            "IBV_WC_RDMA_WRITE",
            "IBV_WC_RDMA_READ",
            "IBV_WC_COMP_SWAP",
            "IBV_WC_FETCH_ADD",
            "IBV_WC_BIND_MW",
            "IBV_WC_LOCAL_INV",
            "IBV_WC_TSO",
            "IBV_WC_ATOMIC_WRITE",
            "IBV_WC_RECV",
            "IBV_WC_RECV_RDMA_WITH_IMM");

    private static final List<String> COMPLETION_FLAGS = List.of(
            "IBV_WC_GRH",
            "IBV_WC_WITH_IMM",
            "IBV_WC_WITH_INV",
            "IBV_WC_IP_CSUM_OK",
            "IBV_WC_IP_CSUM_OK_SHIFT",
            "IBV_WC_TM_SYNC_REQ",
            "IBV_WC_TM_MATCH",
            "IBV_WC_TM_DATA_VALID",
            "IBV_WC_STANDARD_FLAGS");

    private static Map<String, Integer> statuses() {
        Map<String, Integer> all = GeneratedConstants.of("IBV_WC_", "IBV_WC_EX_");
        all.keySet().removeAll(OPCODES);
        all.keySet().removeAll(COMPLETION_FLAGS);
        all.keySet().removeAll(Set.of(OPCODES_LEFT_OUT));
        return all;
    }

    private static Map<String, Integer> opcodes() {
        Map<String, Integer> all = new TreeMap<>();
        OPCODES.forEach(name -> all.put(name, GeneratedConstants.valueOf(name)));
        return all;
    }

    private static Map<String, Integer> portStates() {
        return GeneratedConstants.of(
                "IBV_PORT_",
                GeneratedConstants.of("IBV_PORT_").keySet().stream()
                        .filter(name -> name.endsWith("_SUP")
                                || name.endsWith("_NVRAM")
                                || name.endsWith("_MKEY")
                                || name.equals("IBV_PORT_SM")
                                || name.equals("IBV_PORT_IP_BASED_GIDS"))
                        .toArray(String[]::new));
    }

    static Stream<Arguments> enums() {
        return Stream.of(
                coded(statuses(), "IBV_WC_", WorkStatus.values(), WorkStatus::ofCode, WorkStatus.UNKNOWN),
                coded(opcodes(), "IBV_WC_", WorkOpcode.values(), WorkOpcode::ofCode, WorkOpcode.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_EVENT_"),
                        "IBV_EVENT_",
                        AsyncEventType.values(),
                        AsyncEventType::ofCode,
                        AsyncEventType.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_QPS_"),
                        "IBV_QPS_",
                        QueuePairState.values(),
                        QueuePairState::ofCode,
                        QueuePairState.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_QPT_"),
                        "IBV_QPT_",
                        QueuePairType.values(),
                        QueuePairType::ofCode,
                        QueuePairType.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_MIG_"),
                        "IBV_MIG_",
                        PathMigration.values(),
                        PathMigration::ofCode,
                        PathMigration.UNKNOWN),
                coded(portStates(), "IBV_PORT_", PortState.values(), PortState::ofCode, PortState.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_LINK_LAYER_"),
                        "IBV_LINK_LAYER_",
                        LinkLayer.values(),
                        LinkLayer::ofCode,
                        LinkLayer.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_NODE_"),
                        "IBV_NODE_",
                        NodeType.values(),
                        NodeType::ofCode,
                        NodeType.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_TRANSPORT_"),
                        "IBV_TRANSPORT_",
                        TransportType.values(),
                        TransportType::ofCode,
                        TransportType.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_ATOMIC_"),
                        "IBV_ATOMIC_",
                        AtomicCapability.values(),
                        AtomicCapability::ofCode,
                        AtomicCapability.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_FORK_"),
                        "IBV_FORK_",
                        ForkStatus.values(),
                        ForkStatus::ofCode,
                        ForkStatus.UNKNOWN),
                coded(
                        GeneratedConstants.of("IBV_GID_TYPE_"),
                        "IBV_GID_TYPE_",
                        GidType.values(),
                        GidType::ofCode,
                        GidType.UNKNOWN));
    }

    private static <T extends Enum<T> & Coded> Arguments coded(
            Map<String, Integer> constants, String prefix, T[] values, IntFunction<T> ofCode, T unknown) {
        return Arguments.argumentSet(
                values[0].getDeclaringClass().getSimpleName(),
                constants,
                prefix,
                Arrays.asList(values),
                ofCode,
                unknown);
    }

    private static String javaName(String constant, String prefix) {
        return NAMES.getOrDefault(constant, constant.substring(prefix.length()));
    }

    @ParameterizedTest
    @MethodSource("enums")
    void shouldHaveEveryConstantOfC(
            Map<String, Integer> constants,
            String prefix,
            List<? extends Coded> values,
            IntFunction<? extends Coded> ofCode,
            Coded unknown) {
        assertTrue(constants.size() >= 3, () -> "found only " + constants);
        constants.forEach((name, code) -> {
            Coded value = ofCode.apply(code);
            assertEquals(javaName(name, prefix), value.toString(), name + " = " + code);
            if (value != unknown) {
                assertEquals(code, value.code(), name);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("enums")
    void shouldSayUnknownOfOtherNumbers(
            Map<String, Integer> constants,
            String prefix,
            List<? extends Coded> values,
            IntFunction<? extends Coded> ofCode,
            Coded unknown) {
        for (int code : new int[] {Integer.MIN_VALUE, -2, 60, 1000, Integer.MAX_VALUE}) {
            assertEquals(unknown, ofCode.apply(code), () -> "" + code);
        }
    }

    @ParameterizedTest
    @MethodSource("enums")
    void shouldFindEachBackByItsNumber(
            Map<String, Integer> constants,
            String prefix,
            List<? extends Coded> values,
            IntFunction<? extends Coded> ofCode,
            Coded unknown) {
        values.forEach(value -> assertEquals(value, ofCode.apply(value.code())));
        assertEquals(values.size(), values.stream().map(Coded::code).distinct().count(), "numbers are distinct");
    }

    @Test
    void shouldCallOpcodesWithoutANameUnknown() {
        for (String name : OPCODES_LEFT_OUT) {
            assertEquals(WorkOpcode.UNKNOWN, WorkOpcode.ofCode(GeneratedConstants.valueOf(name)), name);
        }
    }

    @Test
    void shouldExplainEveryStatus() {
        for (WorkStatus status : WorkStatus.values()) {
            assertTrue(!status.meaning().isBlank(), status::name);
            assertEquals(status == WorkStatus.SUCCESS, status.hint().isEmpty(), status::name);
        }
    }

    @Test
    void shouldHaveEveryMtu() {
        Map<String, Integer> constants = GeneratedConstants.of("IBV_MTU_");

        assertEquals(Mtu.values().length, constants.size());
        constants.forEach((name, code) -> {
            Mtu mtu = Mtu.ofCode(code);
            assertEquals(name.substring("IBV_".length()), mtu.name());
            assertEquals(code, mtu.code());
            assertEquals("IBV_MTU_" + mtu.bytes(), name);
            assertEquals(mtu, Mtu.ofBytes(mtu.bytes()));
        });
    }

    @Test
    void shouldRefuseMtusThatDoNotExist() {
        assertEquals(
                "mtu=1500 is none of 256, 512, 1024, 2048, 4096 bytes",
                assertThrows(IllegalArgumentException.class, () -> Mtu.ofBytes(1500))
                        .getMessage());
        for (int code : new int[] {0, 6, -1}) {
            assertEquals(
                    "ibv_mtu=" + code + " is not in 1..5",
                    assertThrows(IllegalArgumentException.class, () -> Mtu.ofCode(code))
                            .getMessage());
        }
    }

    @Test
    void shouldTellTheSmallerMtu() {
        assertEquals(Mtu.MTU_512, Mtu.MTU_512.min(Mtu.MTU_4096));
        assertEquals(Mtu.MTU_512, Mtu.MTU_4096.min(Mtu.MTU_512));
        assertEquals(Mtu.MTU_256, Mtu.MTU_256.min(Mtu.MTU_256));
    }

    @Test
    void shouldHaveEveryAccessFlag() {
        Map<String, Integer> constants =
                GeneratedConstants.of("IBV_ACCESS_", "IBV_ACCESS_OPTIONAL_FIRST", "IBV_ACCESS_OPTIONAL_RANGE");
        assertTrue(constants.size() >= 9);

        constants.forEach((name, bit) -> assertEquals(
                bit, AccessFlag.valueOf(javaName(name, "IBV_ACCESS_")).bit(), name));
        assertTrue(
                (AccessFlag.RELAXED_ORDERING.bit() & GeneratedConstants.valueOf("IBV_ACCESS_OPTIONAL_RANGE")) != 0,
                "an old kernel ignores it");
    }

    @Test
    void shouldHaveEveryMemoryAdvice() {
        Map<String, Integer> constants = GeneratedConstants.of("IBV_ADVISE_MR_ADVICE_");
        assertEquals(constants.size(), MemoryAdvice.values().length);
        constants.forEach((name, code) -> assertEquals(
                code,
                MemoryAdvice.valueOf(javaName(name, "IBV_ADVISE_MR_ADVICE_")).code(),
                name));
    }

    @Test
    void shouldHaveEveryMemoryWindowType() {
        assertEquals(GeneratedConstants.valueOf("IBV_MW_TYPE_1"), MemoryWindowType.TYPE_1.code());
        assertEquals(GeneratedConstants.valueOf("IBV_MW_TYPE_2"), MemoryWindowType.TYPE_2.code());
        assertEquals(2, MemoryWindowType.values().length);
    }

    @Test
    void shouldTurnAccessFlagsIntoAMaskAndBack() {
        Set<AccessFlag> some = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.RELAXED_ORDERING);

        assertEquals(0b101 | 1 << 20, AccessFlag.mask(some));
        assertEquals(some, AccessFlag.of(AccessFlag.mask(some)));
        assertEquals(EnumSet.allOf(AccessFlag.class), AccessFlag.of(-1), "bits without a name are left out");
        assertEquals(Set.of(), AccessFlag.of(0));
        assertEquals(0, AccessFlag.mask(Set.of()));
        assertEquals(
                AccessFlag.values().length,
                Integer.bitCount(AccessFlag.mask(EnumSet.allOf(AccessFlag.class))),
                "one bit each");
    }

    @Test
    void shouldHaveEveryBitOfTheAttributeMask() {
        Map<String, String> names = Map.ofEntries(
                Map.entry("IBV_QP_CUR_STATE", "CURRENT_STATE"),
                Map.entry("IBV_QP_EN_SQD_ASYNC_NOTIFY", "DRAINED_NOTIFICATION"),
                Map.entry("IBV_QP_ACCESS_FLAGS", "ACCESS"),
                Map.entry("IBV_QP_PKEY_INDEX", "PARTITION_KEY_INDEX"),
                Map.entry("IBV_QP_QKEY", "QUEUE_KEY"),
                Map.entry("IBV_QP_AV", "PATH"),
                Map.entry("IBV_QP_TIMEOUT", "ACK_TIMEOUT"),
                Map.entry("IBV_QP_RETRY_CNT", "RETRY_COUNT"),
                Map.entry("IBV_QP_RQ_PSN", "RECEIVE_PSN"),
                Map.entry("IBV_QP_MAX_QP_RD_ATOMIC", "READS_AS_INITIATOR"),
                Map.entry("IBV_QP_ALT_PATH", "ALTERNATE_PATH"),
                Map.entry("IBV_QP_SQ_PSN", "SEND_PSN"),
                Map.entry("IBV_QP_MAX_DEST_RD_ATOMIC", "READS_AS_RESPONDER"),
                Map.entry("IBV_QP_PATH_MIG_STATE", "PATH_MIGRATION"),
                Map.entry("IBV_QP_CAP", "CAPACITY"),
                Map.entry("IBV_QP_DEST_QPN", "DESTINATION"));
        // The rate limit is of raw packet queue pairs and set by ibv_modify_qp_rate_limit.
        Map<String, Integer> constants = GeneratedConstants.of(
                "IBV_QP_",
                "IBV_QP_CREATE_",
                "IBV_QP_EX_",
                "IBV_QP_INIT_ATTR_",
                "IBV_QP_OPEN_ATTR_",
                "IBV_QP_RATE_LIMIT");
        assertEquals(QueuePairAttribute.values().length, constants.size());

        constants.forEach((name, bit) -> assertEquals(
                bit,
                QueuePairAttribute.valueOf(names.getOrDefault(name, name.substring("IBV_QP_".length())))
                        .bit(),
                name));
    }

    @Test
    void shouldNameTheMethodThatSetsAnAttribute() {
        List<String> methods = Arrays.stream(Transition.class.getMethods())
                .filter(method -> method.getReturnType() == Transition.class)
                .map(java.lang.reflect.Method::getName)
                .toList();

        Function<QueuePairAttribute, String> setter = QueuePairAttribute::setter;
        for (QueuePairAttribute attribute : QueuePairAttribute.values()) {
            assertEquals(
                    attribute != QueuePairAttribute.CAPACITY,
                    methods.contains(setter.apply(attribute)),
                    attribute::name);
        }
    }
}
