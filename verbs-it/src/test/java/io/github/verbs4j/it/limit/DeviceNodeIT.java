package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import org.junit.jupiter.api.Test;

/** The kernel has the device, but this process may not reach its node, as in a container that was not given it. */
@SoftRoceMachine
class DeviceNodeIT {
    private static Shell.Result inPrivateDirectory(String script) {
        return ChildJvm.run(
                "unshare -m sh -ec 'mount -t tmpfs none /mnt; cp -a /dev/infiniband/. /mnt; "
                        + "mount --bind /mnt /dev/infiniband; " + script + "' sh \"$@\"",
                Asker.class,
                "4096");
    }

    private static void requireExplained(Shell.Result result, String... expected) {
        assertEquals(Asker.REFUSED, result.status(), result::output);
        for (String text : expected) {
            assertTrue(
                    result.output().replaceAll("\\s+", " ").contains(text),
                    () -> text + " is not in:\n" + result.output());
        }
    }

    @Test
    void shouldNameTheMissingNode() {
        requireExplained(
                inPrivateDirectory("rm /dev/infiniband/uverbs0; exec \"$@\""),
                "/dev/infiniband/uverbs0, the node of rxe0, does not exist here",
                "nodes (/dev/infiniband): rdma_cm",
                "/dev/infiniband/uverbs0 "); // in mknod, or in docker's --device
    }

    @Test
    void shouldNameTheNodeThatThisUserMayNotOpen() {
        requireExplained(
                inPrivateDirectory("chmod 600 /dev/infiniband/*; exec " + ChildJvm.AS_NOBODY + "\"$@\""),
                "ibv_open_device failed on rxe0",
                "this user may not read and write /dev/infiniband/uverbs0",
                "rw-------",
                "chmod 0666 /dev/infiniband/uverbs0");
    }
}
