package io.github.verbs4j.fake;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.ibv_ece;
import io.github.verbs4j.ffi.rdma_cm_event;
import io.github.verbs4j.ffi.rdma_conn_param;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Scripts the fake librdmacm: what happens there is what a test delivers. Identifiers go by the number of their creation since
 * the reset, from 1; those that requests bring count too. Functions go by their C names.
 */
public final class FakeCm {
    private static final String LIBRARY_PROPERTY = "io.github.verbs4j.librdmacm";

    private static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup(
            Path.of(System.getProperty(LIBRARY_PROPERTY)).toAbsolutePath(), Arena.global());
    private static final Map<String, MethodHandle> HANDLES = new ConcurrentHashMap<>();

    private FakeCm() {}

    /** Nothing recorded, no identifiers, no failures. */
    public static void reset() {
        call("fake_cm_reset", null);
        remoteEnhancements(0, 0);
    }

    // ---- events ----

    /** An event for an identifier. */
    public static void deliver(int id, int event, int status) {
        deliver(id, event, status, new byte[0]);
    }

    /** An event with private data for an identifier; a peer that serves 16 reads, and has 16 under way. */
    public static void deliver(int id, int event, int status, byte[] privateData) {
        deliver(id(id), event, status, privateData);
    }

    /** The same, by the pointer. */
    public static void deliver(MemorySegment id, int event, int status, byte[] privateData) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = rdma_cm_event.allocate(arena);
            rdma_cm_event.id(struct, id);
            rdma_cm_event.event(struct, event);
            rdma_cm_event.status(struct, status);
            MemorySegment connection = rdma_cm_event.param.conn(rdma_cm_event.param(struct));
            rdma_conn_param.responder_resources(connection, (byte) 16);
            rdma_conn_param.initiator_depth(connection, (byte) 16);
            deliver(struct, privateData);
        }
    }

    /** The same with a filled {@code struct rdma_cm_event}, whose private data is replaced. */
    public static void deliver(MemorySegment event, byte[] privateData) {
        try (Arena arena = Arena.ofConfined()) {
            call("fake_cm_deliver", null, event, arena.allocateFrom(JAVA_BYTE, privateData), privateData.length);
        }
    }

    // ---- failures of calls, and calls that wait ----

    /** The next call of that function fails without any effect. */
    public static void failNext(String function, int errno) {
        fail(function, errno, 0, 1);
    }

    /** After {@code skip} more calls, {@code times} calls fail; -1 for all. */
    public static void fail(String function, int errno, int skip, int times) {
        try (Arena arena = Arena.ofConfined()) {
            known((int) call("fake_cm_fail", JAVA_INT, arena.allocateFrom(function), errno, skip, times), function);
        }
    }

    /** Calls of that function wait until {@link #liftBarrier}. */
    public static void raiseBarrier(String function) {
        try (Arena arena = Arena.ofConfined()) {
            known((int) call("fake_cm_raise_barrier", JAVA_INT, arena.allocateFrom(function)), function);
        }
    }

    /** Whether a call waits at the barrier. */
    public static boolean waitsAtBarrier() {
        return (int) call("fake_cm_waits_at_barrier", JAVA_INT) > 0;
    }

    public static void liftBarrier() {
        call("fake_cm_lift_barrier", null);
    }

    /** Every peer tells these enhancements. */
    public static void remoteEnhancements(int vendorId, int options) {
        call("fake_cm_remote_ece", null, vendorId, options);
    }

    // ---- what was recorded ----

    /** The {@code ibv_ece} that was told last. */
    public static MemorySegment localEnhancements() {
        return ((MemorySegment) call("fake_cm_local_ece", ADDRESS)).reinterpret(ibv_ece.sizeof());
    }

    /** The functions that {@link #calls} counts. */
    public static List<String> functions() {
        return text("fake_cm_functions");
    }

    /** How often that function was called. */
    public static long calls(String function) {
        try (Arena arena = Arena.ofConfined()) {
            long calls = (long) call("fake_cm_calls", JAVA_LONG, arena.allocateFrom(function));
            known(calls, function);
            return calls;
        }
    }

    /** The pointer of an identifier by its number; NULL if it is destroyed. */
    public static MemorySegment id(int number) {
        return (MemorySegment) call("fake_cm_id", ADDRESS, number);
    }

    /** The number of the identifier that was made last, be it by a request. */
    public static int newest() {
        return (int) call("fake_cm_newest", JAVA_INT);
    }

    /** The identifier is no more, though nobody destroyed it. */
    public static void forget(int number) {
        call("fake_cm_forget", null, number);
    }

    /** How many identifiers there are. */
    public static int live() {
        return (int) call("fake_cm_live", JAVA_INT);
    }

    /** The {@code rdma_conn_param} of the last connect, accept or reject. */
    public static MemorySegment lastParameters() {
        return ((MemorySegment) call("fake_cm_last_param", ADDRESS)).reinterpret(rdma_conn_param.sizeof());
    }

    /** What the last connect, accept or reject sent along. */
    public static byte[] lastPrivateData() {
        MemorySegment last = lastParameters();
        int length = Byte.toUnsignedInt(rdma_conn_param.private_data_len(last));
        return rdma_conn_param.private_data(last).reinterpret(length).toArray(JAVA_BYTE);
    }

    /** The calls that succeeded, in their order: {@code rdma_connect id1}. */
    public static List<String> log() {
        return text("fake_cm_log");
    }

    /** Misuse that the real library would answer with a crash or a hang. */
    public static List<String> violations() {
        return text("fake_cm_violations");
    }

    // ---- calling ----

    private static List<String> text(String function) {
        return ((MemorySegment) call(function, ADDRESS))
                .reinterpret(Long.MAX_VALUE)
                .getString(0)
                .lines()
                .toList();
    }

    private static void known(long result, String name) {
        if (result == -1) {
            throw new IllegalArgumentException("the fake librdmacm knows no " + name);
        }
    }

    /** The native signature follows from the classes of the arguments. */
    private static Object call(String function, MemoryLayout result, Object... arguments) {
        MethodHandle handle = HANDLES.computeIfAbsent(function, name -> {
            MemoryLayout[] layouts = new MemoryLayout[arguments.length];
            for (int i = 0; i < layouts.length; i++) {
                layouts[i] = arguments[i] instanceof Integer ? JAVA_INT : ADDRESS;
            }
            FunctionDescriptor descriptor =
                    result == null ? FunctionDescriptor.ofVoid(layouts) : FunctionDescriptor.of(result, layouts);
            return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), descriptor);
        });
        try {
            return handle.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError(function, e);
        }
    }

    /** Resets the fake before each test; after it, violations and what is not closed are failures. */
    public static final class Reset implements BeforeEachCallback, AfterEachCallback {
        public Reset() {}

        @Override
        public void beforeEach(ExtensionContext context) {
            reset();
        }

        @Override
        public void afterEach(ExtensionContext context) {
            List<String> violations = violations();
            if (!violations.isEmpty()) {
                throw new AssertionError("misuse of librdmacm: " + String.join("; ", violations));
            }
            int channels = (int) call("fake_cm_channels", JAVA_INT);
            if (live() != 0 || channels != 0) {
                throw new AssertionError("not closed: " + live() + " identifiers and " + channels + " channels, log: "
                        + String.join("; ", log()));
            }
        }
    }
}
