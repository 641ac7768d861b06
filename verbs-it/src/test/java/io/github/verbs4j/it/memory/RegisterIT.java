package io.github.verbs4j.it.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Link;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class RegisterIT {
    /** Sends from the region's last 1,000 bytes. */
    private static void sendFrom(Link link, MemoryRegion region) {
        long offset = region.length() - 1000;
        Bytes.fill(region.segment(), offset, 1000, 1);
        link.server().receive(1, 0, 1000);
        link.client().sends().send(2, region, offset, 1000).signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.SEND);
        link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
        link.server().verify(0, 1000, 1);
    }

    @Test
    void shouldSendFromMemoryOfTheGlobalArena() {
        MemorySegment memory = Arena.global().allocate(10_000, 1);
        try (Link link = Link.connected();
                MemoryRegion region = link.client().domain().register(memory)) {
            sendFrom(link, region);
        }
    }

    @Test
    void shouldSendFromAnUnalignedSliceOfAnAutomaticArena() {
        MemorySegment memory = Arena.ofAuto().allocate(20_000).asSlice(4099, 7001);
        try (Link link = Link.connected();
                MemoryRegion region = link.client().domain().register(memory)) {
            assertEquals(7001, region.length());
            sendFrom(link, region);
        }
    }

    @Test
    void shouldKeepMemoryOfAnAutomaticArenaReachable() throws InterruptedException {
        try (Link link = Link.connected();
                MemoryRegion region =
                        link.client().domain().register(Arena.ofAuto().allocate(1 << 20))) {
            for (int i = 0; i < 3; i++) {
                System.gc();
                Thread.sleep(20);
            }
            sendFrom(link, region);
        }
    }

    @Test
    void shouldSendFromUncheckedMemoryOfAClosableArena() {
        try (Link link = Link.connected();
                Arena arena = Arena.ofConfined();
                MemoryRegion region = link.client().domain().registerUnchecked(arena.allocate(5000))) {
            sendFrom(link, region);
        }
    }

    @Test
    void shouldRefuseMemoryOnTheHeap() {
        try (Link link = Link.connected()) {
            ProtectionDomain domain = link.client().domain();
            MemorySegment heap = MemorySegment.ofArray(new byte[100]);
            var thrown =
                    assertThrows(IllegalArgumentException.class, () -> domain.register(heap, AccessFlag.LOCAL_WRITE));
            assertTrue(thrown.getMessage().contains("heap"), thrown::getMessage);
            assertThrows(IllegalArgumentException.class, () -> domain.registerUnchecked(heap, AccessFlag.LOCAL_WRITE));
        }
    }

    @Test
    void shouldRefuseMemoryOfAClosableArenaAndNameAllocate() {
        try (Link link = Link.connected();
                Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            for (Arena arena : new Arena[] {confined, shared}) {
                MemorySegment memory = arena.allocate(100);
                var thrown = assertThrows(
                        IllegalArgumentException.class,
                        () -> link.client().domain().register(memory, AccessFlag.LOCAL_WRITE));
                assertTrue(thrown.getMessage().contains("ProtectionDomain.allocate(100"), thrown::getMessage);
            }
        }
    }

    @Test
    void shouldRefuseAddressesWithoutMemoryAndSayWhy() {
        try (Link link = Link.connected()) {
            MemorySegment nowhere = MemorySegment.ofAddress(4096).reinterpret(4096);
            var thrown = assertThrows(
                    VerbsException.class, () -> link.client().domain().register(nowhere, AccessFlag.LOCAL_WRITE));
            assertEquals("ibv_reg_mr", thrown.operation());
            assertTrue(thrown.is(Errno.EFAULT), thrown::getMessage);
            assertTrue(thrown.likelyCause().orElse("").contains("unmapped"), thrown::getMessage);
        }
    }
}
