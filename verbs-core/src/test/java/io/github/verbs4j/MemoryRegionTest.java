package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.Registration;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryRegionTest extends FakeDevice {

    private static String refusal(Executable registration) {
        return assertThrows(IllegalArgumentException.class, registration).getMessage();
    }

    @Test
    void shouldNotBeGivenToAPeerThatMayDoNothing() {
        MemoryRegion region = keep(domain.allocate(64, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));

        String message =
                assertThrows(IllegalStateException.class, region::remote).getMessage();

        assertTrue(message.startsWith(region + " was registered with [LOCAL_WRITE, MEMORY_WINDOW_BIND]"), message);
        assertTrue(message.endsWith("it needs REMOTE_READ, REMOTE_WRITE or REMOTE_ATOMIC"), message);
        for (AccessFlag one : List.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)) {
            assertEquals(
                    64,
                    keep(domain.allocate(64, AccessFlag.LOCAL_WRITE, one))
                            .remote()
                            .length());
        }
    }

    // ---- allocate ----

    @Test
    void shouldAllocateZeroedPages() {
        MemoryRegion region = keep(domain.allocate(10_000, ALL));
        Registration registration = FakeVerbs.lastRegistration();

        assertEquals(10_000, region.length());
        assertEquals(10_000, region.segment().byteSize());
        assertEquals(0, region.address() % 4096);
        assertEquals(region.address(), region.segment().address());
        assertEquals(-1, region.segment().mismatch(MemorySegment.ofArray(new byte[10_000])));
        assertEquals(new Registration(region.address(), 10_000, region.address(), 7), registration);
        assertEquals(Set.of(ALL), region.access());
        assertSame(domain, region.domain());
        assertEquals("MemoryRegion 2 (10000 bytes) of fake0", region.toString());
        assertThrows(UnsupportedOperationException.class, () -> region.access().clear());
    }

    @Test
    void shouldTellKeysAndBounds() {
        assertNotEquals(
                memory.localKey().value(), memory.remoteKey().value(), "the fake makes them differ, to show mixing up");
        assertEquals(0x111, memory.localKey().value());
        assertEquals(0x122, memory.remoteKey().value());
        assertEquals(new RemoteRegion(memory.address(), 4096, memory.remoteKey()), memory.remote());
    }

    @Test
    void shouldRefuseZeroBasedMemoryOfTheProcess() {
        String message = refusal(() -> domain.allocate(64, AccessFlag.ZERO_BASED));

        assertTrue(message.contains("ZERO_BASED is for a device's own memory"), message);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldRefuseEmptyAllocations(long bytes) {
        assertEquals(
                "bytes=" + bytes + ": a memory region has at least 1",
                refusal(() -> domain.allocate(bytes, AccessFlag.LOCAL_WRITE)));
    }

    @Test
    void shouldAllocateMoreThan4GiB() {
        long bytes = 5L << 30;
        MemoryRegion region = keep(domain.allocate(bytes, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ));

        assertEquals(bytes, region.length());
        assertEquals(bytes, FakeVerbs.lastRegistration().length());
        assertEquals(bytes, region.remote().length());
        region.segment().set(ValueLayout.JAVA_LONG, bytes - 8, 42);
        assertEquals(42, region.segment().get(ValueLayout.JAVA_LONG, bytes - 8));
        SendQueue sends = sends(connected());
        sends.read(1, memory, 0, 8, region.remote(), bytes - 8).signaled();
        sends.post();
        assertEquals(1, completions().poll());
        assertEquals(42, memory.segment().get(ValueLayout.JAVA_LONG, 0));
        assertEquals(
                region.address() + bytes - 8, FakeVerbs.postedSends().getFirst().remoteAddress());
    }

    // ---- flags ----

    @ParameterizedTest
    @EnumSource(names = {"REMOTE_WRITE", "REMOTE_ATOMIC"})
    void shouldNeedLocalWriteForRemoteWriting(AccessFlag flag) {
        String message = "flags=[" + flag + "]: " + flag + " needs LOCAL_WRITE too (ibv_reg_mr refuses it alone)";
        MemorySegment segment = Arena.ofAuto().allocate(8);

        assertEquals(message, refusal(() -> domain.allocate(8, flag)));
        assertEquals(message, refusal(() -> domain.register(segment, flag)));
        assertEquals(message, refusal(() -> domain.registerUnchecked(segment, flag)));
        keep(domain.allocate(8, flag, AccessFlag.LOCAL_WRITE));
    }

    @Test
    void shouldAlwaysNameTheSameOfTwoFlags() {
        assertEquals(
                "flags=[REMOTE_WRITE, REMOTE_ATOMIC]: REMOTE_WRITE needs LOCAL_WRITE too (ibv_reg_mr refuses it alone)",
                refusal(() -> domain.allocate(8, AccessFlag.REMOTE_ATOMIC, AccessFlag.REMOTE_WRITE)));
    }

    @Test
    void shouldPassOptionalFlagsByTheCallThatTakesThem() {
        keep(domain.allocate(8, AccessFlag.RELAXED_ORDERING));

        assertEquals(1 << 20, FakeVerbs.lastRegistration().access());
        assertEquals(0, FakeVerbs.calls("ibv_reg_mr"), "which is not the frozen compatibility symbol");
    }

    @Test
    void shouldAllowNoFlags() {
        MemoryRegion region = keep(domain.allocate(8));

        assertEquals(Set.of(), region.access());
        assertEquals(0, FakeVerbs.lastRegistration().access());
    }

    // ---- register: which memory ----

    @Test
    void shouldRefuseTheHeap() {
        MemorySegment heap = MemorySegment.ofArray(new byte[8]);

        assertEquals(
                "memory=" + heap
                        + " is on the Java heap, where it moves; use ProtectionDomain.allocate, or native memory",
                refusal(() -> domain.register(heap)));
        assertEquals(refusal(() -> domain.register(heap)), refusal(() -> domain.registerUnchecked(heap)));
        assertThrows(
                IllegalArgumentException.class, () -> domain.register(MemorySegment.ofBuffer(ByteBuffer.allocate(8))));
    }

    @Test
    void shouldRefuseMemoryThatCanBeFreed() {
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            for (MemorySegment segment : new MemorySegment[] {
                confined.allocate(100),
                shared.allocate(100),
                confined.allocate(200).asSlice(100),
                MemorySegment.ofBuffer(shared.allocate(100).asByteBuffer())
            }) {
                assertEquals(
                        "memory=" + segment
                                + " belongs to an arena that can be closed while the device still uses its pages; use"
                                + " ProtectionDomain.allocate(100, ...), memory of Arena.global() or Arena.ofAuto(), or"
                                + " registerUnchecked and see its warning",
                        refusal(() -> domain.register(segment, AccessFlag.LOCAL_WRITE)));
            }
        }
    }

    @Test
    void shouldRegisterMemoryThatNobodyCanFree() {
        for (MemorySegment segment : new MemorySegment[] {
            Arena.global().allocate(100),
            Arena.ofAuto().allocate(100),
            Arena.ofAuto().allocate(200).asSlice(50, 100),
            MemorySegment.ofBuffer(ByteBuffer.allocateDirect(100)),
            MemorySegment.ofBuffer(ByteBuffer.allocateDirect(200).slice(50, 100)),
        }) {
            MemoryRegion region = keep(domain.register(segment, AccessFlag.LOCAL_WRITE));

            assertEquals(100, region.length());
            assertEquals(new Registration(segment.address(), 100, segment.address(), 1), FakeVerbs.lastRegistration());
            assertSame(segment, region.segment());
        }
    }

    @Test
    void shouldRegisterAMappedFile(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[8192]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192, Arena.ofAuto());
            try (MemoryRegion region = domain.register(mapped, ALL)) {
                assertEquals(8192, region.length());
            }
            MemorySegment readOnly = channel.map(FileChannel.MapMode.READ_ONLY, 0, 8192, Arena.global());
            try (MemoryRegion region = domain.register(readOnly, AccessFlag.REMOTE_READ)) {
                assertEquals(Set.of(AccessFlag.REMOTE_READ), region.access());
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment closable = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192, arena);
                assertThrows(IllegalArgumentException.class, () -> domain.register(closable, ALL));
                domain.registerUnchecked(closable, ALL).close();
            }
        }
    }

    @Test
    void shouldRefuseToWriteToReadOnlyMemory() {
        MemorySegment readOnly = Arena.ofAuto().allocate(8).asReadOnly();

        assertEquals(
                "memory=" + readOnly + " is read-only, yet flags=[LOCAL_WRITE]",
                refusal(() -> domain.register(readOnly, AccessFlag.LOCAL_WRITE)));
        assertThrows(IllegalArgumentException.class, () -> domain.registerUnchecked(readOnly, AccessFlag.LOCAL_WRITE));
        keep(domain.register(readOnly, AccessFlag.REMOTE_READ));
    }

    @Test
    void shouldRefuseEmptyMemory() {
        MemorySegment empty = Arena.ofAuto().allocate(0);

        assertEquals("memory=" + empty + " is empty", refusal(() -> domain.register(empty)));
        assertThrows(IllegalArgumentException.class, () -> domain.registerUnchecked(MemorySegment.NULL));
    }

    @Test
    void shouldRegisterClosableMemoryUncheckedly() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(100);
            try (MemoryRegion region = domain.registerUnchecked(segment, AccessFlag.LOCAL_WRITE)) {
                assertSame(segment, region.segment());
            }
            segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        }
    }

    // ---- lifetime ----

    @Test
    @FakeVerbs.AllowLeaks // on purpose: what nobody can reach, nobody can close
    void shouldKeepRegisteredMemoryReachable() throws InterruptedException {
        WeakReference<MemorySegment.Scope> scope = registerAndForget();

        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertNotNull(scope.get());
        assertEquals(2, FakeVerbs.live("mr"));
    }

    private static WeakReference<MemorySegment.Scope> registerAndForget() {
        MemorySegment segment = Arena.ofAuto().allocate(100);
        Device.first().open().allocateProtectionDomain().register(segment, AccessFlag.LOCAL_WRITE);
        return new WeakReference<>(segment.scope());
    }

    @Test
    void shouldDeregisterBeforeItFrees() {
        MemoryRegion region = domain.allocate(8192, ALL);
        MemorySegment segment = region.segment();
        FakeVerbs.clearRecords();
        region.close();

        // the fake reports a violation if the pages are gone when ibv_dereg_mr is called
        assertEquals(1, FakeVerbs.log("ibv_dereg_mr mr2").size());
        assertFalse(segment.scope().isAlive());
        assertFalse(region.isOpen());
    }

    @Test
    void shouldKeepTheMemoryWhenTheDeviceDoesNotLetGo() {
        MemoryRegion region = domain.allocate(8192, ALL);
        FakeVerbs.failNext("ibv_dereg_mr", FakeVerbs.EBUSY);

        VerbsException thrown = assertThrows(VerbsException.class, region::close);
        assertEquals(
                "a memory window may still be bound to it", thrown.likelyCause().orElseThrow());
        assertTrue(thrown.getMessage().contains("close the window, or take its key back"), thrown::getMessage);
        assertTrue(region.isOpen());
        region.segment().set(ValueLayout.JAVA_INT, 0, 1);
        SendQueue sends = sends(connected());
        sends.write(1, region, 0, 8, memory.remote(), 0);
        sends.discard();
        region.close();
        assertFalse(region.segment().scope().isAlive());
    }

    @Test
    void shouldBeClosedOnceMoreWhenAnotherCallStillUsesTheSegment() throws Exception {
        MemoryRegion region = domain.allocate(8192, ALL);
        SendQueue sends = sends(connected());
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            FutureTask<Integer> reading =
                    new FutureTask<>(() -> source.read(region.segment().asByteBuffer()));
            Thread reader = Thread.ofPlatform().daemon().start(reading);
            while (Arrays.stream(reader.getStackTrace())
                    .noneMatch(frame -> frame.getMethodName().equals("read0"))) {
                Thread.sleep(1);
            }
            assertThrows(IllegalStateException.class, region::close, "the reading thread holds the memory");
            assertTrue(region.isOpen());
            assertEquals(1, FakeVerbs.live("mr"), "the device has let go");
            assertThrows(IllegalStateException.class, () -> sends.write(1, region, 0, 8, memory.remote(), 0));

            sink.write(ByteBuffer.wrap(new byte[] {1}));
            assertEquals(1, reading.get(60, TimeUnit.SECONDS));
            region.close();
            assertFalse(region.isOpen());
            assertEquals(1, FakeVerbs.log("ibv_dereg_mr").size());
        }
    }
}
