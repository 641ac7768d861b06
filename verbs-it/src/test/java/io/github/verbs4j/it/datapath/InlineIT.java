package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class InlineIT {
    private static final int BYTES = 64;

    private static Link link() {
        return Link.builder().options(options -> options.inline(BYTES)).connected();
    }

    @Test
    void shouldGrantAtLeastWhatWasAsked() {
        try (Link link = link()) {
            assertTrue(link.client().queuePair().capacity().inlineBytes() >= BYTES);
        }
    }

    @Test
    void shouldRefuseMoreThanTheGrantedLimit() {
        try (Link link = link()) {
            int limit = link.client().queuePair().capacity().inlineBytes();
            String message = assertThrows(
                            IllegalArgumentException.class,
                            () -> link.client()
                                    .sends()
                                    .send(1, link.client().memory(), 0, limit + 1)
                                    .inline())
                    .getMessage();
            Troubleshooting.line("C3").when("inline").mustBeIn(message);
        }
    }

    @Test
    void shouldSendEverySizeUpToTheGrantedLimit() {
        try (Link link = link()) {
            int limit = link.client().queuePair().capacity().inlineBytes();
            for (int size = 0; size <= limit; size++) {
                link.server().receive(size, 1024, limit);
                link.client().fill(0, size, size);
                link.client()
                        .sends()
                        .send(-size, link.client().memory(), 0, size)
                        .inline()
                        .signaled();
                link.client().fill(0, limit, -1); // at once, before post()
                link.client().post();
                link.client().await().requireSuccess(-size, WorkOpcode.SEND);
                assertEquals(
                        size,
                        link.server()
                                .await()
                                .requireSuccess(size, WorkOpcode.RECEIVE)
                                .byteLength());
                link.server().verify(1024, size, size);
            }
        }
    }

    @Test
    void shouldWriteEverySizeUpToTheGrantedLimit() {
        try (Link link = link()) {
            int limit = link.client().queuePair().capacity().inlineBytes();
            for (int size = 0; size <= limit; size++) {
                link.client().fill(0, size, size);
                link.client()
                        .sends()
                        .write(
                                size,
                                link.client().memory(),
                                0,
                                size,
                                link.server().memory().remote(),
                                3)
                        .inline()
                        .signaled();
                link.client().memory().segment().asSlice(0, limit).fill((byte) 0);
                link.client().post();
                link.client().await().requireSuccess(size, WorkOpcode.WRITE);
                link.server().verify(3, size, size);
            }
        }
    }

    @Test
    void shouldGatherPiecesFromChangingMemory() {
        try (Link link = link()) {
            MemoryRegion memory = link.client().memory();
            link.server().receive(1, 0, BYTES);
            link.client().fill(0, BYTES, 5);
            link.client()
                    .sends()
                    .send(2, memory, 0, 10)
                    .inline()
                    .and(memory, 10, 0)
                    .and(memory, 10, 20)
                    .and(memory, 30, BYTES - 30)
                    .signaled();
            memory.segment().fill((byte) 0);
            link.client().post();

            assertEquals(
                    BYTES,
                    link.server().await().requireSuccess(1, WorkOpcode.RECEIVE).byteLength());
            link.server().verify(0, BYTES, 5);
        }
    }

    @Test
    void shouldKeepEachRequestsDataApart() {
        try (Link link = link()) {
            for (int i = 0; i < 32; i++) {
                link.server().receive(i, i * BYTES, BYTES);
                link.client().fill(0, BYTES, i);
                link.client()
                        .sends()
                        .send(i, link.client().memory(), 0, BYTES)
                        .inline()
                        .signaled();
            }
            link.client().post();
            for (int i = 0; i < 32; i++) {
                link.client().await().requireSuccess(i, WorkOpcode.SEND);
                link.server().await().requireSuccess(i, WorkOpcode.RECEIVE);
                link.server().verify(i * BYTES, BYTES, i);
            }
        }
    }
}
