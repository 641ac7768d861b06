package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Link;
import io.github.verbs4j.it.rdma.Rdma;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ScatterGatherIT {
    /** Offset and length of pieces, together 1,000 bytes; they differ at both ends. */
    private static final int[][] FROM = {{0, 1}, {100, 399}, {1000, 0}, {2000, 600}};

    private static final int[][] TO = {{50, 500}, {5000, 7}, {6000, 490}, {9000, 3}};

    private static Link link() {
        return Link.builder().options(options -> options.segments(4, 4)).connected();
    }

    /** Writes a pattern over pieces, in order. */
    private static void fill(MemoryRegion memory, int[][] pieces, long seed) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment whole = arena.allocate(1000);
            Bytes.fill(whole, 0, 1000, seed);
            long at = 0;
            for (int[] piece : pieces) {
                MemorySegment.copy(whole, at, memory.segment(), piece[0], piece[1]);
                at += piece[1];
            }
        }
    }

    private static void verify(MemoryRegion memory, int[][] pieces, long seed) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment whole = arena.allocate(1000);
            long at = 0;
            for (int[] piece : pieces) {
                MemorySegment.copy(memory.segment(), piece[0], whole, at, piece[1]);
                at += piece[1];
            }
            Bytes.verify(whole, 0, 1000, seed);
        }
    }

    @Test
    void shouldGatherFromAndScatterToSeveralPieces() {
        try (Link link = link()) {
            MemoryRegion from = link.client().memory();
            MemoryRegion to = link.server().memory();
            fill(from, FROM, 1);
            link.server()
                    .receives()
                    .receive(1, to, TO[0][0], TO[0][1])
                    .and(to, TO[1][0], TO[1][1])
                    .and(to, TO[2][0], TO[2][1])
                    .and(to, TO[3][0], TO[3][1])
                    .post();
            link.client()
                    .sends()
                    .send(2, from, FROM[0][0], FROM[0][1])
                    .and(from, FROM[1][0], FROM[1][1])
                    .and(from, FROM[2][0], FROM[2][1])
                    .and(from, FROM[3][0], FROM[3][1])
                    .signaled();
            link.client().post();

            link.client().await().requireSuccess(2, WorkOpcode.SEND);
            assertEquals(
                    1000,
                    link.server().await().requireSuccess(1, WorkOpcode.RECEIVE).byteLength());
            verify(to, TO, 1);
            link.server().verifyUntouched(0, 50);
            link.server().verifyUntouched(550, 1000);
        }
    }

    @Test
    void shouldGatherAWrite() {
        try (Link link = link()) {
            MemoryRegion from = link.client().memory();
            fill(from, FROM, 2);
            link.client()
                    .sends()
                    .write(
                            1,
                            from,
                            FROM[0][0],
                            FROM[0][1],
                            link.server().memory().remote(),
                            300)
                    .and(from, FROM[1][0], FROM[1][1])
                    .and(from, FROM[3][0], FROM[3][1])
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(1, WorkOpcode.WRITE);
            link.server().verify(300, 1000, 2);
        }
    }

    @Test
    void shouldScatterARead() {
        try (Link link = link()) {
            MemoryRegion to = link.client().memory();
            link.server().fill(300, 1000, 3);
            link.client()
                    .sends()
                    .read(1, to, TO[0][0], TO[0][1], link.server().memory().remote(), 300)
                    .and(to, TO[1][0], TO[1][1])
                    .and(to, TO[2][0], TO[2][1])
                    .and(to, TO[3][0], TO[3][1])
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(1, WorkOpcode.READ);
            verify(to, TO, 3);
        }
    }

    @Test
    void shouldRefuseAReceiveOfMorePiecesThanAskedFor() {
        try (Link link =
                Link.builder().options(options -> options.segments(1, 2)).connected()) {
            int granted = link.server().queuePair().capacity().receiveSegments();
            link.server().receives().receive(1, link.server().memory(), 0, 8);
            for (int i = 1; i < granted; i++) {
                link.server().receives().and(link.server().memory(), i * 8L, 8);
            }
            assertThrows(
                    IllegalArgumentException.class,
                    () -> link.server().receives().and(link.server().memory(), 4096, 8));
            assertEquals(1, link.server().receives().post(), "what fits still goes");
        }
    }

    @Test
    void shouldUseAsManyPiecesAsTheDeviceAllows() {
        int pieces;
        try (DeviceContext context = Rdma.open()) {
            pieces = context.attributes().maxSegments();
        }
        try (Link link = Link.builder()
                .options(options -> options.segments(pieces, pieces))
                .connected()) {
            MemoryRegion from = link.client().memory();
            MemoryRegion to = link.server().memory();
            int granted = link.client().queuePair().capacity().sendSegments();
            link.client().fill(0, granted * 20L, 4);
            link.server().receives().receive(1, to, 0, 20);
            link.client().sends().send(2, from, 0, 20).signaled();
            for (int i = 1; i < granted; i++) {
                link.server().receives().and(to, i * 40L, 20);
                link.client().sends().and(from, i * 20L, 20);
            }
            assertThrows(
                    IllegalArgumentException.class, () -> link.client().sends().and(from, 0, 20));
            link.server().receives().post();
            link.client().post();
            link.client().await().requireSuccess(2, WorkOpcode.SEND);
            assertEquals(
                    granted * 20L,
                    link.server().await().requireSuccess(1, WorkOpcode.RECEIVE).byteLength());
            for (int i = 0; i < granted; i++) {
                assertEquals(
                        -1,
                        from.segment()
                                .asSlice(i * 20L, 20)
                                .mismatch(to.segment().asSlice(i * 40L, 20)),
                        "first wrong byte of piece " + i);
            }
        }
    }
}
