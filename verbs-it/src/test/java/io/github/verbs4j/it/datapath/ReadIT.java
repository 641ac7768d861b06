package io.github.verbs4j.it.datapath;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadIT {
    @ParameterizedTest
    @CsvSource({"1, 0, 0", "64, 5, 77", "1024, 0, 4096", "1025, 1, 1", "50000, 100, 9000"})
    void shouldReadEveryByteAndNoMore(int length, int offset, int remoteOffset) {
        try (Link link = Link.connected()) {
            link.server().fill(remoteOffset, length, 6);
            link.client()
                    .sends()
                    .read(
                            1,
                            link.client().memory(),
                            offset,
                            length,
                            link.server().memory().remote(),
                            remoteOffset)
                    .signaled();
            link.client().post();

            link.client().await().requireSuccess(1, WorkOpcode.READ);
            link.client().verify(offset, length, 6);
            link.client().verifyUntouched(0, offset);
            link.client().verifyUntouched(offset + length, 1000);
            link.server().requireNothingCompleted();
        }
    }

    @Test
    void shouldHaveManyReadsUnderWay() {
        try (Link link = Link.connected()) {
            link.server().fill(0, 64 * 512, 8);
            for (int i = 0; i < 64; i++) {
                link.client()
                        .sends()
                        .read(
                                i,
                                link.client().memory(),
                                i * 512,
                                512,
                                link.server().memory().remote(),
                                i * 512)
                        .signaled();
            }
            link.client().post();
            assertEquals(64, link.client().await(64).size());
            link.client().verify(0, 64 * 512, 8);
        }
    }
}
