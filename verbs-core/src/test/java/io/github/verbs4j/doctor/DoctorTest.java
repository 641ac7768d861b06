package io.github.verbs4j.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.host.RecordedHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Machines that the Soft-RoCE machine cannot be, recorded. */
class DoctorTest {
    private static final String LIBRARIES = "/usr/lib64/";

    @TempDir
    Path root;

    private RecordedHost recorded;

    /** A server with an adapter of two ports' worth of everything. */
    @BeforeEach
    void recordAHealthyServer() {
        recorded = new RecordedHost(root)
                .ubuntu()
                .modules("ib_core ib_uverbs rdma_cm rdma_ucm mlx5_core mlx5_ib", "rdma_rxe")
                .file("/sys/module/ib_core/parameters/netns_mode", "Y\n")
                .limits("unlimited", "unlimited")
                .status(1000, 0, 0)
                .node("rdma_cm", "rw-rw-rw-")
                .file(LIBRARIES + "libibverbs.so.1.14.44.0", "\0IBVERBS_PRIVATE_34\0")
                .link(LIBRARIES + "libibverbs.so.1", "libibverbs.so.1.14.44.0")
                .file(LIBRARIES + "librdmacm.so.1", "")
                .file(LIBRARIES + "libibverbs/libmlx5-rdmav34.so", "")
                .file("/etc/libibverbs.d/mlx5.driver", "driver mlx5\n");
        adapter("mlx5_0", "uverbs0", "eth2");
    }

    private void adapter(String name, String node, String network) {
        recorded.mellanox(name)
                .uverbs(node, name)
                .node(node, "rw-rw-rw-")
                .file("/sys/class/net/" + network + "/flags", "0x1003\n")
                .file("/sys/class/net/" + network + "/mtu", "9000\n")
                .file("/sys/class/net/" + network + "/ifindex", "7\n");
        gid(name, network, 0, "fe80:0000:0000:0000:5054:0aff:fe09:0001", "IB/RoCE v1");
        gid(name, network, 1, "fe80:0000:0000:0000:5054:0aff:fe09:0001", "RoCE v2");
        gid(name, network, 3, "0000:0000:0000:0000:0000:ffff:0a09:0001", "RoCE v2");
    }

    private void gid(String device, String network, int index, String gid, String type) {
        String port = "/sys/class/infiniband/" + device + "/ports/1/";
        recorded.file(port + "gids/" + index, gid + "\n")
                .file(port + "gid_attrs/types/" + index, type + "\n")
                .file(port + "gid_attrs/ndevs/" + index, network + "\n");
    }

    private Examination examine() {
        return Doctor.of(recorded.host()).examine();
    }

    private Finding only() {
        List<Finding> findings = examine().findings();
        assertEquals(1, findings.size(), findings::toString);
        return findings.getFirst();
    }

    private static void assertSays(String part, String text) {
        assertTrue(text.contains(part), () -> "\"" + part + "\" is not in: " + text);
    }

    @Test
    void shouldFindNothingOnAHealthyServer() {
        Examination examination = examine();

        assertTrue(examination.isFit());
        assertEquals(List.of(), examination.findings());
        assertEquals("fit for RDMA", examination.toString());
        PortReport port = examination.devices().getFirst().ports().getFirst();
        assertEquals(3, port.preferredGid().orElseThrow().index());
        assertEquals(7, port.preferredGid().orElseThrow().interfaceIndex());
        assertEquals(
                "44.0",
                examination
                        .machine()
                        .orElseThrow()
                        .libraries()
                        .verbs()
                        .orElseThrow()
                        .version()
                        .orElseThrow());
    }

    @Test
    void shouldNameTheLibraryThatIsNotThere() {
        recorded.remove(LIBRARIES + "libibverbs.so.1");
        Finding finding = only();

        assertEquals("library-missing", finding.code());
        assertEquals(Severity.ERROR, finding.severity());
        assertEquals("libibverbs.so.1", finding.subject());
        assertSays("apt-get install -y libibverbs1 ibverbs-providers", finding.remedy());
        assertFalse(examine().isFit());
    }

    @Test
    void shouldHoldTheProvidersVersionAgainstTheLibrarys() {
        recorded.remove(LIBRARIES + "libibverbs/libmlx5-rdmav34.so")
                .file(LIBRARIES + "libibverbs/libmlx5-rdmav25.so", "");
        Finding finding = only();

        assertEquals("provider-missing", finding.code());
        assertSays("missing or of another version than libibverbs", finding.seen());
        assertSays("so that their versions agree", finding.remedy());
    }

    @Test
    void shouldNameTheProviderThatIsNotConfigured() {
        recorded.remove("/etc/libibverbs.d/mlx5.driver").distribution("rocky", "rhel", "Rocky Linux 9.4");
        Finding finding = only();

        assertSays("its provider (mlx5) is not installed", finding.seen());
        assertEquals("dnf install -y libibverbs rdma-core", finding.remedy());
    }

    /** The same words as in the exception: there is one source of them. */
    @Test
    void shouldSayOfANodeWhatTheExceptionSays() {
        recorded.remove("/dev/infiniband/uverbs0");
        Finding finding = only();

        assertEquals("node-missing", finding.code());
        assertEquals(Explanations.open(recorded.host(), "mlx5_0").cause(), finding.seen());
        assertEquals(Explanations.open(recorded.host(), "mlx5_0").next(), finding.remedy());
    }

    @Test
    void shouldTellWhatAKernelUpgradeTookAway() {
        recorded.modules("ib_core mlx5_core mlx5_ib", "ib_uverbs rdma_ucm")
                .remove("/sys/class/infiniband_verbs/uverbs0/ibdev")
                .remove("/dev/infiniband/uverbs0")
                .remove("/dev/infiniband/rdma_cm");
        List<Finding> findings = examine().findings();

        assertEquals(
                List.of("no-user-interface", "connection-manager"),
                findings.stream().map(Finding::code).toList());
        assertSays("the module ib_uverbs is not loaded", findings.getFirst().seen());
        assertSays("modprobe ib_uverbs", findings.getFirst().remedy());
        assertSays("/etc/modules-load.d/ib_uverbs.conf", findings.getFirst().remedy());
        assertSays("modprobe rdma_ucm", findings.getLast().remedy());
    }

    @Test
    void shouldTellThatTheUpgradedKernelDoesNotRunYet() {
        recorded.modules("ib_core ib_uverbs rdma_cm mlx5_core mlx5_ib", "x")
                .remove("/lib/modules/6.8.0-51-generic/modules.dep")
                .remove("/dev/infiniband/rdma_cm");

        assertEquals("connection-manager", only().code());
        assertSays("(6.8.0-51-generic) are not on disk, as after an upgrade: restart", only().remedy());
    }

    @Test
    void shouldAskForASubnetManager() {
        recorded.file("/sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n")
                .file("/sys/class/infiniband/mlx5_0/ports/1/state", "2: INIT\n");
        Finding finding = only();

        assertEquals("port-not-active", finding.code());
        assertEquals("mlx5_0 port 1", finding.subject());
        assertSays("no subnet manager has configured the port", finding.seen());
        assertSays("systemctl start opensm", finding.remedy());
    }

    @Test
    void shouldNotAskForAddressesOnInfiniBand() {
        recorded.file("/sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n")
                .remove("/sys/class/infiniband/mlx5_0/ports/1/gids/3");

        assertTrue(examine().isFit());
    }

    @Test
    void shouldTellAnInterfaceThatIsOffFromOneWithoutCarrier() {
        recorded.file("/sys/class/infiniband/mlx5_0/ports/1/state", "1: DOWN\n");
        assertEquals("link-down", only().code());
        assertSays("eth2 is on, but has no carrier", only().seen());
        assertSays("ethtool eth2", only().remedy());

        recorded.file("/sys/class/net/eth2/flags", "0x1002\n");
        assertSays("eth2 is switched off", only().seen());
        assertEquals("ip link set eth2 up", only().remedy());
    }

    @Test
    void shouldMissAnIpv4Address() {
        recorded.remove("/sys/class/infiniband/mlx5_0/ports/1/gids/3");
        Finding finding = only();

        assertEquals("no-ipv4-address", finding.code());
        assertSays("eth2 has no IPv4 address: its only GID is link-local", finding.seen());
        assertEquals("ip address add ADDRESS/PREFIX dev eth2", finding.remedy());
    }

    @Test
    void shouldTakeOneUsableDeviceForAFitMachine() {
        adapter("mlx5_1", "uverbs1", "eth3");
        recorded.file("/sys/class/infiniband/mlx5_1/ports/1/state", "1: DOWN\n");

        assertTrue(examine().isFit());
        assertEquals(Severity.WARNING, only().severity());
        assertEquals("fit for RDMA: 1 warning", examine().verdict());
        assertFalse(Doctor.of(recorded.host()).device("mlx5_1").examine().isFit(), "the one that was asked for");
        assertTrue(
                Doctor.of(recorded.host()).device("mlx5_0").examine().findings().isEmpty());
    }

    @Test
    void shouldNameTheDevicesThereAreWhenAskedForAnother() {
        Examination examination = Doctor.of(recorded.host()).device("mlx5_7").examine();

        assertFalse(examination.isFit());
        assertSays("no device named mlx5_7", examination.findings().getFirst().seen());
    }

    @Test
    void shouldFindLittleLockedMemory() {
        recorded.limits("65536", "65536");
        assertEquals("memory-limit", only().code());
        assertEquals(Severity.ERROR, only().severity());
        assertSays("> 64 KiB allowed", only().seen());
        assertSays("LimitMEMLOCK=infinity", only().remedy());

        recorded.limits("8388608", "8388608");
        assertEquals(Severity.WARNING, only().severity());
    }

    @Test
    void shouldAnswerWhetherSoMuchMayBeRegistered() {
        recorded.limits("8388608", "8388608");
        Doctor doctor = Doctor.of(recorded.host());

        assertEquals(List.of(), doctor.bytes(8 << 20).examine().findings());
        Finding finding = doctor.bytes((8 << 20) + 1).examine().findings().getFirst();
        assertEquals(Severity.ERROR, finding.severity());
        assertEquals(
                Explanations.registration(recorded.host(), Errno.ENOMEM, (8 << 20) + 1)
                        .cause(),
                finding.seen());
    }

    @Test
    void shouldAnswerWhetherTheControlGroupHasSoMuch() {
        recorded.file("/proc/self/cgroup", "0::/\n").file("/sys/fs/cgroup/memory.max", "1048576\n");

        assertTrue(Doctor.of(recorded.host()).bytes(1 << 20).examine().isFit());
        assertFalse(Doctor.of(recorded.host()).bytes(2 << 20).examine().isFit());
    }

    @Test
    void shouldTellThatTheControlGroupGivesNoMore() {
        recorded.file("/proc/self/cgroup", "0::/\n")
                .file("/sys/fs/cgroup/rdma.current", "mlx5_0 hca_handle=1 hca_object=20\n")
                .file("/sys/fs/cgroup/rdma.max", "mlx5_0 hca_handle=max hca_object=20\n");

        assertEquals("control-group-full", only().code());
        assertSays("rdma.max", only().remedy());
    }

    @Test
    void shouldMentionShortPackets() {
        recorded.file("/sys/class/net/eth2/mtu", "1500\n");

        assertEquals(Severity.INFO, only().severity());
        assertSays("ip link set eth2 mtu 9000", only().remedy());
    }

    @Test
    void shouldTellWhatWentWrongOnAPort() {
        recorded.counter("mlx5_0", "counters", "port_xmit_data", "4711")
                .counter("mlx5_0", "hw_counters", "out_of_buffer", "0")
                .counter("mlx5_0", "hw_counters", "out_of_sequence", "5");

        assertEquals("counters", only().code());
        assertEquals(Severity.INFO, only().severity());
        assertSays("\nout_of_sequence 5: packets were lost or late", only().seen());
        assertFalse(only().seen().contains("out_of_buffer"));
        assertFalse(only().seen().contains("4711"));
    }

    /** The adapter is on node 1. */
    private void recordNodes(String allowed) {
        recorded.numaNode(0, "0-15")
                .numaNode(1, "16-31")
                .file("/proc/thread-self/status", "Cpus_allowed_list:\t" + allowed + "\n");
    }

    @Test
    void shouldWarnOfAProcessOnTheOtherNode() {
        recordNodes("0-15");

        assertEquals("numa-far", only().code());
        assertEquals(Severity.WARNING, only().severity());
        assertSays("mlx5_0 is on NUMA node 1 (processors 16-31)", only().seen());
        assertSays("numactl --cpunodebind=1 --membind=1 COMMAND", only().remedy());
    }

    @Test
    void shouldMentionAProcessThatMayRunOnEitherNode() {
        recordNodes("0-31");
        assertEquals("numa-spread", only().code());
        assertEquals(Severity.INFO, only().severity());

        recordNodes("20-23");
        assertEquals(List.of(), examine().findings());
    }

    /** A file of a driver that hangs: this one never ends to open. */
    @Test
    @Timeout(120)
    void shouldNotHangWhenTheKernelDoes() throws Exception {
        recorded.remove("/sys/class/infiniband/mlx5_0/ports/1/state");
        Process fifo = new ProcessBuilder(
                        "mkfifo",
                        root.resolve("sys/class/infiniband/mlx5_0/ports/1/state")
                                .toString())
                .inheritIO()
                .start();
        assertEquals(0, fifo.waitFor());
        Examination examination =
                Doctor.of(recorded.host()).patience(Duration.ofSeconds(2)).examine();

        assertFalse(examination.isFit());
        Finding finding = examination.findings().getFirst();
        assertEquals("no-answer", finding.code());
        assertEquals("RDMA devices", finding.subject());
        assertSays("did not answer within 2 s", finding.seen());
        assertTrue(examination.machine().isPresent(), "the rest was read");
        assertEquals(List.of(), examination.devices());
    }

    @Test
    void shouldExamineInAnInterruptedThreadToo() {
        Thread.currentThread().interrupt();
        boolean fit = examine().isFit();

        assertTrue(Thread.interrupted(), "and leave it interrupted");
        assertTrue(fit);
    }

    @Test
    void shouldFindSomethingWhereNothingCanBeRead(@TempDir Path nowhere) {
        Examination examination = Doctor.of(new RecordedHost(nowhere).host()).examine();

        assertFalse(examination.isFit());
        assertTrue(examination.findings().stream()
                .anyMatch(finding -> finding.code().equals("no-device")));
    }

    @Test
    void shouldWriteTheWorstFirst() {
        recorded.file("/sys/class/net/eth2/mtu", "1500\n").limits("65536", "65536");
        String text = examine().toString();

        assertSays("not fit for RDMA: 1 error\nERROR memory: ", text);
        assertTrue(text.indexOf("ERROR") < text.indexOf("INFO"), text);
        assertSays("\n  breaks:  registering 1 MiB of memory", text);
    }

    @Test
    void shouldRefuseQuestionsWithoutSense() {
        assertThrows(IllegalArgumentException.class, () -> Doctor.here().bytes(0));
        assertThrows(IllegalArgumentException.class, () -> Doctor.here().patience(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> Doctor.here().patience(Duration.ofDays(2)));
        assertThrows(NullPointerException.class, () -> Doctor.of(null));
        assertThrows(NullPointerException.class, () -> Doctor.here().device(null));
    }
}
