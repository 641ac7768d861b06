package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.MemoryAdvice;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedSend;
import io.github.verbs4j.fake.Registration;
import io.github.verbs4j.fake.Sge;
import io.github.verbs4j.ffi.ibv_device_attr_ex;
import io.github.verbs4j.ffi.ibv_odp_caps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory under another address, paged on demand, of another device; advice on it. */
class SpecialRegistrationTest extends FakeDevice {
    private static final int EOPNOTSUPP = 95;
    private static final int ENOSYS = 38;
    private static final long ELSEWHERE = 0x7f00_0000_0000_0000L;

    private static String refused(Class<? extends Throwable> type, Executable use) {
        return assertThrows(type, use).getMessage();
    }

    private static MemorySegment pages() {
        return Arena.ofAuto().allocate(8192, 4096);
    }

    // ---- another address ----

    @Test
    void shouldNameMemoryByTheAddressChosen() {
        MemorySegment own = pages();
        MemoryRegion region = keep(domain.registerAt(ELSEWHERE, own, ALL));

        assertEquals(new Registration(own.address(), 8192, ELSEWHERE, 7), FakeVerbs.lastRegistration());
        assertEquals(ELSEWHERE, region.address());
        assertEquals(ELSEWHERE, region.remote().address());
        assertEquals(own, region.segment());
    }

    @Test
    void shouldUseThatAddressInWork() {
        MemorySegment own = pages();
        MemoryRegion region = keep(domain.registerAt(0, own, ALL));
        own.set(ValueLayout.JAVA_LONG, 16, 42);
        SendQueue sends = sends(connected());
        sends.write(1, region, 16, 8, memory.remote(), 8);
        sends.read(2, region, 4096, 8, region.remote(), 16);
        sends.post();

        PostedSend read = FakeVerbs.postedSends().getLast();
        assertEquals(16, read.remoteAddress());
        assertEquals(List.of(new Sge(4096, 8, region.localKey().value())), read.elements());
        assertEquals(42, memory.segment().get(ValueLayout.JAVA_LONG, 8));
        assertEquals(42, own.get(ValueLayout.JAVA_LONG, 4096));
    }

    @Test
    void shouldCopyInlineDataFromTheMemoryItself() {
        MemorySegment own = pages();
        MemoryRegion region = keep(domain.registerAt(0, own, ALL));
        own.set(ValueLayout.JAVA_BYTE, 100, (byte) 7);
        SendQueue sends = sends(connected());
        sends.write(1, region, 100, 1, memory.remote(), 0).inline().post();

        assertArrayEquals(new byte[] {7}, FakeVerbs.postedSends().getLast().inlined());
    }

    @Test
    void shouldRefuseAnAddressElsewhereInItsPage() {
        MemorySegment own = pages().asSlice(100);
        assertEquals(
                "iova=0x1000 must lie in its page as the memory does: 0x64 bytes from its start",
                refused(IllegalArgumentException.class, () -> domain.registerAt(0x1000, own, ALL)));
        keep(domain.registerAt(0x1064, own, ALL));
    }

    @Test
    void shouldReachToTheLastAddressAndNotBeyond() {
        MemorySegment own = pages();
        MemoryRegion region = keep(domain.registerAt(-8192, own, ALL));
        assertEquals(-8192, region.remote().address());
        assertEquals(8192, region.remote().length());
        assertEquals(
                "iova=0xfffffffffffff000: 8192 bytes from there do not fit an address space",
                refused(IllegalArgumentException.class, () -> domain.registerAt(-4096, own, ALL)));
        assertThrows(IllegalArgumentException.class, () -> domain.registerDmaBuffer(3, 0, 8192, -4096, ALL));
    }

    @Test
    void shouldRefuseMemoryThatCanBeFreed() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(4096, 4096);
            assertThrows(IllegalArgumentException.class, () -> domain.registerAt(0, own, ALL));
        }
    }

    // ---- on demand ----

    private void withOnDemandPaging() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_device_attr_ex.allocate(arena);
            ibv_odp_caps.general_caps(ibv_device_attr_ex.odp_caps(attributes), 1);
            FakeVerbs.extended(0, attributes);
        }
    }

    @Test
    void shouldRefuseOnDemandPagingThatTheDeviceDoesNotHave() {
        long before = FakeVerbs.calls("ibv_reg_mr_iova2");
        UnsupportedCapabilityException thrown =
                assertThrows(UnsupportedCapabilityException.class, () -> domain.allocate(4096, AccessFlag.ON_DEMAND));

        assertEquals("on-demand paging", thrown.capability());
        assertTrue(thrown.getMessage().contains("fake0 (provider ibverbs)"), thrown::getMessage);
        assertEquals(before, FakeVerbs.calls("ibv_reg_mr_iova2"), "C was not asked");
    }

    @Test
    void shouldRegisterOnDemandWhereTheDeviceCan() {
        withOnDemandPaging();
        keep(domain.allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.ON_DEMAND));

        assertEquals(0x41, FakeVerbs.lastRegistration().access());
    }

    @Test
    void shouldSayWhenTheKernelRefusesOnDemandPagingAllTheSame() {
        withOnDemandPaging();
        FakeVerbs.failNext("ibv_reg_mr_iova2", EOPNOTSUPP);
        assertThrows(UnsupportedCapabilityException.class, () -> domain.allocate(4096, AccessFlag.ON_DEMAND));
    }

    @Test
    void shouldAdvise() {
        memory.advise(MemoryAdvice.PREFETCH_WRITE, 100, 200, true);
        memory.advise(MemoryAdvice.PREFETCH_NO_FAULT, 0, 4096, false);

        String key = " lkey=0x" + Integer.toHexString(memory.localKey().value());
        assertEquals(
                List.of(
                        "ibv_advise_mr pd1 advice=1 flags=1 addr=0x" + Long.toHexString(memory.address() + 100)
                                + " length=200" + key,
                        "ibv_advise_mr pd1 advice=2 flags=0 addr=0x" + Long.toHexString(memory.address())
                                + " length=4096" + key),
                FakeVerbs.log("ibv_advise_mr"));
    }

    @Test
    void shouldRefuseAdviceOnWhatIsNotThere() {
        assertThrows(IndexOutOfBoundsException.class, () -> memory.advise(MemoryAdvice.PREFETCH, 4000, 97, false));
        assertTrue(refused(IllegalArgumentException.class, () -> memory.advise(MemoryAdvice.PREFETCH, 0, 0, false))
                .startsWith("length=0 is not in 1..4294967295"));
        MemoryRegion closed = domain.allocate(8, ALL);
        closed.close();
        assertThrows(IllegalStateException.class, () -> closed.advise(MemoryAdvice.PREFETCH, 0, 8, false));
        assertThrows(NullPointerException.class, () -> memory.advise(null, 0, 8, false));
        assertEquals(0, FakeVerbs.calls("ibv_advise_mr"));
    }

    @Test
    void shouldTellOfAdviceThatIsRefused() {
        FakeVerbs.failNext("ibv_advise_mr", FakeVerbs.EINVAL);
        assertTrue(refused(VerbsException.class, () -> memory.advise(MemoryAdvice.PREFETCH, 0, 8, false))
                .contains("the region is most likely not paged on demand"));
        FakeVerbs.failNext("ibv_advise_mr", EOPNOTSUPP);
        assertThrows(UnsupportedCapabilityException.class, () -> memory.advise(MemoryAdvice.PREFETCH, 0, 8, false));
    }

    @Test
    void shouldNotCallAdviceThatTheProviderLeftOut() {
        FakeVerbs.removeOperation("advise_mr");
        try (DeviceContext old = Device.first().open();
                ProtectionDomain itsDomain = old.allocateProtectionDomain();
                MemoryRegion region = itsDomain.allocate(8, ALL)) {
            assertThrows(UnsupportedCapabilityException.class, () -> region.advise(MemoryAdvice.PREFETCH, 0, 8, false));
        }
    }

    // ---- DMA buffers ----

    @Test
    void shouldRegisterADmaBuffer() {
        MemoryRegion region = keep(domain.registerDmaBuffer(17, 0x2000, 4096, ELSEWHERE, ALL));

        assertEquals(
                List.of(
                        "ibv_reg_dmabuf_mr pd1 offset=0x2000 length=4096 iova=0x7f00000000000000 fd=17 access=0x7 -> mr2"),
                FakeVerbs.log("ibv_reg_dmabuf_mr"));
        assertEquals(ELSEWHERE, region.address());
        assertEquals(4096, region.length());
        assertEquals(0, region.segment().byteSize());
    }

    @Test
    void shouldUseADmaBufferInWorkButNotInline() {
        FakeVerbs.holdCompletions();
        MemoryRegion region = keep(domain.registerDmaBuffer(17, 0, 4096, ELSEWHERE, ALL));
        SendQueue sends = sends(connected());
        sends.send(1, region, 8, 8);
        assertThrows(IndexOutOfBoundsException.class, sends::inline);
        sends.post();

        assertEquals(
                List.of(new Sge(ELSEWHERE + 8, 8, region.localKey().value())),
                FakeVerbs.postedSends().getLast().elements());
    }

    @ParameterizedTest
    @ValueSource(ints = {EOPNOTSUPP, ENOSYS})
    void shouldSayThatDmaBuffersAreNotSupported(int errno) {
        FakeVerbs.failNext("ibv_reg_dmabuf_mr", errno);
        UnsupportedCapabilityException thrown =
                assertThrows(UnsupportedCapabilityException.class, () -> domain.registerDmaBuffer(17, 0, 4096, 0, ALL));
        assertEquals("DMA buffers", thrown.capability());
    }

    @Test
    void shouldTellOfADmaBufferThatIsRefused() {
        FakeVerbs.failNext("ibv_reg_dmabuf_mr", 9);
        String message = refused(VerbsException.class, () -> domain.registerDmaBuffer(17, 8, 4096, 0, ALL));
        assertTrue(message.contains("EBADF") && message.contains("fd=17") && message.contains("offset=8"), message);
    }

    @Test
    void shouldRefuseNumbersThatCannotBe() {
        assertThrows(IllegalArgumentException.class, () -> domain.registerDmaBuffer(-1, 0, 8, 0, ALL));
        assertThrows(IllegalArgumentException.class, () -> domain.registerDmaBuffer(1, -1, 8, 0, ALL));
        assertThrows(IllegalArgumentException.class, () -> domain.registerDmaBuffer(1, 0, 0, 0, ALL));
        assertEquals(0, FakeVerbs.calls("ibv_reg_dmabuf_mr"));
    }
}
