package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** How many resources of a kind are open in this process. */
@Name(ResourcesEvent.NAME)
@Label("Open Resources")
@Category({"Verbs4J", "Resources"})
@Description("How many resources of a kind this process has open; a number that only grows is a leak")
@Period("10 s")
@StackTrace(false)
@Registered(false)
public final class ResourcesEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.OpenResources";

    @Label("Kind")
    private String kind;

    @Label("Open")
    private long open;

    /** Not told yet. */
    public ResourcesEvent() {}

    /**
     * Tells of it.
     *
     * @param name of the kind
     * @param count how many are open
     */
    public void tell(String name, long count) {
        kind = name;
        open = count;
        commit();
    }
}
