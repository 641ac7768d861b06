package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.GidTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The second process of the demo; started by the first. */
@Command(name = "demo-peer", hidden = true, header = "The second process of the demo; not for people.")
final class DemoPeerCommand implements Callable<Integer> {
    /** In place of an index: the preferred row. */
    static final String PREFERRED = "preferred";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DEVICE", description = "RDMA device.")
    private String device;

    @Parameters(index = "1", paramLabel = "PORT", description = "Port of the device.")
    private int port;

    @Parameters(index = "2", paramLabel = "INDEX", description = "Row of the GID table.")
    private String gidIndex;

    @Override
    public Integer call() {
        try (DeviceContext context = Device.named(device).open();
                Endpoint endpoint = Demo.create(context)) {
            GidTable gids = context.gids(port);
            GidEntry gid = gidIndex.equals(PREFERRED) ? gids.preferred() : gids.byIndex(Integer.parseInt(gidIndex));
            new DemoPeer(endpoint, gid, System.in, spec.commandLine().getOut()).serve();
        }
        return 0;
    }
}
