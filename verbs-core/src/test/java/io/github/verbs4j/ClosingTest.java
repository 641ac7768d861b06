package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClosingTest extends FakeDevice {
    private RcQueuePair queuePair;
    private SendQueue sends;
    private ReceiveQueue receives;
    private Completions completions;

    @BeforeEach
    void openAll() {
        queuePair = queuePair();
        sends = sends(queuePair);
        receives = receives(queuePair);
        completions = completions();
    }

    private static void assertBusy(AutoCloseable object, String children) {
        assertEquals(
                object + " cannot be closed: still open on it: " + children + "; close what was opened last first",
                assertThrows(IllegalStateException.class, object::close).getMessage());
    }

    @Test
    void shouldRefuseToCloseWhatIsInUseAndNameTheUsers() {
        assertBusy(context, "ProtectionDomain 1 of fake0, CompletionQueue 1 (1024 entries) of fake0");
        assertBusy(domain, "MemoryRegion 1 (4096 bytes) of fake0, RcQueuePair 17 of fake0");
        assertBusy(queue, "RcQueuePair 17 of fake0, Completions of CompletionQueue 1 (1024 entries) of fake0");
        assertBusy(queuePair, "SendQueue of RcQueuePair 17 of fake0, ReceiveQueue of RcQueuePair 17 of fake0");
        for (String destroyer : List.of("ibv_close_device", "ibv_dealloc_pd", "ibv_destroy_cq", "ibv_destroy_qp")) {
            assertEquals(0, FakeVerbs.calls(destroyer), "C was not asked");
        }
        assertTrue(context.isOpen() && domain.isOpen() && queue.isOpen() && queuePair.isOpen());
    }

    @Test
    void shouldCloseInReverseOrderOnce() {
        FakeVerbs.clearRecords();
        for (int round = 0; round < 3; round++) {
            completions.close();
            receives.close();
            sends.close();
            queuePair.close();
            memory.close();
            queue.close();
            domain.close();
            context.close();
        }

        assertEquals(
                List.of(
                        "ibv_destroy_qp qp1",
                        "ibv_dereg_mr mr1",
                        "ibv_destroy_cq cq1",
                        "ibv_dealloc_pd pd1",
                        "ibv_destroy_comp_channel channel1",
                        "ibv_close_device context1"),
                FakeVerbs.log());
        assertFalse(sends.isOpen()
                || receives.isOpen()
                || completions.isOpen()
                || queuePair.isOpen()
                || memory.isOpen()
                || queue.isOpen()
                || domain.isOpen()
                || context.isOpen());
    }

    @Test
    void shouldStayOpenWhenTheDeviceRefuses() {
        completions.close();
        receives.close();
        sends.close();
        assertRefused("ibv_destroy_qp", queuePair, "queue pair", queuePair.toString());
        assertRefused("ibv_dereg_mr", memory, "region", memory.toString());
        assertRefused("ibv_destroy_cq", queue, "queue", queue.toString());
        assertRefused("ibv_dealloc_pd", domain, null, null);
        assertRefused("ibv_close_device", context, null, null);
    }

    /** A pointer of C to what is gone would be used after it was freed. */
    @Test
    void shouldNotGiveTheHandleOfWhatIsClosed() throws Exception {
        List<Resource> open = List.of(
                context,
                domain,
                memory,
                queue,
                queuePair,
                keep(domain.createSharedReceiveQueue(16, 1)),
                keep(domain.createAddressHandle(new AddressVector(gid().gid(), 0, 1, gid().index(), 0, 64, 0, 0))),
                keep(domain.allocateMemoryWindow(MemoryWindowType.TYPE_2)));
        for (Resource one : open) {
            assertTrue(((MemorySegment) one.getClass().getMethod("handle").invoke(one)).address() != 0, one::toString);
        }
        close();
        for (Resource one : open) {
            Throwable thrown = assertThrows(
                            InvocationTargetException.class,
                            () -> one.getClass().getMethod("handle").invoke(one))
                    .getCause();
            assertEquals("handle: " + one + " is closed", thrown.getMessage());
        }
        Set<Class<?>> tried = open.stream().map(Object::getClass).collect(Collectors.toSet());
        for (Class<?> kind : Resource.class.getPermittedSubclasses()) {
            boolean has = Stream.of(kind.getMethods())
                    .anyMatch(method -> method.getName().equals("handle"));
            assertTrue(!has || tried.stream().anyMatch(kind::isAssignableFrom), kind::toString);
        }
    }

    /** Refused twice, then closed. */
    private static void assertRefused(String destroyer, AutoCloseable object, String argument, String value) {
        FakeVerbs.fail(destroyer, FakeVerbs.EBUSY, 0, 2);
        for (int round = 0; round < 2; round++) {
            VerbsException thrown = assertThrows(VerbsException.class, object::close);
            assertEquals(destroyer, thrown.operation());
            assertEquals("fake0", thrown.device().orElseThrow());
            assertTrue(thrown.is(new Errno(FakeVerbs.EBUSY)));
            if (argument != null) {
                assertEquals(value, thrown.arguments().get(argument));
            }
            assertTrue(isOpen(object), "it stays open");
        }
        try {
            object.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        assertFalse(isOpen(object));
    }

    private static boolean isOpen(AutoCloseable object) {
        return switch (object) {
            case DeviceContext open -> open.isOpen();
            case ProtectionDomain open -> open.isOpen();
            case CompletionQueue open -> open.isOpen();
            case MemoryRegion open -> open.isOpen();
            case QueuePair open -> open.isOpen();
            default -> throw new AssertionError(object);
        };
    }

    @Test
    void shouldStillWorkAfterARefusedClose() {
        sends.close();
        receives.close();
        FakeVerbs.failNext("ibv_destroy_qp", FakeVerbs.EBUSY);
        assertThrows(VerbsException.class, queuePair::close);

        connected(queuePair);
        SendQueue again = sends(queuePair);
        again.write(1, memory, 0, 8, memory.remote(), 100).signaled();
        assertEquals(1, again.post());
        assertEquals(1, completions.poll());
        assertTrue(completions.next() && completions.isSuccess());
    }

    @Test
    void shouldMakeAnotherWorkObjectOnceTheFirstIsClosed() {
        sends.close();
        receives.close();
        completions.close();

        assertEquals(8, sends(queuePair).available());
        assertEquals(8, receives(queuePair).available());
        assertEquals(0, completions().poll());
    }

    @Test
    void shouldLeaveThePresentOneAloneWhenAnOldOneIsClosedAgain() {
        sends.close();
        SendQueue second = sends(queuePair);
        sends.close();

        assertTrue(second.isOpen());
        assertThrows(IllegalStateException.class, () -> SendQueue.over(queuePair));
    }
}
