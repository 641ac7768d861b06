package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** A counter of a port, as the kernel tells it. */
@Name(CounterEvent.NAME)
@Label("Port Counter")
@Category({"Verbs4J", "Device"})
@Description("A counter of a port of an open device, by the kernel's name; it counts what every process does there")
@Period("10 s")
@StackTrace(false)
@Registered(false)
public final class CounterEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.PortCounter";

    @Label("Device")
    private String device;

    @Label("Port")
    private int port;

    @Label("Counter")
    private String counter;

    @Label("Value")
    private long value;

    /** Not told yet. */
    public CounterEvent() {}

    /**
     * Tells of it.
     *
     * @param rdmaDevice name of the device
     * @param number of the port
     * @param name of the counter
     * @param count its value
     */
    public void tell(String rdmaDevice, int number, String name, long count) {
        device = rdmaDevice;
        port = number;
        counter = name;
        value = count;
        commit();
    }
}
