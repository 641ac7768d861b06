package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** How much memory is registered with a device. */
@Name(MemoryEvent.NAME)
@Label("Registered Memory")
@Category({"Verbs4J", "Resources"})
@Description(
        "How much memory this process has registered through an open device; it is pinned, and counts against RLIMIT_MEMLOCK")
@Period("10 s")
@StackTrace(false)
@Registered(false)
public final class MemoryEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.RegisteredMemory";

    @Label("Context")
    private String context;

    @Label("Regions")
    private long regions;

    @Label("Bytes")
    @DataAmount
    private long bytes;

    /** Not told yet. */
    public MemoryEvent() {}

    /**
     * Tells of it.
     *
     * @param name of the open device
     * @param count of regions
     * @param sum of their bytes
     */
    public void tell(String name, long count, long sum) {
        context = name;
        regions = count;
        bytes = sum;
        commit();
    }
}
