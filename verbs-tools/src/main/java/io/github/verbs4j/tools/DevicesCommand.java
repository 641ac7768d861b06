package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code verbs devices}: what there is. */
@Command(
        name = "devices",
        header = "List the RDMA devices of this machine.",
        description = {
            "",
            "Tells of each device its name, the GUID of its node, what kind of adapter it is, what it speaks, and its"
                    + " character device. If there is none, tells what this machine lacks.",
            ""
        })
final class DevicesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Device.first(); // explains why there is none
        List<List<String>> rows = new ArrayList<>();
        for (Device device : Device.list()) {
            rows.add(List.of(
                    device.name(),
                    Text.guid(device.guid()),
                    Text.words(device.nodeType()),
                    Text.transport(device.transport()),
                    "/dev/infiniband/" + device.nodeName()));
        }
        Table table = Table.of("device", "node GUID", "node type", "transport", "node");
        rows.forEach(table::row);
        table.lines().forEach(spec.commandLine().getOut()::println);
        return 0;
    }
}
