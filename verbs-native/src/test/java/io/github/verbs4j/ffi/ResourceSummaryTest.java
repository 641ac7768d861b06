package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The hand-written numbers are C's, on both processors, and answers of the kernel are understood, whole or not. */
class ResourceSummaryTest {
    private static final List<Check> NUMBERS = List.of(
            new Check("AF_NETLINK", "AF_NETLINK", ResourceSummary.AF_NETLINK),
            new Check("SOCK_RAW", "SOCK_RAW", ResourceSummary.SOCK_RAW),
            new Check("SOCK_CLOEXEC", "SOCK_CLOEXEC", ResourceSummary.SOCK_CLOEXEC),
            new Check("NETLINK_RDMA", "NETLINK_RDMA", ResourceSummary.NETLINK_RDMA),
            new Check("MSG_DONTWAIT", "MSG_DONTWAIT", ResourceSummary.MSG_DONTWAIT),
            new Check("NLM_F_REQUEST", "NLM_F_REQUEST", ResourceSummary.NLM_F_REQUEST),
            new Check("NLM_F_DUMP", "NLM_F_DUMP", ResourceSummary.NLM_F_DUMP),
            new Check("size of nlmsghdr", "sizeof(struct nlmsghdr)", ResourceSummary.HEADER_BYTES),
            new Check("nlmsg_type", "offsetof(struct nlmsghdr, nlmsg_type)", Integer.BYTES),
            new Check("size of nlattr", "sizeof(struct nlattr)", ResourceSummary.ATTRIBUTE_HEADER_BYTES),
            new Check("NLA_TYPE_MASK", "NLA_TYPE_MASK & 0xffff", ResourceSummary.TYPE_MASK),
            new Check("RES_GET", "RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_GET)", ResourceSummary.RES_GET),
            new Check("DEV_NAME", "RDMA_NLDEV_ATTR_DEV_NAME", ResourceSummary.DEV_NAME),
            new Check("RES_SUMMARY", "RDMA_NLDEV_ATTR_RES_SUMMARY", ResourceSummary.RES_SUMMARY),
            new Check("ENTRY_NAME", "RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME", ResourceSummary.ENTRY_NAME),
            new Check("ENTRY_CURR", "RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR", ResourceSummary.ENTRY_CURR));

    @Test
    void shouldAgreeWithC() {
        assertEquals(List.of(), CNumbers.disagreementsWhenRun("netlink", NUMBERS));
        assertEquals(List.of(), CNumbers.disagreementsWhenCompiled("netlink-aarch64", CCompiler.aarch64(), NUMBERS));
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
    }

    private static byte[] text(String value) {
        return (value + '\0').getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(whole::writeBytes);
        return whole.toByteArray();
    }

    private static byte[] attribute(int type, byte[]... parts) {
        byte[] value = join(parts);
        return ByteBuffer.allocate((value.length + 7) & ~3)
                .order(ByteOrder.nativeOrder())
                .putShort((short) (value.length + 4))
                .putShort((short) type)
                .put(value)
                .array();
    }

    private static byte[] entry(String name, long count) {
        return attribute(16, attribute(17, text(name)), attribute(18, number(count)));
    }

    private static byte[] device(int type, String name, byte[]... entries) {
        byte[] body = join(attribute(1, new byte[4]), attribute(2, text(name)), attribute(0x8000 | 15, entries));
        byte[] header = ByteBuffer.allocate(16)
                .order(ByteOrder.nativeOrder())
                .putInt(16 + body.length)
                .putShort((short) type)
                .array();
        return join(header, body);
    }

    private static final byte[] ANSWER = join(
            device(ResourceSummary.RES_GET, "rxe0", entry("pd", 1)),
            device(ResourceSummary.RES_GET, "mlx5_0", entry("qp", 70_000), entry("mr", 5_000_000_000L)));

    @Test
    void shouldFindTheDeviceThatIsMeant() {
        assertEquals(Optional.of(Map.of("pd", 1L)), ResourceSummary.find(ANSWER, "rxe0"));
        assertEquals(Optional.of(Map.of("qp", 70_000L, "mr", 5_000_000_000L)), ResourceSummary.find(ANSWER, "mlx5_0"));
        assertEquals(Optional.empty(), ResourceSummary.find(ANSWER, "rxe"));
        assertEquals(Optional.empty(), ResourceSummary.find(device(2, "rxe0", entry("pd", 1)), "rxe0"));
    }

    @Test
    void shouldNotTrustTheLengthsOfAnAnswer() {
        for (int length = 0; length < ANSWER.length; length++) {
            byte[] cut = Arrays.copyOf(ANSWER, length);
            assertDoesNotThrow(() -> ResourceSummary.find(cut, "mlx5_0"));
        }
        for (int i = 0; i < ANSWER.length; i++) {
            byte[] wrong = ANSWER.clone();
            wrong[i] = -1;
            assertDoesNotThrow(() -> ResourceSummary.find(wrong, "mlx5_0"));
        }
    }

    @Test
    void shouldKnowNothingOfADeviceThatIsNotThere() {
        assertEquals(Map.of(), ResourceSummary.of("no_such_device"));
    }
}
