package io.github.verbs4j;

import static io.github.verbs4j.Allocation.assertAllocatesNothing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.RemoteRegion;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every public method of the work objects, one by one: a new one without an entry here fails. */
class EachOperationAllocatesNothingTest extends FakeDevice {
    /** What belongs to the control path, or to failures. */
    private static final Set<String> COLD = Set.of("close", "toString", "isOpen", "failure", "bindNow");

    private SendQueue sends;
    private DatagramSendQueue datagrams;
    private ReceiveQueue receives;
    private Completions completions;
    private RemoteRegion remote;
    /** Keeps results from being optimised away. */
    private long sink;

    private Object kept;

    private final Map<String, Runnable> ofSends = new HashMap<>();
    private final Map<String, Runnable> ofDatagrams = new HashMap<>();
    private final Map<String, Runnable> ofReceives = new HashMap<>();
    private final Map<String, Runnable> ofCompletions = new HashMap<>();

    @BeforeEach
    void connect() {
        RcQueuePair queuePair = queuePair(options().depth(16, 16).segments(2, 2));
        connected(queuePair);
        sends = sends(queuePair);
        receives = receives(queuePair);
        completions = completions();
        remote = memory.remote();
        listSends();
        listDatagrams();
        listReceives();
        listCompletions();
    }

    private void onSends(String name, Runnable staging) {
        ofSends.put(name, () -> {
            staging.run();
            sends.discard();
        });
    }

    private void listSends() {
        onSends("send", () -> sends.send(1, memory, 0, 8));
        onSends("sendImmediate", () -> sends.sendImmediate(1, memory, 0, 8, 7));
        onSends("write", () -> sends.write(1, memory, 0, 8, remote, 8));
        onSends("writeImmediate", () -> sends.writeImmediate(1, memory, 0, 8, remote, 8, 7));
        onSends("read", () -> sends.read(1, memory, 0, 8, remote, 8));
        onSends("compareAndSwap", () -> sends.compareAndSwap(1, memory, 0, remote, 8, 1, 2));
        onSends("fetchAndAdd", () -> sends.fetchAndAdd(1, memory, 0, remote, 8, 1));
        onSends("sendInvalidate", () -> sends.sendInvalidate(1, memory, 0, 8, remote.key()));
        onSends("invalidate", () -> sends.invalidate(1, remote.key()));
        MemoryRegion bindable = keep(domain.allocate(64, AccessFlag.MEMORY_WINDOW_BIND));
        MemoryWindow window = keep(domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
        Set<AccessFlag> access = Set.of(AccessFlag.REMOTE_READ);
        onSends("bind", () -> sends.bind(1, window, bindable, 8, 8, access));
        onSends("and", () -> sends.write(1, memory, 0, 8, remote, 8).and(memory, 16, 8));
        onSends("signaled", () -> sends.send(1, memory, 0, 8).signaled());
        onSends("solicited", () -> sends.send(1, memory, 0, 8).solicited());
        onSends("fence", () -> sends.send(1, memory, 0, 8).fence());
        onSends("inline", () -> sends.send(1, memory, 0, 8).inline());
        onSends("staged", () -> sink += sends.staged());
        onSends("available", () -> sink += sends.available());
        onSends("discard", () -> sends.discard());
        ofSends.put("post", () -> {
            sends.write(1, memory, 0, 8, remote, 8).signaled();
            sink += sends.post();
            sink += completions.poll();
        });
        ofSends.put("release", this::handOverSends);
        ofSends.put("acquire", this::handOverSends);
    }

    private void handOverSends() {
        sends.release();
        sends.acquire();
    }

    private void onDatagrams(String name, Runnable staging) {
        ofDatagrams.put(name, () -> {
            staging.run();
            datagrams.discard();
        });
    }

    private void listDatagrams() {
        UdQueuePair queuePair = keep(domain.createUd(options()));
        DatagramPeer peer =
                new DatagramPeer(keep(queuePair.createAddressHandle(queuePair.initialize(gid(), 1))), 99, 1);
        queuePair.activate();
        datagrams = keep(DatagramSendQueue.over(queuePair));
        onDatagrams("send", () -> datagrams.send(1, memory, 0, 8, peer));
        onDatagrams("sendImmediate", () -> datagrams.sendImmediate(1, memory, 0, 8, peer, 7));
        onDatagrams("and", () -> datagrams.send(1, memory, 0, 8, peer).and(memory, 16, 8));
        onDatagrams("signaled", () -> datagrams.send(1, memory, 0, 8, peer).signaled());
        onDatagrams("solicited", () -> datagrams.send(1, memory, 0, 8, peer).solicited());
        onDatagrams("inline", () -> datagrams.send(1, memory, 0, 8, peer).inline());
        onDatagrams("staged", () -> sink += datagrams.staged());
        onDatagrams("available", () -> sink += datagrams.available());
        onDatagrams("discard", () -> datagrams.discard());
        ofDatagrams.put("post", () -> {
            datagrams.send(1, memory, 0, 8, peer).signaled();
            sink += datagrams.post();
            sink += completions.poll();
        });
        ofDatagrams.put("release", this::handOverDatagrams);
        ofDatagrams.put("acquire", this::handOverDatagrams);
    }

    private void handOverDatagrams() {
        datagrams.release();
        datagrams.acquire();
    }

    private void onReceives(String name, Runnable staging) {
        ofReceives.put(name, () -> {
            staging.run();
            receives.discard();
        });
    }

    private void listReceives() {
        onReceives("receive", () -> receives.receive(1, memory, 0, 8));
        onReceives("and", () -> receives.receive(1, memory, 0, 8).and(memory, 16, 8));
        onReceives("staged", () -> sink += receives.staged());
        onReceives("available", () -> sink += receives.available());
        onReceives("discard", () -> receives.discard());
        ofReceives.put("post", this::message);
        ofReceives.put("release", this::handOverReceives);
        ofReceives.put("acquire", this::handOverReceives);
    }

    private void handOverReceives() {
        receives.release();
        receives.acquire();
    }

    /** A message to ourselves; both of its completions are polled, the receive's is the first. */
    private void message() {
        deliver(sends.sendImmediate(2, memory, 0, 8, 42));
    }

    private void invalidation() {
        deliver(sends.sendInvalidate(2, memory, 0, 8, remote.key()));
    }

    private void deliver(SendQueue staged) {
        receives.receive(1, memory, 64, 8);
        sink += receives.post();
        sink += staged.signaled().post();
        assertEquals(2, completions.poll());
        completions.next();
        if (!completions.isReceive()) {
            completions.next();
        }
    }

    private void onCompletions(String name, Runnable reading) {
        ofCompletions.put(name, () -> {
            message();
            reading.run();
        });
    }

    private void listCompletions() {
        onCompletions("id", () -> sink += completions.id());
        onCompletions("isSuccess", () -> sink += completions.isSuccess() ? 1 : 0);
        onCompletions("status", () -> sink += completions.status().ordinal());
        onCompletions("statusCode", () -> sink += completions.statusCode());
        onCompletions("vendorError", () -> sink += completions.vendorError());
        onCompletions("queuePairNumber", () -> sink += completions.queuePairNumber());
        onCompletions("opcode", () -> sink += completions.opcode().ordinal());
        onCompletions("isReceive", () -> sink += completions.isReceive() ? 1 : 0);
        onCompletions("byteLength", () -> sink += completions.byteLength());
        onCompletions("hasImmediate", () -> sink += completions.hasImmediate() ? 1 : 0);
        onCompletions("immediate", () -> sink += completions.immediate());
        onCompletions("hasInvalidatedKey", () -> sink += completions.hasInvalidatedKey() ? 1 : 0);
        ofCompletions.put("invalidatedKey", () -> {
            invalidation();
            sink += completions.invalidatedKey();
        });
        onCompletions("sourceQueuePairNumber", () -> sink += completions.sourceQueuePairNumber());
        onCompletions("hasRoutingHeader", () -> sink += completions.hasRoutingHeader() ? 1 : 0);
        onCompletions("requireSuccess", () -> completions.requireSuccess());
        onCompletions("next", () -> sink += completions.next() ? 1 : 0);
        ofCompletions.put("poll", () -> sink += completions.poll());
        ofCompletions.put("await", this::await);
        ofCompletions.put("release", this::handOverCompletions);
        ofCompletions.put("acquire", this::handOverCompletions);
    }

    private void await() {
        try {
            sink += completions.await(WaitStrategy.SPIN, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void handOverCompletions() {
        completions.release();
        completions.acquire();
    }

    static Stream<String> operations() {
        return Stream.of(SendQueue.class, DatagramSendQueue.class, ReceiveQueue.class, Completions.class)
                .flatMap(type -> PublicMethods.of(type, COLD).stream()
                        .map(Method::getName)
                        .distinct()
                        .map(name -> type.getSimpleName() + "." + name));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void shouldAllocateNothing(String operation) {
        String[] names = operation.split("\\.");
        Map<String, Runnable> rounds = switch (names[0]) {
            case "SendQueue" -> ofSends;
            case "DatagramSendQueue" -> ofDatagrams;
            case "ReceiveQueue" -> ofReceives;
            default -> ofCompletions;
        };
        Runnable round = rounds.get(names[1]);
        assertNotNull(round, operation + " has no entry in this test");
        assertAllocatesNothing(round);
    }

    @Test
    void shouldSeeAnAllocation() {
        assertEquals(20_000L * 1016, Allocation.of(20_000, () -> kept = new byte[1000]), 20_000L * 16);
    }

    @Test
    void shouldMeasureWithoutAllocating() {
        assertAllocatesNothing(() -> {});
    }
}
