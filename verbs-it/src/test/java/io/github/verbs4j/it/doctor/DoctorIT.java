package io.github.verbs4j.it.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import io.github.verbs4j.it.rdma.Watchdog;
import io.github.verbs4j.tools.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The machine is healthy, then something is taken from it, and given back: the doctor names it, with the remedy. What
 * belongs to a process is taken from a child; the doctor does not use the device, so the rest is taken from this one.
 */
@SoftRoceMachine
class DoctorIT {
    private static Shell.Result doctor(String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "doctor";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        int status = Main.commandLine().setOut(writer).setErr(writer).execute(command);
        return new Shell.Result(status, output.toString());
    }

    /** While something is broken. */
    private static Shell.Result doctorWhile(String breaking, String repairing, String... arguments) {
        Shell.output("sh", "-ec", breaking);
        try {
            return doctor(arguments);
        } finally {
            Shell.output("sh", "-ec", repairing);
        }
    }

    private static void requireNamed(Shell.Result result, Troubleshooting.Case expected) {
        assertEquals(1, result.status(), result::output);
        assertTrue(result.output().contains("not fit for RDMA: 1 error"), result::output);
        expected.mustBeIn(result.output());
    }

    @Test
    void shouldCallTheHealthyMachineFit() {
        Shell.Result result = doctor();

        assertEquals(0, result.status(), result::output);
        Troubleshooting.line("D1").when("healthy").mustBeIn(result.output());
        assertFalse(result.output().contains("ERROR"), result::output);
        assertEquals("", doctor("--quiet").requireSuccess());
        assertTrue(doctor("--json").requireSuccess().contains("\"openRefusal\" : null"));
    }

    @Test
    void shouldNameTheConnectionManagersModule() {
        requireNamed(
                doctorWhile("rmmod rdma_ucm", "modprobe rdma_ucm"),
                Troubleshooting.line("B7").when("rdma_ucm"));
    }

    @Test
    void shouldNameTheMissingNode() {
        requireNamed(
                doctorWhile("mv /dev/infiniband/uverbs0 /dev/away", "mv /dev/away /dev/infiniband/uverbs0"),
                Troubleshooting.line("B7").when("no node"));
    }

    @Test
    void shouldNameTheMissingProvider() {
        requireNamed(
                doctorWhile(
                        "mv /usr/lib/*/libibverbs/librxe-rdmav*.so /dev/shm",
                        "mv /dev/shm/librxe-rdmav*.so /usr/lib/*/libibverbs/"),
                Troubleshooting.line("D1").when("provider"));
    }

    @Test
    void shouldAnswerForBytes() {
        assertEquals(0, doctor("--bytes", "1m").status());
        requireNamed(doctor("--bytes", "1t"), Troubleshooting.line("D1").when("bytes"));
    }

    /** On a device of their own: the other tests use the first one. */
    private static Shell.Result doctorOfAnotherDevice(String interfaceState) {
        String made =
                "ip link add other0 type dummy; " + interfaceState + "; rdma link add rxe9 type rxe netdev other0";
        return doctorWhile(made, "rdma link delete rxe9; ip link delete other0", "--device", "rxe9");
    }

    @Test
    void shouldNameTheLinkThatIsDown() {
        requireNamed(doctorOfAnotherDevice("true"), Troubleshooting.line("D1").when("link"));
    }

    @Test
    void shouldNameTheInterfaceWithoutAnAddress() {
        requireNamed(
                doctorOfAnotherDevice("ip link set other0 up"),
                Troubleshooting.line("D1").when("address"));
    }

    @Test
    void shouldNameTheNodeThatThisUserMayNotOpen() {
        requireNamed(
                ChildJvm.run(
                        "unshare -m sh -ec 'mount -t tmpfs none /mnt; cp -a /dev/infiniband/. /mnt; "
                                + "mount --bind /mnt /dev/infiniband; chmod 600 /dev/infiniband/uverbs0; "
                                + "exec prlimit --memlock=unlimited " + ChildJvm.AS_NOBODY + "\"$@\"' sh \"$@\"",
                        Patient.class),
                Troubleshooting.line("D1").when("mode"));
    }

    @Test
    void shouldNameTheLimitOnLockedMemory() {
        requireNamed(
                ChildJvm.run("exec prlimit --memlock=65536:65536 " + ChildJvm.AS_NOBODY + "\"$@\"", Patient.class),
                Troubleshooting.line("D1").when("locked memory"));
    }

    /** The mode can change back only when the other namespace is gone, which the kernel does in its own time. */
    @Test
    void shouldNameTheNamespaceOfTheDevice() {
        Shell.output("rdma", "system", "set", "netns", "exclusive");
        try {
            requireNamed(
                    ChildJvm.run("unshare -n \"$@\"", Patient.class),
                    Troubleshooting.line("D1").when("namespace"));
        } finally {
            Watchdog.await(
                    "devices to be shared again",
                    () -> Shell.run(List.of("rdma", "system", "set", "netns", "shared"))
                                    .status()
                            == 0);
        }
    }

    /** This virtual machine may hold the modules by what it has open, so they are hidden from the child. */
    @Test
    void shouldNameTheModulesThatAreNotLoaded() {
        Shell.Result result = ChildJvm.run(
                "unshare -m sh -ec 'grep -vE \"^(ib_|rdma_|iw_cm)\" /proc/modules > /run/modules; "
                        + "mount --bind /run/modules /proc/modules; for gone in /sys/module /sys/class/infiniband "
                        + "/sys/class/infiniband_verbs /dev/infiniband; do mount -t tmpfs none $gone; done; "
                        + "exec \"$@\"' sh \"$@\"",
                Patient.class);

        assertEquals(1, result.status(), result::output);
        Troubleshooting.line("B7").when("no module").mustBeIn(result.output());
    }

    @Test
    void shouldSeeTheDeviceThatTheLibrarySees() {
        assertTrue(doctor("--device", Rdma.device().name()).requireSuccess().contains("/dev/infiniband/"));
    }
}
