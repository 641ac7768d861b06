package io.github.verbs4j.error;

import io.github.verbs4j.host.Host;

/** Memory: registering it, and queues that do not fit in it. */
final class MemoryExplanations {
    private MemoryExplanations() {}

    static Explanation registration(Host host, Errno errno, long bytes) {
        return Explanation.NONE;
    }

    static Explanation creation(Host host, String device, long... depths) {
        return Explanation.NONE;
    }
}
