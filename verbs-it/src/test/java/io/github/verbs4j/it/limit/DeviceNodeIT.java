package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SideBySide;
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

    private static void requireExplained(Shell.Result result, Troubleshooting.Case expected) {
        assertEquals(Asker.REFUSED, result.status(), result::output);
        expected.mustBeIn(result.output());
    }

    @Test
    @SideBySide
    void shouldNameTheMissingNode() {
        requireExplained(
                inPrivateDirectory("rm /dev/infiniband/uverbs0; exec \"$@\""),
                Troubleshooting.line("B5").when("no node"));
    }

    @Test
    @SideBySide
    void shouldNameTheDeviceRulesOfTheControlGroup() {
        requireExplained(
                ChildJvm.run("""
                        unshare -m sh -ec '
                            mount -t cgroup -o devices none /mnt
                            mkdir /mnt/denied
                            echo "c $(cat /sys/class/infiniband_verbs/uverbs0/dev) rwm" > /mnt/denied/devices.deny
                            sh -ec "echo \\$\\$ > /mnt/denied/cgroup.procs; exec \\"\\$@\\"" sh "$@" || status=$?
                            rmdir /mnt/denied
                            exit $status
                        ' sh "$@"
                        """, Asker.class, "4096"),
                Troubleshooting.line("B6").when("control group"));
    }

    @Test
    @SideBySide
    void shouldNameTheMountThatForbidsNodes() {
        requireExplained(
                inPrivateDirectory("mount -o remount,bind,nodev /dev/infiniband; exec \"$@\""),
                Troubleshooting.line("B6").when("mount"));
    }

    @Test
    @SideBySide
    void shouldNameTheCapabilityThatRootLacks() {
        requireExplained(
                inPrivateDirectory("chmod 600 /dev/infiniband/*; chown 65534:65534 /dev/infiniband/*; "
                        + "exec setpriv --bounding-set=-dac_override,-dac_read_search \"$@\""),
                Troubleshooting.line("B6").when("capability"));
    }

    @Test
    @SideBySide
    void shouldNameTheNodeThatThisUserMayNotOpen() {
        requireExplained(
                inPrivateDirectory("chmod 600 /dev/infiniband/*; exec " + ChildJvm.AS_NOBODY + "\"$@\""),
                Troubleshooting.line("B6").when("mode"));
    }
}
