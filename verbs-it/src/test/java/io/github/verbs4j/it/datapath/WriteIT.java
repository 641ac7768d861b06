package io.github.verbs4j.it.datapath;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteIT {
    @ParameterizedTest
    @CsvSource({"1, 0, 0", "64, 5, 77", "1024, 0, 4096", "1025, 1, 1", "50000, 100, 9000"})
    void shouldWriteWhereToldAndNowhereElse(int length, int offset, int remoteOffset) {
        try (Link link = Link.connected()) {
            link.client().fill(offset, length, 9);
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            offset,
                            length,
                            link.server().memory().remote(),
                            remoteOffset)
                    .signaled();
            link.client().post();

            link.client().await().requireSuccess(1, WorkOpcode.WRITE);
            link.server().verify(remoteOffset, length, 9);
            link.server().verifyUntouched(0, remoteOffset);
            int end = remoteOffset + length;
            link.server().verifyUntouched(end, link.server().memory().length() - end);
        }
    }

    @Test
    void shouldNotTellThePeer() {
        try (Link link = Link.connected()) {
            link.server().receive(5, 0, 64);
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            64,
                            link.server().memory().remote(),
                            64)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(1, WorkOpcode.WRITE);

            link.server().requireNothingCompleted();
        }
    }

    @Test
    void shouldWriteIntoASliceOfTheRemoteRegion() {
        try (Link link = Link.connected()) {
            link.client().fill(0, 100, 3);
            link.client()
                    .sends()
                    .write(
                            1,
                            link.client().memory(),
                            0,
                            100,
                            link.server().memory().remote().slice(4000, 200),
                            50)
                    .signaled();
            link.client().post();
            link.client().await().requireSuccess(1, WorkOpcode.WRITE);
            link.server().verify(4050, 100, 3);
            link.server().verifyUntouched(0, 4050);
        }
    }
}
