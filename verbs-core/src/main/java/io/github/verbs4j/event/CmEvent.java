package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** {@code rdma_cm_event}. */
@Name(CmEvent.NAME)
@Label("Connection Event")
@Category({"Verbs4J", "Connections"})
@Description(
        "An event of librdmacm (rdma_get_cm_event): an outcome that a step waited for, a request, the end of a connection")
@StackTrace(false) // of the event thread, always the same
@Registered(false)
public final class CmEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.ConnectionEvent";

    @Label("Identifier")
    @Description("What it is about; of a request, the listener. Empty if that was closed meanwhile")
    private String identifier;

    @Label("Type")
    private String type;

    @Label("Status")
    @Description("0, a negative error number, or why a peer rejected")
    private int status;

    @Label("State")
    @Description("Of the identifier, when it came")
    private String state;

    /** Not told yet. */
    public CmEvent() {}

    /**
     * Tells of it.
     *
     * @param name of the identifier, null if it is gone
     * @param what its type
     * @param number its status
     * @param now the state of the identifier, null if it is gone
     */
    public void tell(String name, String what, int number, String now) {
        identifier = name;
        type = what;
        status = number;
        state = now;
        commit();
    }
}
