package io.github.verbs4j.tools;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verbs demo}: options. */
@Command(
        name = "demo",
        header = "Two Java processes move data over an RDMA device, and tell how it went.",
        description = {
            "",
            "Starts a second Java process as the peer. They play ping-pong with messages of 64 bytes and 4 KiB, then one"
                    + " writes 1 MiB into the other's memory and reads 1 MiB out of it; every byte is compared. Prints"
                    + " the times beside those of the C program ibv_rc_pingpong, and what happened, in words.",
            ""
        })
final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-d", "--ib-dev", "--device"},
            paramLabel = "NAME",
            converter = DeviceName.class,
            description = "RDMA device (default: the first).")
    private String device;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "1",
            description = "Port of the device (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            description = "Row of the GID table (default: the preferred one, see devinfo).")
    private Integer gidIndex;

    @Option(names = "--quick", description = "A twentieth of the round trips, and no C program.")
    private boolean quick;

    @Option(names = "--check-usage", hidden = true, description = "Look at the options only.")
    private boolean checkUsage;

    @Override
    public Integer call() {
        Usage.requireRange(spec, "port (-i)", port, 1, 255);
        Usage.requireGidIndex(spec, gidIndex);
        if (checkUsage) {
            return 0;
        }
        DemoPlan plan = quick ? DemoPlan.QUICK : DemoPlan.FULL;
        new Demo(plan, device, port, gidIndex, new Console(spec.commandLine().getOut())).run();
        return 0;
    }
}
