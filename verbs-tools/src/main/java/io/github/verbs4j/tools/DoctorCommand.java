package io.github.verbs4j.tools;

import io.github.verbs4j.doctor.Doctor;
import io.github.verbs4j.doctor.Examination;
import io.github.verbs4j.doctor.Severity;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbs doctor}: is this machine fit for RDMA, and if not, what helps? The JSON is described in docs/doctor.md. */
@Command(
        name = "doctor",
        header = "Tell whether this machine is fit for RDMA, and if not, what to do.",
        description = {
            "",
            "Looks at devices, ports, addresses, device nodes, modules, libraries, limits, capabilities and namespaces."
                    + " Tells of each trouble what was seen, what it breaks and what to type. Needs no root, no device"
                    + " and no library, changes nothing, and does not hang.",
            ""
        },
        exitCodeList = {
            "0:fit for RDMA; there may be warnings",
            "1:not fit: there is an error",
            "2:wrong usage",
        },
        footer = {
            "",
            "A device or port that cannot be used is an error if no other one can, or if it was asked for; else a"
                    + " warning. The JSON is described in docs/doctor.md.",
        })
final class DoctorCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "One JSON object with everything that was seen and found.")
    private boolean json;

    @Option(
            names = {"-d", "--ib-dev", "--device"},
            paramLabel = "NAME",
            converter = DeviceName.class,
            description = "Only this device: fit if it is (default: fit if one of them is).")
    private String deviceName;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description =
                    "Also ask whether this process may register so much memory; k, m and g mean KiB, MiB and GiB.",
            converter = ByteCount.class)
    private Long bytes;

    @Option(
            names = {"-q", "--quiet"},
            description = "Only errors and warnings; nothing at all if there are none.")
    private boolean quiet;

    @Override
    public Integer call() {
        if (json && quiet) {
            throw new ParameterException(
                    spec.commandLine(), "--json tells everything, --quiet does not: use one of them");
        }
        Examination examination = doctor().examine();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.text(DoctorJson.of(examination)));
        } else {
            DoctorText text = new DoctorText(Ansi.AUTO);
            (quiet ? text.findings(examination.findings(Severity.WARNING)) : text.all(examination))
                    .forEach(out::println);
        }
        return examination.isFit() ? 0 : 1;
    }

    private Doctor doctor() {
        Doctor doctor = Doctor.here();
        if (deviceName != null) {
            doctor = doctor.device(deviceName);
        }
        if (bytes != null) {
            doctor = doctor.bytes(bytes);
        }
        return doctor;
    }
}
