package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.attr.GidEntry;

/**
 * What is measured.
 *
 * @param device its name
 * @param driver its kernel driver
 * @param gid the address to use, which tells the port
 */
record Target(String device, String driver, GidEntry gid) {
    /** Whether the kernel does the work, and not a network adapter. */
    boolean isSoftware() {
        return driver.contains("rxe") || driver.contains("siw") || device.startsWith("rxe");
    }
}
