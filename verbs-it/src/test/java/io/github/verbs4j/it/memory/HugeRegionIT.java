package io.github.verbs4j.it.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.LargeRegions;
import io.github.verbs4j.it.rdma.Link;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A region whose offsets do not fit 32 bits. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HugeRegionIT {
    private static final long MARK = 1L << 32;
    private static final long LENGTH = MARK + (1 << 20);

    private Link link;
    private MemoryRegion huge;

    @BeforeAll
    void allocate() {
        link = Link.connected();
        huge = LargeRegions.made(() -> link.server()
                .domain()
                .allocate(LENGTH, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
    }

    @AfterAll
    void free() {
        if (huge != null) {
            huge.close();
        }
        link.close();
    }

    @Test
    void shouldKeepItsLength() {
        assertEquals(LENGTH, huge.length());
        assertEquals(LENGTH, huge.remote().length());
    }

    @Test
    void shouldBeWrittenAndReadByThePeerBeyondTheMark() {
        writeAndRead(MARK + 12_345, 20_000, 1);
    }

    @Test
    void shouldBeWrittenAndReadByThePeerAcrossTheMark() {
        writeAndRead(MARK - 5000, 10_000, 2);
    }

    @Test
    void shouldBeWrittenAndReadByThePeerAtItsEnd() {
        writeAndRead(LENGTH - 4096, 4096, 3);
    }

    private void writeAndRead(long offset, int length, long seed) {
        MemorySegment low = huge.segment().asSlice(0, 1 << 20);
        low.fill((byte) 0);
        link.client().fill(0, length, seed);
        link.client()
                .sends()
                .write(1, link.client().memory(), 0, length, huge.remote(), offset)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(1, WorkOpcode.WRITE);
        Bytes.verify(huge.segment(), offset, length, seed);
        Bytes.verifyUntouched(low, 0, low.byteSize()); // where 32 bits would have gone

        link.client().memory().segment().fill((byte) 0);
        link.client()
                .sends()
                .read(2, link.client().memory(), 0, length, huge.remote(), offset)
                .signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.READ);
        link.client().verify(0, length, seed);
    }

    @Test
    void shouldBeSentFromAndReceivedIntoBeyondTheMark() {
        link.client().fill(0, 3000, 4);
        link.server().receives().receive(1, huge, MARK + 500_000, 3000);
        assertEquals(1, link.server().receives().post());
        link.client().sends().send(2, link.client().memory(), 0, 3000).signaled();
        link.client().post();
        link.client().await().requireSuccess(2, WorkOpcode.SEND);
        link.server().await().requireSuccess(1, WorkOpcode.RECEIVE);
        Bytes.verify(huge.segment(), MARK + 500_000, 3000, 4);

        link.client().receive(3, 8192, 3000);
        link.server().sends().send(4, huge, MARK + 500_000, 3000).signaled();
        link.server().post();
        link.server().await().requireSuccess(4, WorkOpcode.SEND);
        link.client().await().requireSuccess(3, WorkOpcode.RECEIVE);
        link.client().verify(8192, 3000, 4);
    }
}
