package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;

/** A call of the control path: begun before it, ended after it, told with what was asked and what came of it. */
@Name(CallEvent.NAME)
@Label("Control Call")
@Category({"Verbs4J", "Control Path"})
@Description(
        "A call of libibverbs or librdmacm that goes through the kernel; its duration is that of the C function alone")
@Registered(false)
public final class CallEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.Call";

    @Label("Operation")
    @Description("The C function, for example ibv_create_qp")
    private String operation;

    @Label("Object")
    @Description("What the call was made on; of a creation, what is built on")
    private String object;

    @Label("Arguments")
    @Description("What was asked for, by the names that C uses")
    private String arguments;

    @Label("Result")
    @Description("What was made, or the number that C returned")
    private String result;

    @Label("Error Number")
    @Description("errno; 0 of a call that succeeded, and of one that failed without a number")
    private int errno;

    @Label("Error")
    @Description("Name of the error number, \"unknown\" where C gave none; empty of a call that succeeded")
    private String error;

    @Label("Device")
    @Description("Name of the RDMA device; empty of a call that concerns none")
    private String device;

    /** Not begun yet. */
    public CallEvent() {}

    /**
     * Says what was called.
     *
     * @param function the C function
     * @param on what it was called on
     * @param asked what was asked for
     * @param rdmaDevice name of the device, null if there is none
     */
    public void asked(String function, String on, String asked, String rdmaDevice) {
        operation = function;
        object = on;
        arguments = asked;
        device = rdmaDevice;
    }

    /**
     * Says what came of it.
     *
     * @param outcome what was made, or the number that C returned
     * @param number errno, 0 if there is none
     * @param name of the error; null if the call succeeded
     */
    public void ended(String outcome, int number, String name) {
        result = outcome;
        errno = number;
        error = name;
    }
}
