package io.github.verbs4j.fake;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Scripts the fake libibverbs and reads back what it recorded. The library is the one which the product loads, so its
 * path comes from the product's override property. Functions go by their C names; those reached through the operations
 * of the context too ({@code ibv_post_send}), except {@code query_port} and {@code query_device_ex}, whose exported
 * namesakes are calls of their own.
 */
public final class FakeVerbs {
    public static final String LIBRARY_PROPERTY = "io.github.verbs4j.libibverbs";

    /** The kinds of objects counted by {@link #live} and found by {@link #handle}. */
    public static final List<String> KINDS =
            List.of("list", "context", "pd", "mr", "channel", "cq", "srq", "ah", "qp", "mw");

    /** For a number of times: always. */
    public static final int FOREVER = -1;

    public static final int EBUSY = 16;
    public static final int EINVAL = 22;
    public static final int ENOMEM = 12;

    private static final int SENDS = 0;
    private static final int RECEIVES = 1;
    private static final int MODIFICATIONS = 2;

    private static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup(libraryPath(), Arena.global());
    private static final Map<String, MethodHandle> HANDLES = new ConcurrentHashMap<>();

    private FakeVerbs() {}

    private static Path libraryPath() {
        String path = System.getProperty(LIBRARY_PROPERTY);
        if (path == null) {
            throw new IllegalStateException("set -D" + LIBRARY_PROPERTY + "=<path of the fake libibverbs.so.1>");
        }
        return Path.of(path).toAbsolutePath();
    }

    // ---- the world ----

    /** Back to one well-behaved device, nothing recorded; objects of before are dead. */
    public static void reset() {
        call("fake_reset", null);
    }

    /** How many devices there are: 0, 1 (fake0) or 2 (and fake1). */
    public static void devices(int count) {
        set("devices", count);
    }

    /**
     * Changes a number that a device reports, by its C name: {@code max_qp_wr}, or {@code port.active_mtu} for one of
     * the port. Limits are enforced as reported.
     */
    public static void deviceNumber(int device, String name, long value) {
        try (Arena arena = Arena.ofConfined()) {
            int result = (int) call("fake_set_device_number", JAVA_INT, device, arena.allocateFrom(name), value);
            known(result, name);
        }
    }

    /** What a device reports beyond {@code ibv_device_attr}: an {@code ibv_device_attr_ex} whose first member is ignored. */
    public static void extended(int device, MemorySegment attributes) {
        call("fake_set_extended", null, device, attributes);
    }

    /** Fills an entry of the GID table; {@code type} is 1 for RoCE v1, 2 for RoCE v2. */
    public static void gid(int device, int index, byte[] raw, int type) {
        try (Arena arena = Arena.ofConfined()) {
            call("fake_set_gid", null, device, index, arena.allocateFrom(ValueLayout.JAVA_BYTE, raw), type, 2);
        }
    }

    public static void removeGid(int device, int index) {
        try (Arena arena = Arena.ofConfined()) {
            call("fake_set_gid", null, device, index, arena.allocate(16), 0, 0);
        }
    }

    /** The next queue pair gets that number, as when a device uses the number of a destroyed one again. */
    public static void nextQueuePairNumber(int number) {
        set("next_qp_number", number);
    }

    /** What {@code ibv_is_fork_initialized} says: 0 disabled, 1 enabled, 2 unneeded. */
    public static void forkStatus(int status) {
        set("fork_status", status);
    }

    /** Queue pairs can be enhanced, with these options to begin with. */
    public static void enhancements(int vendorId, int options) {
        set("ece.vendor_id", vendorId);
        set("ece.options", options);
    }

    // ---- failures of calls ----

    /** The next call of that function fails, in the way of its error convention, without any effect. */
    public static void failNext(String function, int errno) {
        fail(function, errno, 0, 1);
    }

    public static void failNext(String function, int errno, int skip) {
        fail(function, errno, skip, 1);
    }

    /** After {@code skip} more calls, {@code times} calls fail; replaces what was asked for that function before. */
    public static void fail(String function, int errno, int skip, int times) {
        try (Arena arena = Arena.ofConfined()) {
            known((int) call("fake_fail", JAVA_INT, arena.allocateFrom(function), errno, skip, times), function);
        }
    }

    /** The next call of that function waits in the kernel, before it does anything, until {@link #liftBarrier}. */
    public static void raiseBarrier(String function) {
        try (Arena arena = Arena.ofConfined()) {
            known((int) call("fake_raise_barrier", JAVA_INT, arena.allocateFrom(function)), function);
        }
    }

    /** Whether a call waits at the barrier now. */
    public static boolean waitsAtBarrier() {
        return (int) call("fake_waits_at_barrier", JAVA_INT) != 0;
    }

    /** Lets the call at the barrier go on. */
    public static void liftBarrier() {
        call("fake_lift_barrier", null);
    }

    /** The next object returned has a wrong value there: for example {@code mr.addr}, {@code context.abi_compat}. */
    public static void corrupt(String field) {
        try (Arena arena = Arena.ofConfined()) {
            call("fake_corrupt", null, arena.allocateFrom(field));
        }
    }

    /** Whether the corruption asked for is still to come: a misspelt field never happens. */
    public static boolean corruptionPending() {
        return (int) call("fake_corruption_pending", JAVA_INT) != 0;
    }

    /** Contexts opened from now on have NULL in place of that operation ({@code query_port}, {@code poll_cq}...). */
    public static void removeOperation(String name) {
        try (Arena arena = Arena.ofConfined()) {
            known((int) call("fake_remove_op", JAVA_INT, arena.allocateFrom(name)), name);
        }
    }

    /** The {@code sz} of a {@code verbs_context} opened from now on; 648 on x86-64. */
    public static void contextSize(long bytes) {
        set("context_size", bytes);
    }

    // ---- granted capacities ----

    /** Queue pairs, shared receive queues and completion queues get so much more than asked (less, if negative). */
    public static void grantMore(int sendWr, int recvWr, int sge, int inlineBytes, int cqe) {
        call("fake_grant_more", null, sendWr, recvWr, sge, inlineBytes, cqe);
    }

    /** Capacities are rounded up to a power of two. */
    public static void roundUpGrants() {
        set("round_up", 1);
    }

    // ---- posting ----

    /**
     * So many more send work requests are taken, over however many calls; then one post stops there with that error,
     * {@code bad_wr} naming the one refused or left as it was.
     */
    public static void acceptOnly(int accepted, int errno, boolean nameBadWr) {
        acceptOnly(accepted, errno, nameBadWr, 1);
    }

    /** The same, {@code times} posts being refused after that. */
    public static void acceptOnly(int accepted, int errno, boolean nameBadWr, int times) {
        call("fake_refuse", null, 0, accepted, errno, nameBadWr ? 0 : 1, times);
    }

    /** {@link #acceptOnly(int, int, boolean)} for receives, shared or not. */
    public static void acceptOnlyReceives(int accepted, int errno, boolean nameBadWr) {
        call("fake_refuse", null, 1, accepted, errno, nameBadWr ? 0 : 1, 1);
    }

    /** From now on no send is taken, as if the queue were full; {@link #acceptAll} ends it. */
    public static void sendQueueFull() {
        acceptOnly(0, ENOMEM, true, FOREVER);
    }

    public static void acceptAll() {
        acceptOnly(0, 0, true, 0);
        call("fake_refuse", null, 1, 0, 0, 0, 0);
    }

    /** A send slot is free once its work is done, as on rxe, not only once a later completion is polled. */
    public static void freeSlotsEarly() {
        set("early_slots", 1);
    }

    // ---- completions ----

    /** Sends are queued but not carried out until {@link #release} or {@link #resume}. */
    public static void holdCompletions() {
        call("fake_hold", null);
    }

    /** Carries out the next held sends in the order of posting, of all queue pairs; tells how many there were. */
    public static int release(int count) {
        return (int) call("fake_release", JAVA_INT, count);
    }

    /** Carries out all held sends and holds no longer. */
    public static int resume() {
        return (int) call("fake_resume", JAVA_INT);
    }

    /** The next send fails with that status: nothing is transferred, the queue pair goes to the error state. */
    public static void failNextSend(int status) {
        completeSendsWith(status, 0x77, 0, 1);
    }

    public static void completeSendsWith(int status, int vendorError, int skip, int count) {
        call("fake_complete_with", null, 0, status, vendorError, skip, count);
    }

    /** The next receive that a message reaches fails with that status; the sender does not notice. */
    public static void failNextReceive(int status) {
        completeReceivesWith(status, 0x77, 0, 1);
    }

    public static void completeReceivesWith(int status, int vendorError, int skip, int count) {
        call("fake_complete_with", null, 1, status, vendorError, skip, count);
    }

    /** A failed send of an unreliable queue pair leads it to SQE, where receives go on, and not to ERR. */
    public static void sendsFailIntoSqe() {
        set("sends_fail_into_sqe", 1);
    }

    /** Sends of a connected queue pair whose peer is not in this fake succeed, with no effect, instead of timing out. */
    public static void absentPeersSucceed() {
        set("absent_peers_succeed", 1);
    }

    public static void pushCompletion(MemorySegment cq, FakeCompletion completion) {
        try (Arena arena = Arena.ofConfined()) {
            call("fake_push_completion", null, cq, completion.toNative(arena));
        }
    }

    /** The same with a filled {@code struct ibv_wc}. */
    public static void pushCompletion(MemorySegment cq, MemorySegment wc) {
        call("fake_push_completion", null, cq, wc);
    }

    /** So many polls find nothing, whatever is there. */
    public static void delayPolls(int polls) {
        call("fake_delay_polls", null, polls);
    }

    /** The next poll returns this and writes nothing: negative, or more than was asked. */
    public static void nextPollReturns(int result) {
        call("fake_next_poll_returns", null, result);
    }

    /** Extended completion queues may have these bits of {@code wc_flags}; the standard ones, unless told. */
    public static void allowCompletionFields(int mask) {
        set("wc_flags", mask);
    }

    /** Extended completion queues have no reader for these bits, though they accept them. */
    public static void leaveReadersOut(int mask) {
        set("missing_reader", mask);
    }

    // ---- events ----

    /** Completion queues no longer write to their channel. */
    public static void swallowNotifications() {
        set("swallow_notify", 1);
    }

    /** Raises an asynchronous event; the element is a handle, or for an event of a port its number as an address. */
    public static void raiseEvent(MemorySegment context, int type, MemorySegment element) {
        int errno = (int) call("fake_raise_event", JAVA_INT, context, type, element);
        if (errno != 0) {
            throw new IllegalStateException("errno " + errno);
        }
    }

    // ---- what was recorded since the reset; of each list the last 1024 ----

    /** The functions that {@link #calls} counts. */
    public static List<String> functions() {
        return text("fake_functions");
    }

    /** How often that function was called. */
    public static long calls(String function) {
        try (Arena arena = Arena.ofConfined()) {
            long calls = (long) call("fake_calls", JAVA_LONG, arena.allocateFrom(function));
            known(calls, function);
            return calls;
        }
    }

    /** Send work requests taken, oldest first. */
    public static List<PostedSend> postedSends() {
        return records(SENDS).stream()
                .map(address -> {
                    MemorySegment record = address.reinterpret(656 + 1024);
                    byte[] inlined =
                            record.asSlice(656, record.get(JAVA_INT, 8)).toArray(ValueLayout.JAVA_BYTE);
                    return new PostedSend(
                            record.get(JAVA_INT, 0),
                            copy(record.asSlice(16, 128)),
                            elements(record.asSlice(144), record.get(JAVA_INT, 4)),
                            inlined);
                })
                .toList();
    }

    /** How many send work requests were taken, also beyond those kept. */
    public static long postedSendCount() {
        return (long) call("fake_record_count", JAVA_LONG, SENDS);
    }

    public static List<PostedReceive> postedReceives() {
        return records(RECEIVES).stream()
                .map(address -> {
                    MemorySegment record = address.reinterpret(40 + 512);
                    return new PostedReceive(
                            record.get(JAVA_INT, 0),
                            record.get(JAVA_LONG, 8),
                            elements(record.asSlice(40), record.get(JAVA_INT, 4)));
                })
                .toList();
    }

    /** Calls of {@code ibv_modify_qp}, refused ones too. */
    public static List<Modification> modifications() {
        return records(MODIFICATIONS).stream()
                .map(address -> {
                    MemorySegment record = address.reinterpret(8 + 144);
                    return new Modification(
                            record.get(JAVA_INT, 0), record.get(JAVA_INT, 4), copy(record.asSlice(8, 144)));
                })
                .toList();
    }

    /** The 64 bytes of the last {@code ibv_qp_init_attr} as it was passed in. */
    public static MemorySegment lastQueuePairInit() {
        return copy(((MemorySegment) call("fake_last_qp_init", ADDRESS)).reinterpret(64));
    }

    public static Registration lastRegistration() {
        MemorySegment last = ((MemorySegment) call("fake_last_registration", ADDRESS)).reinterpret(32);
        return new Registration(
                last.get(JAVA_LONG, 0), last.get(JAVA_LONG, 8), last.get(JAVA_LONG, 16), (int) last.get(JAVA_LONG, 24));
    }

    /** The control calls in their order: {@code ibv_alloc_pd context1 -> pd1}, {@code ibv_dealloc_pd pd1 -> EBUSY}. */
    public static List<String> log() {
        return text("fake_log");
    }

    /** The lines of the log that begin with that text. */
    public static List<String> log(String prefix) {
        return log().stream().filter(line -> line.startsWith(prefix)).toList();
    }

    /** Forgets log, counts of calls, posted work and modifications, but not the script and not the violations. */
    public static void clearRecords() {
        call("fake_clear_records", null);
    }

    /** Misuse that a real library would answer with a crash, a hang or EBUSY. */
    public static List<String> violations() {
        return text("fake_violations");
    }

    /** The violations, which then no longer fail the test. */
    public static List<String> takeViolations() {
        List<String> violations = violations();
        call("fake_clear_violations", null);
        return violations;
    }

    /** How many objects of that kind there are. */
    public static int live(String kind) {
        try (Arena arena = Arena.ofConfined()) {
            int live = (int) call("fake_live", JAVA_INT, arena.allocateFrom(kind));
            known(live, kind);
            return live;
        }
    }

    /** The kinds of which there are objects. */
    public static Map<String, Integer> liveObjects() {
        Map<String, Integer> live = new LinkedHashMap<>();
        for (String kind : KINDS) {
            int count = live(kind);
            if (count > 0) {
                live.put(kind, count);
            }
        }
        return live;
    }

    /** The handle of a live object by its name in the log: {@code handle("cq", 1)}; NULL if there is none. */
    public static MemorySegment handle(String kind, int id) {
        try (Arena arena = Arena.ofConfined()) {
            return (MemorySegment) call("fake_handle", ADDRESS, arena.allocateFrom(kind), id);
        }
    }

    // ---- calling ----

    private static List<MemorySegment> records(int list) {
        long count = (long) call("fake_record_count", JAVA_LONG, list);
        List<MemorySegment> records = new ArrayList<>();
        for (long i = Math.max(0, count - 1024); i < count; i++) {
            records.add((MemorySegment) call("fake_record", ADDRESS, list, i));
        }
        return records;
    }

    private static List<Sge> elements(MemorySegment array, int count) {
        List<Sge> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = 16L * i;
            elements.add(new Sge(
                    array.get(ValueLayout.JAVA_LONG_UNALIGNED, at),
                    array.get(ValueLayout.JAVA_INT_UNALIGNED, at + 8),
                    array.get(ValueLayout.JAVA_INT_UNALIGNED, at + 12)));
        }
        return List.copyOf(elements);
    }

    private static MemorySegment copy(MemorySegment segment) {
        return MemorySegment.ofArray(segment.toArray(ValueLayout.JAVA_BYTE));
    }

    private static List<String> text(String function) {
        MemorySegment text = ((MemorySegment) call(function, ADDRESS)).reinterpret(Long.MAX_VALUE);
        return text.getString(0).lines().toList();
    }

    private static void set(String name, long value) {
        try (Arena arena = Arena.ofConfined()) {
            known((int) call("fake_set", JAVA_INT, arena.allocateFrom(name), value), name);
        }
    }

    private static void known(long result, String name) {
        if (result == -1) {
            throw new IllegalArgumentException("the fake libibverbs knows no " + name);
        }
    }

    /** The native signature follows from the classes of the arguments, so each call site states it once. */
    private static Object call(String function, MemoryLayout result, Object... arguments) {
        MethodHandle handle = HANDLES.computeIfAbsent(function, name -> {
            MemoryLayout[] layouts = new MemoryLayout[arguments.length];
            for (int i = 0; i < layouts.length; i++) {
                layouts[i] =
                        arguments[i] instanceof Integer ? JAVA_INT : arguments[i] instanceof Long ? JAVA_LONG : ADDRESS;
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

    /** The test may end with live objects. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    public @interface AllowLeaks {}

    /** Resets the fake before each test; after it, violations not taken and objects not closed are failures. */
    public static final class Reset implements BeforeEachCallback, AfterEachCallback {
        public Reset() {}

        @Override
        public void beforeEach(ExtensionContext context) {
            reset();
        }

        @Override
        public void afterEach(ExtensionContext context) {
            List<String> violations = takeViolations();
            Map<String, Integer> live = liveObjects();
            if (!violations.isEmpty()) {
                throw new AssertionError("misuse of libibverbs: " + String.join("; ", violations));
            }
            boolean allowed = context.getRequiredTestMethod().isAnnotationPresent(AllowLeaks.class);
            for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getEnclosingClass()) {
                allowed |= type.isAnnotationPresent(AllowLeaks.class);
            }
            if (!live.isEmpty() && !allowed) {
                throw new AssertionError("not closed: " + live + ", log: " + String.join("; ", log()));
            }
        }
    }
}
