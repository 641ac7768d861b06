package io.github.verbs4j.it.limit;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.error.VerbsException;

/** What child virtual machines run: opens the first device, registers memory of the given
 * lengths one after the other, tells how it went. */
final class Asker {
    static final int REFUSED = 3;

    private Asker() {}

    public static void main(String[] arguments) {
        try (DeviceContext context = Device.first().open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            for (String bytes : arguments) {
                try (MemoryRegion memory = domain.allocate(Long.parseLong(bytes), AccessFlag.LOCAL_WRITE)) {
                    System.out.println("registered " + memory.length());
                }
            }
        } catch (VerbsException e) {
            System.out.println(e.getMessage());
            System.exit(REFUSED);
        }
    }
}
