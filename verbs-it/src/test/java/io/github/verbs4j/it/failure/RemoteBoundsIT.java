package io.github.verbs4j.it.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.it.rdma.Link;
import org.junit.jupiter.api.Test;

class RemoteBoundsIT {
    /** What a peer would get that claims more than it registered. */
    private static RemoteRegion forged(Link link) {
        RemoteRegion right = link.server().memory().remote();
        return new RemoteRegion(right.address(), right.length() + 4096, right.key());
    }

    @Test
    void shouldEndAWriteBeyondTheRegistrationWithRemoteAccessError() {
        try (Link link = Link.connected()) {
            long end = link.server().memory().length();
            link.client()
                    .sends()
                    .write(1, link.client().memory(), 0, 16, forged(link), end - 8)
                    .signaled();
            link.client().post();
            link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
            link.server().verifyUntouched(end - 8, 8);
        }
    }

    @Test
    void shouldEndAReadBeyondTheRegistrationWithRemoteAccessError() {
        try (Link link = Link.connected()) {
            long end = link.server().memory().length();
            link.client()
                    .sends()
                    .read(1, link.client().memory(), 0, 16, forged(link), end)
                    .signaled();
            link.client().post();
            link.client().await().requireFailure(1, WorkStatus.REM_ACCESS_ERR);
            link.client().verifyUntouched(0, 16);
        }
    }

    @Test
    void shouldRefuseWhatIsOutsideOfTheRemoteRegionBeforeTheDeviceSeesIt() {
        try (Link link = Link.connected()) {
            RemoteRegion remote = link.server().memory().remote();
            long[][] bad = {{remote.length() - 7, 8}, {-1, 8}, {remote.length() + 1, 0}, {Long.MAX_VALUE, 8}};
            for (long[] range : bad) {
                var thrown = assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> link.client().sends().write(1, link.client().memory(), 0, range[1], remote, range[0]));
                assertTrue(thrown.getMessage().contains("remoteOffset=" + range[0]), thrown::getMessage);
            }
            assertEquals(0, link.client().sends().staged());
        }
    }

    @Test
    void shouldCountAllPiecesAgainstTheRemoteRegion() {
        try (Link link =
                Link.builder().options(options -> options.segments(2, 2)).connected()) {
            RemoteRegion small = link.server().memory().remote().slice(0, 100);
            link.client().sends().write(1, link.client().memory(), 0, 60, small, 20);
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> link.client().sends().and(link.client().memory(), 100, 21));
            link.client().sends().and(link.client().memory(), 100, 20);
        }
    }

    @Test
    void shouldRefuseWhatIsOutsideOfTheLocalMemoryBeforeTheDeviceSeesIt() {
        try (Link link = Link.connected()) {
            long length = link.client().memory().length();
            long[][] bad = {{length - 7, 8}, {-1, 8}, {0, length + 1}, {length + 1, 0}, {8, -1}, {Long.MAX_VALUE, 8}};
            for (long[] range : bad) {
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> link.client().sends().send(1, link.client().memory(), range[0], range[1]));
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> link.client().receives().receive(1, link.client().memory(), range[0], range[1]));
            }
            assertEquals(0, link.client().sends().staged());
            assertEquals(0, link.client().receives().staged());
        }
    }
}
