package io.github.verbs4j.host;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * What a control group of this process counts on one RDMA device, and how much it allows ({@code rdma.current} and
 * {@code rdma.max}).
 *
 * @param directory the group's own, for example {@code /sys/fs/cgroup/system.slice}
 * @param objects objects that exist: queue pairs, completion queues, regions, domains and the rest
 * @param handles devices that are open
 * @param maxObjects how many objects may exist; empty if unlimited or unknown
 * @param maxHandles how many times the device may be open; empty if unlimited or unknown
 */
public record RdmaControlGroup(
        String directory,
        OptionalLong objects,
        OptionalLong handles,
        OptionalLong maxObjects,
        OptionalLong maxHandles) {
    /** Refuses null. */
    public RdmaControlGroup {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(objects, "objects");
        Objects.requireNonNull(handles, "handles");
        Objects.requireNonNull(maxObjects, "maxObjects");
        Objects.requireNonNull(maxHandles, "maxHandles");
    }

    /** {@return whether there are as many objects or handles as it allows} */
    public boolean isFull() {
        return isReached(objects, maxObjects) || isReached(handles, maxHandles);
    }

    private static boolean isReached(OptionalLong count, OptionalLong bound) {
        return bound.isPresent() && count.orElse(0) >= bound.getAsLong();
    }
}
