package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedSend;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Windows of both types: what C gets, who stays open, and what is refused before. */
class MemoryWindowTest extends FakeDevice {
    private static final int EOPNOTSUPP = 95;
    private static final Set<AccessFlag> WRITE = Set.of(AccessFlag.REMOTE_WRITE);
    private static final int WRITE_AND_READ = 0b110;

    private RcQueuePair queuePair;
    private SendQueue sends;
    private Completions completions;
    private MemoryRegion region;
    private MemoryWindow window;

    @BeforeEach
    void connect() {
        queuePair = connected();
        sends = sends(queuePair);
        completions = completions();
        region = keep(domain.allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));
        window = keep(domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
    }

    private MemoryWindow typeOne() {
        return keep(domain.allocateMemoryWindow(MemoryWindowType.TYPE_1));
    }

    private void run(SendQueue staged, WorkOpcode... expected) {
        staged.signaled().post();
        requireDone(expected);
    }

    private void requireDone(WorkOpcode... expected) {
        assertEquals(expected.length, completions.poll());
        for (WorkOpcode opcode : expected) {
            completions.next();
            completions.requireSuccess();
            assertEquals(opcode, completions.opcode());
        }
    }

    private static String refused(Class<? extends Throwable> type, Executable use) {
        return assertThrows(type, use).getMessage();
    }

    // ---- type 2 ----

    @Test
    void shouldStageABind() {
        sends.sendImmediate(1, memory, 0, 8, -1).discard();
        sends.bind(7, window, region, 512, 1024, Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
        assertEquals(1, sends.post());
        PostedSend posted = FakeVerbs.postedSends().getLast();

        assertEquals(7, posted.wrId());
        assertEquals(8, posted.opcode());
        assertEquals(0, posted.immediate(), "providers refuse a bind with more");
        assertEquals(List.of(), posted.elements());
        assertEquals(window.handle().address(), posted.window());
        assertEquals(region.handle().address(), posted.boundRegion());
        assertEquals(region.address() + 512, posted.boundAddress());
        assertEquals(1024, posted.boundLength());
        assertEquals(WRITE_AND_READ, posted.windowAccess());
        assertEquals(window.remote().key().value(), posted.windowKey());
    }

    @Test
    void shouldKnowWhatItOpensAtOnce() {
        sends.bind(1, window, region, 512, 1024, WRITE);
        RemoteRegion opened = window.remote();

        assertEquals(region.address() + 512, opened.address());
        assertEquals(1024, opened.length());
        sends.discard();
    }

    @Test
    void shouldCountAddressesFromZeroWhenAsked() {
        sends.bind(1, window, region, 512, 1024, Set.of(AccessFlag.REMOTE_READ, AccessFlag.ZERO_BASED));
        assertEquals(0, window.remote().address());
        sends.post();

        PostedSend posted = FakeVerbs.postedSends().getLast();
        assertEquals(region.address() + 512, posted.boundAddress(), "the device still gets the whole address");
        assertEquals(0b100100, posted.windowAccess());
    }

    @Test
    void shouldBeBoundAgainOnceItsKeyIsTakenBack() {
        for (int round = 0; round < 5; round++) {
            run(sends.bind(1, window, region, round, 8, WRITE), WorkOpcode.BIND_MEMORY_WINDOW);
            int key = window.remote().key().value();
            assertEquals(0x100 | (round + 0xff & 0xff), key, "the low byte counts, around 0");
            run(sends.invalidate(2, window.remote().key()), WorkOpcode.LOCAL_INVALIDATE);
        }
    }

    @Test
    void shouldFailWhenItIsBoundAlready() {
        run(sends.bind(1, window, region, 0, 8, WRITE), WorkOpcode.BIND_MEMORY_WINDOW);
        sends.bind(2, window, region, 0, 8, WRITE).post();

        assertEquals(1, completions.poll());
        completions.next();
        assertTrue(completions.failure().getMessage().contains("IBV_WC_MW_BIND_ERR"));
    }

    // ---- who stays open ----

    @Test
    void shouldKeepWindowAndRegionOpenWhileABindIsStaged() {
        sends.bind(1, window, region, 0, 8, WRITE);

        assertTrue(refused(IllegalStateException.class, region::close).contains("still open on it: " + window));
        assertTrue(refused(IllegalStateException.class, window::close).contains("still open on it: " + sends));
        assertEquals(
                window + " has a bind staged in " + sends + ": post() or discard() it first",
                refused(IllegalStateException.class, () -> sends.bind(2, window, region, 0, 8, WRITE)));
        assertEquals(1, sends.staged());
        sends.post();
        window.close();
        region.close();
    }

    @Test
    void shouldForgetADiscardedBind() {
        run(sends.bind(1, window, region, 0, 8, WRITE), WorkOpcode.BIND_MEMORY_WINDOW);
        RemoteRegion before = window.remote();
        run(sends.invalidate(2, before.key()), WorkOpcode.LOCAL_INVALIDATE);
        sends.bind(3, window, region, 100, 100, WRITE);
        assertNotEquals(before, window.remote());
        sends.discard();

        assertEquals(before, window.remote());
        run(sends.bind(4, window, region, 0, 8, WRITE), WorkOpcode.BIND_MEMORY_WINDOW);
        window.close();
        region.close();
    }

    @Test
    void shouldForgetABindWhenTheQueueCloses() {
        sends.bind(1, window, region, 0, 8, WRITE);
        sends.close();

        assertThrows(IllegalStateException.class, window::remote);
        window.close();
        region.close();
    }

    @Test
    void shouldHoldOnOnlyToWhatWasNotPosted() {
        FakeVerbs.holdCompletions();
        MemoryWindow second = keep(domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
        MemoryRegion other = keep(domain.allocate(64, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));
        for (int i = 0; i < 7; i++) {
            sends.write(i, memory, 0, 8, memory.remote(), 64);
        }
        assertEquals(7, sends.post());
        sends.bind(7, window, region, 0, 8, WRITE);
        sends.bind(8, second, other, 0, 8, WRITE);

        assertEquals(1, sends.post());
        FakeVerbs.resume();
        completions.poll();
        window.close();
        region.close();
        assertThrows(IllegalStateException.class, other::close);
        assertEquals(1, sends.post());
        other.close();
        second.close();
        assertEquals(8, FakeVerbs.postedSends().getLast().wrId());
    }

    @Test
    void shouldHoldOnToWhatWasRefused() {
        FakeVerbs.acceptOnly(0, FakeVerbs.EINVAL, true);
        sends.bind(1, window, region, 0, 8, WRITE);
        assertThrows(VerbsException.class, sends::post);
        assertThrows(IllegalStateException.class, region::close);
        assertEquals(1, sends.post());
        region.close();
    }

    // ---- type 1 ----

    @Test
    void shouldBindAtOnce() {
        MemoryWindow one = typeOne();
        assertTrue(sends.bindNow(7, one, region, 512, 1024, Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)));
        PostedSend posted = FakeVerbs.postedSends().getLast();

        assertEquals(1, FakeVerbs.calls("ibv_bind_mw"));
        assertEquals(7, posted.wrId());
        assertTrue(posted.signaled());
        assertEquals(region.handle().address(), posted.boundRegion());
        assertEquals(region.address() + 512, posted.boundAddress());
        assertEquals(1024, posted.boundLength());
        assertEquals(WRITE_AND_READ, posted.windowAccess());
        assertEquals(0x2ff, posted.windowKey());
        requireDone(WorkOpcode.BIND_MEMORY_WINDOW);
        assertEquals(region.address() + 512, one.remote().address());
        assertEquals(1024, one.remote().length());
        assertEquals(posted.windowKey(), one.remote().key().value(), "the library made it");
    }

    @Test
    void shouldBindToNothing() {
        MemoryWindow one = typeOne();
        sends.bindNow(1, one, region, 0, 8, WRITE);
        sends.bindNow(2, one, region, 0, 0, WRITE);

        requireDone(WorkOpcode.BIND_MEMORY_WINDOW, WorkOpcode.BIND_MEMORY_WINDOW);
        assertEquals(one + " is bound to nothing: bind it first", refused(IllegalStateException.class, one::remote));
    }

    @Test
    void shouldTakeASlotForABind() {
        FakeVerbs.holdCompletions();
        MemoryWindow one = typeOne();
        for (int i = 0; i < 8; i++) {
            assertTrue(sends.bindNow(i, one, region, 0, 8, WRITE));
        }
        assertFalse(sends.bindNow(8, one, region, 0, 8, WRITE), "no room");
        assertEquals(8, FakeVerbs.calls("ibv_bind_mw"));
        FakeVerbs.resume();
        completions.poll();
        assertEquals(8, sends.available());
    }

    @Test
    void shouldNotBindOutsideOfRts() {
        queuePair.toError();
        MemoryWindow one = typeOne();
        assertTrue(refused(IllegalStateException.class, () -> sends.bindNow(1, one, region, 0, 8, WRITE))
                .startsWith("sends need RTS"));
    }

    @Test
    void shouldTellWhatAFailedBindWas() {
        MemoryWindow one = typeOne();
        FakeVerbs.failNext("ibv_bind_mw", FakeVerbs.EINVAL);
        String message = refused(VerbsException.class, () -> sends.bindNow(1, one, region, 0, 8, WRITE));
        assertTrue(message.startsWith("ibv_bind_mw failed on fake0: EINVAL"), message);
        assertTrue(message.contains("REMOTE_WRITE") && message.contains(region.toString()), message);
        assertEquals(8, sends.available());
        assertThrows(IllegalStateException.class, one::remote);
    }

    // ---- refused before C ----

    @Test
    void shouldRefuseTheOtherType() {
        MemoryWindow one = typeOne();
        assertEquals(
                one + " is of TYPE_1: bindNow() binds those",
                refused(IllegalArgumentException.class, () -> sends.bind(1, one, region, 0, 8, WRITE)));
        assertEquals(
                window + " is of TYPE_2: bind() binds those",
                refused(IllegalArgumentException.class, () -> sends.bindNow(1, window, region, 0, 8, WRITE)));
    }

    @Test
    void shouldRefuseWhatARegionDoesNotAllow() {
        assertTrue(refused(IllegalArgumentException.class, () -> sends.bind(1, window, memory, 0, 8, WRITE))
                .endsWith("a window on it needs MEMORY_WINDOW_BIND"));
        MemoryRegion constant = keep(domain.allocate(8, AccessFlag.MEMORY_WINDOW_BIND));
        assertTrue(refused(IllegalArgumentException.class, () -> sends.bind(1, window, constant, 0, 8, WRITE))
                .contains("needs LOCAL_WRITE"));
        Set<AccessFlag> atomic = Set.of(AccessFlag.REMOTE_ATOMIC);
        assertThrows(IllegalArgumentException.class, () -> sends.bind(1, window, constant, 0, 8, atomic));
        sends.bind(1, window, constant, 0, 8, Set.of(AccessFlag.REMOTE_READ)).discard();
    }

    @Test
    void shouldRefuseOtherAccess() {
        Set<AccessFlag> local = Set.of(AccessFlag.LOCAL_WRITE);
        assertTrue(refused(IllegalArgumentException.class, () -> sends.bind(1, window, region, 0, 8, local))
                .startsWith("access=[LOCAL_WRITE]: a window allows"));
        MemoryWindow one = typeOne();
        Set<AccessFlag> zero = Set.of(AccessFlag.ZERO_BASED);
        assertTrue(refused(IllegalArgumentException.class, () -> sends.bindNow(1, one, region, 0, 8, zero))
                .endsWith("ZERO_BASED is for windows of type 2"));
    }

    @Test
    void shouldRefuseWhatIsNotInsideTheRegion() {
        assertThrows(IndexOutOfBoundsException.class, () -> sends.bind(1, window, region, 4000, 97, WRITE));
        assertThrows(IndexOutOfBoundsException.class, () -> sends.bind(1, window, region, -1, 8, WRITE));
        assertTrue(refused(IllegalArgumentException.class, () -> sends.bind(1, window, region, 0, 0, WRITE))
                .startsWith("length=0: invalidate()"));
    }

    @Test
    void shouldRefuseAnotherDomain() {
        ProtectionDomain other = keep(context.allocateProtectionDomain());
        MemoryRegion foreign = keep(other.allocate(64, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));
        MemoryWindow foreignWindow = keep(other.allocateMemoryWindow(MemoryWindowType.TYPE_2));

        assertTrue(assertThrows(IllegalArgumentException.class, () -> sends.bind(1, window, foreign, 0, 8, WRITE))
                .getMessage()
                .startsWith(foreign + " belongs to " + other));
        for (MemoryRegion any : List.of(region, foreign)) {
            assertEquals(
                    foreignWindow + " belongs to " + other + ", the queue pair to " + domain
                            + ": allocate the window there",
                    assertThrows(IllegalArgumentException.class, () -> sends.bind(1, foreignWindow, any, 0, 8, WRITE))
                            .getMessage());
        }
        assertEquals(0, sends.staged());
    }

    @Test
    void shouldRefuseWhatIsClosed() {
        MemoryRegion closed = domain.allocate(64, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND);
        closed.close();
        assertThrows(IllegalStateException.class, () -> sends.bind(1, window, closed, 0, 8, WRITE));
        MemoryWindow one = typeOne();
        assertThrows(IllegalStateException.class, () -> sends.bindNow(1, one, closed, 0, 8, WRITE));
        window.close();
        one.close();
        assertThrows(IllegalStateException.class, () -> sends.bind(1, window, region, 0, 8, WRITE));
        assertThrows(IllegalStateException.class, () -> sends.bindNow(1, one, region, 0, 8, WRITE));
        assertEquals(0, sends.staged());
        region.close();
    }

    @Test
    void shouldRefuseMoreThanAreStaged() {
        for (int i = 0; i < 8; i++) {
            sends.send(i, memory, 0, 8);
        }
        assertThrows(IllegalStateException.class, () -> sends.bind(8, window, region, 0, 8, WRITE));
        sends.discard();
        window.close();
        region.close();
    }

    // ---- what the device does not have ----

    @Test
    void shouldRefuseWindowsThatTheDeviceDoesNotHave() {
        FakeVerbs.deviceNumber(0, "device_cap_flags", 1 << 17);
        try (DeviceContext old = Device.first().open();
                ProtectionDomain itsDomain = old.allocateProtectionDomain()) {
            itsDomain.allocateMemoryWindow(MemoryWindowType.TYPE_1).close();
            UnsupportedCapabilityException thrown = assertThrows(
                    UnsupportedCapabilityException.class,
                    () -> itsDomain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
            assertEquals("memory windows of type 2", thrown.capability());
        }
        assertEquals(2, FakeVerbs.calls("ibv_alloc_mw"));
    }

    @Test
    void shouldRefuseWindowsThatTheProviderDoesNotHave() {
        FakeVerbs.removeOperation("alloc_mw");
        try (DeviceContext old = Device.first().open();
                ProtectionDomain itsDomain = old.allocateProtectionDomain()) {
            assertThrows(
                    UnsupportedCapabilityException.class,
                    () -> itsDomain.allocateMemoryWindow(MemoryWindowType.TYPE_1));
        }
    }

    @Test
    void shouldRefuseBindsThatTheProviderDoesNotHave() {
        MemoryWindow one = typeOne();
        FakeVerbs.failNext("ibv_bind_mw", EOPNOTSUPP);
        UnsupportedCapabilityException thrown =
                assertThrows(UnsupportedCapabilityException.class, () -> sends.bindNow(1, one, region, 0, 8, WRITE));
        assertEquals("memory windows of type 1", thrown.capability());
    }

    @Test
    void shouldTellTheLimit() {
        FakeVerbs.failNext("ibv_alloc_mw", FakeVerbs.ENOMEM);
        String message = refused(VerbsException.class, () -> domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
        assertTrue(message.startsWith("ibv_alloc_mw failed on fake0: ENOMEM") && message.contains("max_mw"), message);
    }

    @Test
    void shouldStayOpenWhenTheDeviceRefusesToFreeIt() {
        FakeVerbs.failNext("ibv_dealloc_mw", FakeVerbs.EBUSY);
        assertThrows(VerbsException.class, window::close);
        assertTrue(window.isOpen());
        window.close();
        window.close();
        assertFalse(window.isOpen());
        assertEquals(2, FakeVerbs.calls("ibv_dealloc_mw"));
    }
}
