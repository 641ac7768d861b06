package io.github.verbs4j.it.placement;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.Placement;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.host.Host;

/** What child virtual machines run: allocates so many bytes on a node, in huge pages if it is told so, tells where they lie. */
final class Allocator {
    static final int REFUSED = 3;

    private Allocator() {}

    public static void main(String[] arguments) {
        Placement placement = Placement.onNode(Integer.parseInt(arguments[0]));
        if (arguments.length > 2) {
            placement = placement.hugePages(Placement.TWO_MEBIBYTES);
        }
        try (DeviceContext context = Device.first().open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory =
                        domain.allocate(Long.parseLong(arguments[1]), placement, AccessFlag.LOCAL_WRITE)) {
            memory.mapping()
                    .orElseThrow()
                    .bytesByNode()
                    .forEach((node, bytes) -> System.out.println(
                            "policy " + memory.mapping().orElseThrow().policy() + " on node " + node + ": " + bytes));
            System.out.println("processors " + Host.local().allowedCpus() + " afterwards");
        } catch (VerbsException e) {
            System.out.println(e.getMessage());
            System.exit(REFUSED);
        }
    }
}
