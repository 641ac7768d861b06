package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * How many objects there are on an RDMA device, of all processes, as the kernel counts them: what {@code rdma resource show}
 * prints ({@code RDMA_NLDEV_CMD_RES_GET} over {@code NETLINK_RDMA}). No privilege is needed; it never waits.
 */
@SuppressWarnings("restricted")
public final class ResourceSummary {
    static final int AF_NETLINK = 16;
    static final int SOCK_RAW = 3;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int NETLINK_RDMA = 20;
    static final int MSG_DONTWAIT = 0x40;
    static final int NLM_F_REQUEST = 1;
    static final int NLM_F_DUMP = 0x300;
    static final int HEADER_BYTES = 16;
    static final int ATTRIBUTE_HEADER_BYTES = 4;
    static final int TYPE_MASK = 0x3fff;
    static final short RES_GET = 5 << 10 | 9;
    static final int DEV_NAME = 2;
    static final int RES_SUMMARY = 15;
    static final int ENTRY_NAME = 17;
    static final int ENTRY_CURR = 18;

    /** What the kernel puts into one answer at most. */
    private static final int ANSWER_BYTES = 1 << 15;

    private static final MethodHandle SOCKET =
            link("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SEND =
            link("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECV =
            link("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    private ResourceSummary() {}

    private static MethodHandle link(String name, FunctionDescriptor descriptor) {
        return Calls.linkWithErrno(Linker.nativeLinker().defaultLookup().findOrThrow(name), descriptor);
    }

    /**
     * {@return how many there are of each kind, by the kernel's words for them ({@code pd}, {@code cq}, {@code qp},
     * {@code mr}, ...) in its order; empty if the kernel does not tell}
     *
     * @param device for example {@code rxe0}
     */
    public static Map<String, Long> of(String device) {
        try (Arena arena = Arena.ofConfined()) {
            CapturedErrno errno = new CapturedErrno(arena);
            int socket = (int) SOCKET.invokeExact(errno.state(), AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
            if (socket < 0) {
                return Map.of();
            }
            try {
                return ask(arena, errno, socket, device);
            } finally {
                Descriptors.close(errno, socket);
            }
        } catch (Throwable thrown) {
            throw Calls.rethrow(thrown);
        }
    }

    private static Map<String, Long> ask(Arena arena, CapturedErrno errno, int socket, String device) throws Throwable {
        MemorySegment question = arena.allocate(HEADER_BYTES, JAVA_INT.byteAlignment());
        question.asByteBuffer()
                .order(ByteOrder.nativeOrder())
                .putInt(HEADER_BYTES)
                .putShort(RES_GET)
                .putShort((short) (NLM_F_REQUEST | NLM_F_DUMP));
        if ((long) SEND.invokeExact(errno.state(), socket, question, question.byteSize(), 0) < 0) {
            return Map.of();
        }
        MemorySegment answer = arena.allocate(ANSWER_BYTES, JAVA_LONG.byteAlignment());
        long length = (long) RECV.invokeExact(errno.state(), socket, answer, answer.byteSize(), MSG_DONTWAIT);
        while (length > 0) {
            byte[] messages = answer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            Optional<Map<String, Long>> found = find(messages, device);
            if (found.isPresent()) {
                return found.get();
            }
            length = (long) RECV.invokeExact(errno.state(), socket, answer, answer.byteSize(), MSG_DONTWAIT);
        }
        return Map.of();
    }

    /** In messages of netlink, each of one device. */
    static Optional<Map<String, Long>> find(byte[] messages, String device) {
        ByteBuffer rest = ByteBuffer.wrap(messages).order(ByteOrder.nativeOrder());
        while (rest.remaining() >= HEADER_BYTES) {
            int length = rest.getInt(rest.position());
            int type = Short.toUnsignedInt(rest.getShort(rest.position() + Integer.BYTES));
            if (length < HEADER_BYTES || length > rest.remaining()) {
                return Optional.empty();
            }
            Map<String, Long> counts = new LinkedHashMap<>();
            String[] name = {""};
            if (type == RES_GET) {
                each(part(rest, HEADER_BYTES, length), (attribute, value) -> {
                    switch (attribute) {
                        case DEV_NAME -> name[0] = text(value);
                        case RES_SUMMARY -> each(value, (entry, fields) -> count(fields, counts));
                        default -> {} // what else the kernel tells of a device
                    }
                });
            }
            if (name[0].equals(device)) {
                return Optional.of(counts);
            }
            rest.position(rest.position() + Math.min(aligned(length), rest.remaining()));
        }
        return Optional.empty();
    }

    private static void count(ByteBuffer entry, Map<String, Long> counts) {
        String[] name = {""};
        each(entry, (attribute, value) -> {
            if (attribute == ENTRY_NAME) {
                name[0] = text(value);
            } else if (attribute == ENTRY_CURR && value.remaining() == Long.BYTES) {
                counts.put(name[0], value.getLong());
            }
        });
    }

    private static void each(ByteBuffer attributes, BiConsumer<Integer, ByteBuffer> use) {
        while (attributes.remaining() >= ATTRIBUTE_HEADER_BYTES) {
            int length = Short.toUnsignedInt(attributes.getShort(attributes.position()));
            int type = attributes.getShort(attributes.position() + Short.BYTES) & TYPE_MASK;
            if (length < ATTRIBUTE_HEADER_BYTES || length > attributes.remaining()) {
                return;
            }
            use.accept(type, part(attributes, ATTRIBUTE_HEADER_BYTES, length));
            attributes.position(attributes.position() + Math.min(aligned(length), attributes.remaining()));
        }
    }

    private static ByteBuffer part(ByteBuffer whole, int from, int to) {
        return whole.slice(whole.position() + from, to - from).order(whole.order());
    }

    private static int aligned(int length) {
        return (length + 3) & ~3;
    }

    private static String text(ByteBuffer value) {
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.substring(0, Math.max(0, text.indexOf('\0') < 0 ? text.length() : text.indexOf('\0')));
    }
}
