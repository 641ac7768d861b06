package io.github.verbs4j.host;

import java.util.OptionalLong;

/**
 * What the control group of this process counts on one RDMA device, and how much it allows ({@code rdma.current} and
 * {@code rdma.max}).
 *
 * @param objects objects that exist: queue pairs, completion queues, regions, domains and the rest
 * @param handles devices that are open
 * @param maxObjects how many objects may exist; empty if unlimited or unknown
 * @param maxHandles how many times the device may be open; empty if unlimited or unknown
 */
public record RdmaControlGroup(
        OptionalLong objects, OptionalLong handles, OptionalLong maxObjects, OptionalLong maxHandles) {}
