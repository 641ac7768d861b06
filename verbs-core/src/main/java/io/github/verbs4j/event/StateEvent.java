package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;

/** A queue pair that went from one state to another. */
@Name(StateEvent.NAME)
@Label("Queue Pair State")
@Category({"Verbs4J", "Queue Pairs"})
@Description("A queue pair that was led from one state to another, or went to ERR or SQE by itself because work failed")
@Registered(false)
public final class StateEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.QueuePairState";

    @Label("Queue Pair")
    private String queuePair;

    @Label("From")
    private String from;

    @Label("To")
    private String to;

    @Label("Cause")
    @Description("What led it there: ibv_modify_qp, a failed completion, or the device by itself")
    private String cause;

    /** Not told yet. */
    public StateEvent() {}

    /**
     * Tells of it.
     *
     * @param name of the queue pair
     * @param before its state until now
     * @param now its state from now on
     * @param why what led it there
     */
    public void tell(String name, String before, String now, String why) {
        queuePair = name;
        from = before;
        to = now;
        cause = why;
        commit();
    }
}
