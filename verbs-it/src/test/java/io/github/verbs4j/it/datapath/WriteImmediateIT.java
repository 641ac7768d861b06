package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Link;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class WriteImmediateIT {
    @Test
    void shouldWriteAndUseUpAReceiveWhoseMemoryStaysUntouched() {
        try (Link link = Link.connected()) {
            link.client().fill(0, 2000, 4);
            link.server().receive(1, 0, 100);
            link.client()
                    .sends()
                    .writeImmediate(
                            2,
                            link.client().memory(),
                            0,
                            2000,
                            link.server().memory().remote(),
                            5000,
                            0xcafe_babe)
                    .signaled();
            link.client().post();

            link.client().await().requireSuccess(2, WorkOpcode.WRITE);
            Done told = link.server().await().requireSuccess(1, WorkOpcode.RECEIVE_WRITE_IMMEDIATE);
            assertEquals(OptionalInt.of(0xcafe_babe), told.immediate());
            assertEquals(2000, told.byteLength());
            link.server().verify(5000, 2000, 4);
            link.server().verifyUntouched(0, 5000);
        }
    }

    @Test
    void shouldCarryImmediateDataAloneWithoutMessage() {
        try (Link link = Link.connected()) {
            link.server().receive(1, 0, 0);
            link.client()
                    .sends()
                    .writeImmediate(
                            2,
                            link.client().memory(),
                            0,
                            0,
                            link.server().memory().remote(),
                            0,
                            77)
                    .signaled();
            link.client().post();

            link.client().await().requireSuccess(2, WorkOpcode.WRITE);
            Done told = link.server().await().requireSuccess(1, WorkOpcode.RECEIVE_WRITE_IMMEDIATE);
            assertEquals(OptionalInt.of(77), told.immediate());
            assertEquals(0, told.byteLength());
        }
    }
}
