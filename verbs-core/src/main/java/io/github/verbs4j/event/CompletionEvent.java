package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** A completion that was polled and says that work failed. Of work that succeeds there is no event: it would cost. */
@Name(CompletionEvent.NAME)
@Label("Failed Completion")
@Category({"Verbs4J", "Data Path"})
@Description("Work that failed, when its completion was polled; of work that succeeds there is no event")
@StackTrace(false) // of the thread that polls, which did nothing wrong
@Registered(false)
public final class CompletionEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.FailedCompletion";

    @Label("Queue Pair Number")
    private int queuePair;

    @Label("Request")
    @Description("The id that the request was staged with (wr_id)")
    private long request;

    @Label("Status")
    @Description(
            "ibv_wc_status; WR_FLUSH_ERR is only the echo of an earlier failure, or of leading the queue pair to ERR")
    private String status;

    @Label("Vendor Error")
    private int vendorError;

    @Label("Completion Queue")
    private String completionQueue;

    /** Not told yet. */
    public CompletionEvent() {}

    /**
     * Tells of it.
     *
     * @param number of the queue pair
     * @param id of the request
     * @param how the work ended
     * @param vendor the vendor's code
     * @param queue name of the completion queue
     */
    public void tell(int number, long id, String how, int vendor, String queue) {
        queuePair = number;
        request = id;
        status = how;
        vendorError = vendor;
        completionQueue = queue;
        commit();
    }
}
