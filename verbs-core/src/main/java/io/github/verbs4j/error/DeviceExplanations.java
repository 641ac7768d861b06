package io.github.verbs4j.error;

import io.github.verbs4j.host.Host;

/** Devices: none there, not opened, not pleased. */
final class DeviceExplanations {
    private DeviceExplanations() {}

    static Explanation noDevice(Host host) {
        return Explanation.NONE;
    }

    static Explanation open(Host host, String device) {
        return Explanation.NONE;
    }

    static Explanation invalidArgument(Host host, String device) {
        return Explanation.NONE;
    }
}
