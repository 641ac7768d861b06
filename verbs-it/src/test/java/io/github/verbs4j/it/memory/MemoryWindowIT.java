package io.github.verbs4j.it.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.MemoryWindow;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Watchdog;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What rdma-core's own {@code test_mr.py} tests of memory windows, and what the device makes of their misuse. */
class MemoryWindowIT {
    private static final Set<AccessFlag> WRITE = Set.of(AccessFlag.REMOTE_WRITE);
    /** Soft-RoCE of Linux 6.12 flushes the very request that failed at this end. */
    private static final WorkStatus[] BIND_FAILED = {
        WorkStatus.MW_BIND_ERR, WorkStatus.LOC_QP_OP_ERR, WorkStatus.WR_FLUSH_ERR
    };

    private Link link;
    private MemoryRegion region;

    @BeforeEach
    void connect() {
        link = Link.connected();
        region = link.server().domain().allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND);
        link.client().fill(0, 64, 7);
    }

    @AfterEach
    void close() {
        region.close();
        link.close();
    }

    private MemoryWindow window(MemoryWindowType type) {
        return link.server().domain().allocateMemoryWindow(type);
    }

    private void bind(MemoryWindow window, Set<AccessFlag> access) {
        link.server().sends().bind(1, window, region, 1024, 512, access).signaled();
        link.server().post();
        link.server().await().requireSuccess(1, WorkOpcode.BIND_MEMORY_WINDOW);
    }

    private void bindNow(MemoryWindow window, long length) {
        assertTrue(link.server().sends().bindNow(1, window, region, 1024, length, WRITE));
        link.server().await().requireSuccess(1, WorkOpcode.BIND_MEMORY_WINDOW);
    }

    private void write(RemoteRegion opened) {
        link.client()
                .sends()
                .write(2, link.client().memory(), 0, 64, opened, 100)
                .signaled();
        link.client().post();
    }

    private void requireWritten(RemoteRegion opened) {
        write(opened);
        link.client().await().requireSuccess(2, WorkOpcode.WRITE);
        Bytes.verify(region.segment(), 1024 + 100, 64, 7);
    }

    private void requireShut(RemoteRegion shut) {
        write(shut);
        link.client().await().requireFailure(2, WorkStatus.REM_ACCESS_ERR);
    }

    // ---- type 1 ----

    @Test
    void shouldOpenAPartOfARegionByType1() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_1)) {
            bindNow(window, 512);
            assertEquals(region.address() + 1024, window.remote().address());
            requireWritten(window.remote());
        }
    }

    @Test
    void shouldShutTheFormerKeyOfType1WhenItIsBoundAgain() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_1)) {
            bindNow(window, 512);
            RemoteRegion former = window.remote();
            bindNow(window, 512);
            requireWritten(window.remote());
            requireShut(former);
        }
    }

    @Test
    void shouldShutType1ByBindingItToNothing() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_1)) {
            bindNow(window, 512);
            RemoteRegion former = window.remote();
            bindNow(window, 0);
            requireShut(former);
        }
    }

    @Test
    void shouldNotLetTheKeyOfType1BeTakenBack() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_1)) {
            bindNow(window, 512);
            link.server().sends().invalidate(3, window.remote().key()).signaled();
            link.server().post();
            link.server().await().requireFailure(3, BIND_FAILED);
        }
    }

    // ---- type 2 ----

    @Test
    void shouldOpenAPartOfARegionByType2() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            bind(window, WRITE);
            requireWritten(window.remote());
        }
    }

    @Test
    void shouldCountFromZeroWhenAsked() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            bind(window, Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED));
            assertEquals(0, window.remote().address());
            requireWritten(window.remote());
        }
    }

    @Test
    void shouldShutWhenItsKeyIsTakenBackLocally() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            bind(window, WRITE);
            RemoteRegion former = window.remote();
            invalidate(former.key());
            requireShut(former);
        }
    }

    private void invalidate(RemoteKey key) {
        link.server().sends().invalidate(3, key).signaled();
        link.server().post();
        link.server().await().requireSuccess(3, WorkOpcode.LOCAL_INVALIDATE);
    }

    @Test
    void shouldBeBoundAgainAfterItsKeyWasTakenBack() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            RemoteRegion former = null;
            for (int round = 0; round < 3; round++) {
                bind(window, WRITE);
                former = window.remote();
                requireWritten(former);
                invalidate(former.key());
            }
            bind(window, WRITE);
            requireWritten(window.remote());
            requireShut(former);
        }
    }

    @Test
    void shouldShutWhenThePeerTakesItsKeyBack() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            bind(window, WRITE);
            RemoteRegion former = window.remote();
            link.server().receive(4, 0, 64);
            link.client()
                    .sends()
                    .sendInvalidate(5, link.client().memory(), 0, 64, former.key())
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(5, WorkOpcode.SEND);
            assertEquals(former.key().value(), invalidatedKey());
            link.server().verify(0, 64, 7);
            requireShut(former);
        }
    }

    private int invalidatedKey() {
        var completions = link.server().completions();
        Watchdog.await("the message", () -> completions.poll() > 0);
        assertTrue(completions.next());
        completions.requireSuccess();
        assertTrue(completions.isReceive() && completions.hasInvalidatedKey());
        return completions.invalidatedKey();
    }

    @Test
    void shouldShutWhenItIsClosed() {
        RemoteRegion former;
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            bind(window, WRITE);
            former = window.remote();
        }
        requireShut(former);
    }

    @Test
    void shouldOnlyAllowWhatItWasBoundFor() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            bind(window, Set.of(AccessFlag.REMOTE_READ));
            requireShut(window.remote());
        }
    }

    @Test
    void shouldFailToBindWhatIsBound() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            bind(window, WRITE);
            link.server().sends().bind(9, window, region, 0, 512, WRITE).signaled();
            link.server().post();
            link.server().await().requireFailure(9, BIND_FAILED);
        }
    }

    @Test
    void shouldOpenAndUseInOneBatch() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            link.client().receive(6, 0, 8);
            link.server().sends().bind(1, window, region, 1024, 512, WRITE);
            link.server().sends().send(2, link.server().memory(), 0, 8).signaled();
            link.server().post();
            link.server().await().requireSuccess(2, WorkOpcode.SEND);
            link.client().await().requireSuccess(6, WorkOpcode.RECEIVE);
            link.client().fill(0, 64, 7);
            requireWritten(window.remote());
        }
    }

    // ---- keys that cannot be taken back ----

    @Test
    void shouldFailToTakeBackTheKeyOfARegion() {
        link.server().sends().invalidate(1, region.remoteKey()).signaled();
        link.server().post();
        link.server().await().requireFailure(1, BIND_FAILED);
    }

    @Test
    void shouldFailAtThePeerWhenTheKeyIsOfARegion() {
        link.server().receive(1, 0, 64);
        link.client()
                .sends()
                .sendInvalidate(2, link.client().memory(), 0, 8, region.remoteKey())
                .signaled();
        link.client().post();
        link.server().await().requireFailure(1, WorkStatus.REM_INV_REQ_ERR, WorkStatus.MW_BIND_ERR);
    }

    // ---- order of closing ----

    @Test
    void shouldKeepARegionOpenThatAWindowIsBoundTo() {
        try (MemoryWindow window = window(MemoryWindowType.TYPE_2)) {
            bind(window, WRITE);
            String message = assertThrows(VerbsException.class, region::close).getMessage();
            assertTrue(message.contains("a memory window may still be bound to it"), message);
            assertTrue(region.isOpen());
            requireWritten(window.remote());
        }
    }
}
