package io.github.verbs4j.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.host.DeviceNode;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RecordedHost;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplanationsTest {

    @TempDir
    Path root;

    private RecordedHost recorded;

    @BeforeEach
    void record() {
        recorded = new RecordedHost(root);
    }

    private Explanation noDevice() {
        return Explanations.noDevice(recorded.host());
    }

    private Explanation open() {
        return Explanations.open(recorded.host(), "mlx5_0");
    }

    private static void assertSays(String part, String text) {
        assertTrue(text.contains(part), () -> "\"" + part + "\" is not in: " + text);
    }

    @Test
    void shouldNotJudgeAMachineThatShowsNothing(@TempDir Path empty) {
        assertSays(
                "/sys shows nothing here", Explanations.noDevice(Host.at(empty)).cause());
    }

    @Test
    void shouldTellHowToMakeASoftwareDevice() {
        recorded.ubuntu().modules("ext4", "rdma_rxe ib_uverbs rdma_ucm mlx5_ib");

        assertEquals("""
                machine:  devices of the kernel (/sys/class/infiniband): none
                          modules: ib_uverbs not loaded, rdma_ucm not loaded, mlx5_ib not loaded, rdma_rxe not loaded
                          nodes (/dev/infiniband): none
                          providers (/etc/libibverbs.d): none
                cause:    the kernel knows no RDMA device: none of its RDMA modules is loaded
                next:     make a software device (Soft-RoCE) over a network interface, as root:
                            modprobe ib_uverbs && modprobe rdma_rxe && rdma link add rxe0 type rxe netdev eth0
                          no RDMA hardware? ./verbs softroce COMMAND, in a clone of Verbs4J, runs COMMAND in a small machine that has a software device""", noDevice().toString());
    }

    @Test
    void shouldNameThePackageOfAModuleThatIsNotOnDisk() {
        recorded.ubuntu().modules("ib_uverbs", "ib_uverbs");

        assertSays("linux-modules-extra-$(uname -r)", noDevice().next());
        assertFalse(noDevice().next().contains("modprobe ib_uverbs"));
    }

    @Test
    void shouldNameTheRdmaHalfOfANetworkDriver() {
        recorded.ubuntu().modules("mlx5_core ib_uverbs", "mlx5_ib");

        assertSays(
                "mlx5_core is loaded, its RDMA half mlx5_ib is not", noDevice().cause());
        assertSays("modprobe mlx5_ib", noDevice().next());
    }

    @Test
    void shouldNameUverbsWhenItIsNoLongerLoadedByItself() {
        recorded.ubuntu().modules("mlx5_ib mlx5_core", "ib_uverbs").mellanox("mlx5_0");

        assertEquals(
                "the kernel has mlx5_0, but no user-space interface to it: the module ib_uverbs is not loaded",
                noDevice().cause());
        assertEquals("""
                modprobe ib_uverbs   (as root)
                at every start: echo ib_uverbs > /etc/modules-load.d/ib_uverbs.conf""", noDevice().next());
    }

    @Test
    void shouldNameTheProviderPackageWhenOnlyTheKernelHasTheDevice() {
        recorded.ubuntu().modules("mlx5_ib ib_uverbs", "x").mellanox("mlx5_0").uverbs("uverbs0", "mlx5_0");

        assertEquals(
                "the kernel has mlx5_0, but libibverbs does not list it: its provider (mlx5) is not installed",
                noDevice().cause());
        assertEquals(
                "apt-get install -y libibverbs1 ibverbs-providers", noDevice().next());

        recorded.distribution("rocky", "rhel centos fedora", "Rocky Linux 9.5");
        assertEquals("dnf install -y libibverbs rdma-core", noDevice().next());

        recorded.file("/etc/libibverbs.d/mlx5.driver", "driver mlx5\n").node("uverbs0", "rw-rw-rw-");
        assertSays("of another version than libibverbs", noDevice().cause());
    }

    @Test
    void shouldNameTheMissingNodeThatKeepsADeviceOffTheList() {
        recorded.ubuntu()
                .modules("mlx5_ib ib_uverbs", "x")
                .mellanox("mlx5_0")
                .uverbs("uverbs3", "mlx5_0")
                .node("rdma_cm", "rw-rw-rw-")
                .file("/etc/libibverbs.d/mlx5.driver", "driver mlx5\n");

        assertEquals(
                "/dev/infiniband/uverbs3, the node of mlx5_0, does not exist here",
                noDevice().cause());
        assertSays("mknod -m 0666 /dev/infiniband/uverbs3", noDevice().next());
        assertSays("providers (/etc/libibverbs.d): mlx5", noDevice().toString());
    }

    @Test
    void shouldKnowAboutExclusiveNamespacesWhenSysShowsTheDevice() {
        recorded.ubuntu()
                .mellanox("mlx5_0")
                .uverbs("uverbs3", "mlx5_0")
                .node("uverbs3", "rw-rw-rw-")
                .file("/etc/libibverbs.d/mlx5.driver", "driver mlx5\n")
                .file("/sys/module/ib_core/parameters/netns_mode", "N\n");

        assertSays("no RDMA device in this network namespace", noDevice().cause());
    }

    @Test
    void shouldKnowAboutExclusiveNamespaces() {
        recorded.docker().file("/sys/module/ib_core/parameters/netns_mode", "N\n");

        assertSays("no RDMA device in this network namespace", noDevice().cause());
        assertSays("rdma system set netns shared", noDevice().next());
    }

    @Test
    void shouldPassTheNodeIntoAContainerThatLacksIt() {
        recorded.docker().mellanox("mlx5_0").uverbs("uverbs3", "mlx5_0").node("uverbs0", "rw-rw-rw-");

        assertEquals("""
                machine:  nodes: uverbs0
                          RDMA network namespaces: unknown (shared by default)
                          in a container: docker (/.dockerenv)
                cause:    /dev/infiniband/uverbs3, the node of mlx5_0, does not exist here
                next:     docker, podman: --device=/dev/infiniband/uverbs3 --device=/dev/infiniband/rdma_cm   (a volume is not enough)
                          Kubernetes:     request the resource of an RDMA device plugin for the container""", open().toString());
    }

    @Test
    void shouldMakeTheNodeOnAMachineThatLacksIt() {
        recorded.mellanox("mlx5_0").uverbs("uverbs3", "mlx5_0");

        assertSays("mknod -m 0666 /dev/infiniband/uverbs3", open().next());
    }

    @Test
    void shouldBlameTheModeOfTheNode() {
        recorded.status(1000, 0, 0);
        Host host = recorded.host();
        DeviceNode ofGroup = new DeviceNode("uverbs0", "rw-rw----", "root", "rdma", false, false);
        DeviceNode ofRoot = new DeviceNode("uverbs0", "rw-r--r--", "root", "root", true, false);

        Explanation group = DeviceExplanations.node(host, "mlx5_0", ofGroup);
        assertSays("EACCES", group.cause());
        assertSays("usermod -aG rdma", group.next());
        assertSays(
                "rw-rw---- root:rdma, by which this process may not open it",
                group.facts().getFirst());
        Explanation root = DeviceExplanations.node(host, "mlx5_0", ofRoot);
        assertSays("chmod 0666 /dev/infiniband/uverbs0", root.next());
        assertSays("read it only", root.facts().getFirst());
    }

    @Test
    void shouldBlameDeviceRulesWhenTheModeAllowsIt() {
        recorded.status(1000, 0, 0);
        DeviceNode node = new DeviceNode("uverbs0", "rw-rw-rw-", "root", "root", false, false);

        Explanation outside = DeviceExplanations.node(recorded.host(), "mlx5_0", node);
        assertSays("the device rules of the control group", outside.cause());
        assertSays("EPERM", outside.cause());
        assertSays("DeviceAllow=/dev/infiniband/uverbs0 rw", outside.next());
        Explanation inside = DeviceExplanations.node(recorded.docker().host(), "mlx5_0", node);
        assertSays("--device=/dev/infiniband/uverbs0", inside.next());
    }

    @Test
    void shouldTellMountAndSecurityModulesByTheErrorNumber() {
        recorded.status(1000, 0, 0);
        DeviceNode node = new DeviceNode("uverbs0", "rw-rw-rw-", "root", "root", false, false);

        Explanation explanation = DeviceExplanations.node(recorded.host(), Errno.EACCES, "mlx5_0", node);
        assertSays("mounted nodev", explanation.cause());
        assertSays("findmnt -T /dev/infiniband/uverbs0", explanation.next());
    }

    @Test
    void shouldNameTheCapabilityThatRootLacks() {
        DeviceNode node = new DeviceNode("uverbs0", "rw-rw----", "nobody", "nogroup", false, false);

        recorded.status(0, 0, 1 << 14);
        Explanation without = DeviceExplanations.node(recorded.host(), Errno.EACCES, "mlx5_0", node);
        assertSays("root is without CAP_DAC_OVERRIDE", without.cause());
        assertSays("--cap-add DAC_OVERRIDE", without.next());
        recorded.status(0, 0, 1 << 1);
        assertSays(
                "the device rules of the control group",
                DeviceExplanations.node(recorded.host(), Errno.EPERM, "mlx5_0", node)
                        .cause());
        recorded.file("/proc/self/uid_map", "0 1000 1\n");
        assertSays(
                "CAP_DAC_OVERRIDE (opens any node): without effect in a user namespace",
                DeviceExplanations.node(recorded.host(), Errno.EACCES, "mlx5_0", node)
                        .facts()
                        .toString());
    }

    @Test
    void shouldTellHowManyFilesMayBeOpen() {
        recorded.file("/proc/self/limits", "Max open files   1024   4096   files\n")
                .file("/proc/self/fd/0", "")
                .file("/proc/self/fd/1", "");

        for (Explanation explanation : List.of(
                Explanations.refusal(recorded.host(), Errno.EMFILE, ""),
                Explanations.open(recorded.mellanox("mlx5_0").host(), Errno.EMFILE, "mlx5_0"))) {
            assertSays("open files: 2 of at most 1024", explanation.facts().toString());
            assertSays("ulimit -n", explanation.next());
            assertSays("LimitNOFILE", explanation.next());
        }
        assertSays(
                "fs.file-max",
                Explanations.refusal(recorded.host(), Errno.ENFILE, "").next());
    }

    @Test
    void shouldTellWhichCapabilitiesThereAre() {
        recorded.status(0, 0, 1 << 14);

        Explanation explanation = Explanations.refusal(recorded.host(), Errno.EPERM, "mlx5_0");
        assertEquals(List.of("capabilities: CAP_IPC_LOCK"), explanation.facts());
        assertSays("--cap-add NET_RAW", explanation.next());
    }

    @Test
    void shouldTakeTheDebuggingFileThatEverybodySees() {
        recorded.file("/proc/dynamic_debug/control", "");

        assertSays(
                "> /proc/dynamic_debug/control",
                Explanations.refusal(recorded.host(), Errno.EINVAL, "mlx5_0").next());
    }

    @Test
    void shouldSayNothingOfNumbersThatTellNothing() {
        assertEquals(Explanation.NONE, Explanations.refusal(recorded.host(), new Errno(4095), "mlx5_0"));
        for (Errno errno : List.of(Errno.EIO, Errno.ENODEV, Errno.ENOSYS, Errno.EOPNOTSUPP, Errno.EBUSY)) {
            assertFalse(Explanations.refusal(recorded.host(), errno, "mlx5_0")
                    .next()
                    .isEmpty());
        }
    }

    @Test
    void shouldBlameTheNamespaceWhenTheNodeIsFine() {
        recorded.mellanox("mlx5_0").uverbs("uverbs0", "mlx5_0").node("uverbs0", "rw-rw-rw-");
        assertSays("not the node's permissions", open().cause());

        recorded.file("/sys/module/ib_core/parameters/netns_mode", "N\n");
        assertSays("exclusive to a network namespace", open().cause());
        assertSays("rdma dev set mlx5_0 netns", open().next());
    }

    @Test
    void shouldSayWhenThereIsNoSuchDeviceOrInterface() {
        assertSays("no device named mlx5_0", open().cause());

        recorded.modules("mlx5_ib", "ib_uverbs").mellanox("mlx5_0");
        assertEquals("mlx5_0 has no user-space interface here: the module ib_uverbs is not loaded", open().cause());
        assertSays("modprobe ib_uverbs", open().next());
    }

    @Test
    void shouldTellHowToTurnDynamicDebuggingOnAndOff() {
        recorded.mellanox("mlx5_0").softRoce("rxe0");

        assertEquals(
                """
                let the kernel tell, as root:
                  on:   echo 'module ib_uverbs +p; module ib_core +p; module mlx5_ib +p' > /sys/kernel/debug/dynamic_debug/control
                  see:  dmesg --follow   while the program runs again
                  off:  echo 'module ib_uverbs -p; module ib_core -p; module mlx5_ib -p' > /sys/kernel/debug/dynamic_debug/control
                nothing there? the provider refused it before the kernel saw it; see with strace -f -e trace=ioctl,write""",
                Explanations.refusal(recorded.host(), Errno.EINVAL, "mlx5_0").next());
        assertSays(
                "module rdma_rxe +p",
                Explanations.refusal(recorded.host(), Errno.EINVAL, "rxe0").next());
        assertFalse(Explanations.refusal(recorded.host(), Errno.EINVAL, "gone")
                .next()
                .contains("mlx5"));
    }

    @Test
    void shouldNameThePackagesOfAMissingLibrary() {
        recorded.ubuntu();

        assertEquals(
                """
                machine:  the loader said: libibverbs.so.1: cannot open shared object file
                          distribution: Ubuntu 24.04.1 LTS
                cause:    libibverbs.so.1 is not installed, or not where the loader looks
                next:     apt-get install -y libibverbs1 ibverbs-providers
                          a copy elsewhere: -Dio.github.verbs4j.libibverbs=/path/to/libibverbs.so.1""",
                Explanations.libraryMissing(
                                recorded.host(), "libibverbs.so.1", "libibverbs.so.1: cannot open shared object file\n")
                        .toString());
        assertSays(
                "apt-get install -y librdmacm1\n",
                Explanations.libraryMissing(recorded.host(), "librdmacm.so.1", "")
                        .next());
        assertSays(
                "another architecture or version",
                Explanations.libraryMissing(recorded.host(), "libibverbs.so.1", "wrong ELF class: ELFCLASS32")
                        .cause());
    }

    @Test
    void shouldNameThePackagesOfEachFamilyWhenTheDistributionIsUnknown() {
        String next = Explanations.libraryMissing(recorded.host(), "librdmacm.so.1", "")
                .next();

        assertSays("apt-get install -y librdmacm1", next);
        assertSays("dnf install -y librdmacm", next);
        assertSays("zypper install -y librdmacm1", next);
    }

    @Test
    void shouldExplainThisMachineWithoutFailing() {
        assertFalse(Explanations.registration(1 << 20).facts().isEmpty());
        assertFalse(Explanations.registration(Errno.EINVAL, 1).facts().isEmpty());
        assertFalse(Explanations.noDevice().cause().isEmpty());
        assertFalse(Explanations.open(Errno.EACCES, "no_such_device").cause().isEmpty());
        assertFalse(Explanations.creationOutOfMemory("no_such_device", List.of())
                .cause()
                .isEmpty());
        assertFalse(Explanations.refusal(Errno.EINVAL, "no_such_device").next().isEmpty());
        assertFalse(Explanations.libraryMissing("libibverbs.so.1", "").next().isEmpty());
        assertEquals("", Explanation.NONE.toString());
    }
}
