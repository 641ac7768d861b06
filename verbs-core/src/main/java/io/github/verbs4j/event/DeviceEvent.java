package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** {@code ibv_async_event}. */
@Name(DeviceEvent.NAME)
@Label("Asynchronous Event")
@Category({"Verbs4J", "Device"})
@Description(
        "An event that a device raised by itself (ibv_get_async_event); seen while a thread of the context takes events, that is,"
                + " while somebody listens to them or has waited by event")
@StackTrace(false) // of the event thread, always the same
@Registered(false)
public final class DeviceEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.AsynchronousEvent";

    @Label("Type")
    private String type;

    @Label("Source")
    @Description("The resource or the port that it is about")
    private String source;

    @Label("Device")
    private String device;

    /** Not told yet. */
    public DeviceEvent() {}

    /**
     * Tells of it.
     *
     * @param what its type
     * @param about what it is about
     * @param rdmaDevice name of the device
     */
    public void tell(String what, String about, String rdmaDevice) {
        type = what;
        source = about;
        device = rdmaDevice;
        commit();
    }
}
