package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** A step of a connection: begun by a call, ended by the event that says how it went, or by its deadline. */
@Name(StepEvent.NAME)
@Label("Connection Step")
@Category({"Verbs4J", "Connections"})
@Description(
        "Resolving an address or a route, connecting, accepting, joining: from the call to its outcome, so its duration is what the"
                + " network, the kernel and the peer took")
@StackTrace(false) // it ends in whichever thread learns of the outcome; the call has the stack trace
@Registered(false)
public final class StepEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.ConnectionStep";

    @Label("Identifier")
    private String identifier;

    @Label("Operation")
    @Description("The C function that began it")
    private String operation;

    @Label("Destination")
    private String destination;

    @Label("From")
    private String from;

    @Label("To")
    private String to;

    @Label("Failure")
    @Description("The first line of what the caller was told; empty if it went well")
    private String failure;

    /** Not begun yet. */
    public StepEvent() {}

    /**
     * Says what was begun.
     *
     * @param name of the identifier
     * @param function the C function
     * @param peer the address of the peer, null if it is not known
     * @param before the state that it began in
     */
    public void asked(String name, String function, String peer, String before) {
        identifier = name;
        operation = function;
        destination = peer;
        from = before;
    }

    /**
     * Tells of it.
     *
     * @param now the state that it ended in
     * @param why it failed, null if it went well
     */
    public void tell(String now, String why) {
        to = now;
        failure = why;
        commit();
    }
}
