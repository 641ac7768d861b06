package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import org.junit.jupiter.api.Test;

/** A control group that allows no more objects. */
@SoftRoceMachine
class OutOfMemoryIT {
    /** The group is the process's own; its hierarchy is seen in a mount namespace only. */
    @Test
    void shouldTellTheBoundOfTheControlGroup() {
        String script = """
                unshare -m sh -ec '
                    mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup
                    echo +rdma > /sys/fs/cgroup/cgroup.subtree_control
                    mkdir /sys/fs/cgroup/few
                    bounded() {
                        echo "rxe0 $1" > /sys/fs/cgroup/few/rdma.max
                        shift
                        sh -ec "echo \\$\\$ > /sys/fs/cgroup/few/cgroup.procs; exec \\"\\$@\\"" sh "$@" || status=$?
                    }
                    bounded hca_object=1 "$@"
                    bounded hca_handle=0 "$@"
                    rmdir /sys/fs/cgroup/few
                    exit $status
                ' sh "$@"
                """;
        Shell.Result result = ChildJvm.run(script, Asker.class, "4096");
        assertEquals(Asker.REFUSED, result.status(), result::output);
        Troubleshooting.line("B2").when("control group").mustBeIn(result.output());
        assertTrue(result.output().contains("ibv_open_device failed on rxe0: EAGAIN"), result::output);
    }
}
