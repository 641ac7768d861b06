package io.github.verbs4j.internal;

import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.error.Limit;
import io.github.verbs4j.ffi.ResourceSummary;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How many objects there are on a device, of all processes, held against how many it can have. The kernel is asked, and no
 * command is run: where memory is short a process may not be able to start one, and containers seldom have it.
 */
public final class ObjectCounts {
    private ObjectCounts() {}

    /**
     * Counts now.
     *
     * @param device for example {@code rxe0}
     * @param limits of the device
     * @return one a kind; empty if the kernel does not tell
     */
    public static List<Limit> of(String device, DeviceAttributes limits) {
        Map<String, Long> counts = ResourceSummary.of(device);
        return Stream.of(
                        new Limit("pd", 0, limits.maxProtectionDomains(), "max_pd"),
                        new Limit("cq", 0, limits.maxCompletionQueues(), "max_cq"),
                        new Limit("qp", 0, limits.maxQueuePairs(), "max_qp"),
                        new Limit("mr", 0, limits.maxRegions(), "max_mr"),
                        new Limit("srq", 0, limits.maxSharedReceiveQueues(), "max_srq"))
                .filter(limit -> counts.containsKey(limit.field()))
                .map(limit ->
                        new Limit(limit.field(), counts.get(limit.field()), limit.allowed(), limit.deviceAttribute()))
                .toList();
    }
}
