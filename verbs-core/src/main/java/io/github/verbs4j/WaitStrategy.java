package io.github.verbs4j;

/**
 * How {@link Completions#await} passes the time until something completes. Every strategy can be interrupted, keeps its
 * deadline, polls before it does anything else, and leaves the carrier of a virtual thread to others again and again.
 *
 * <p>Constants, and no more: whoever needs another way to wait calls {@link Completions#poll} in a loop of their own.
 */
public enum WaitStrategy {
    /**
     * Polls without a pause. The lowest latency, and a whole processor, whether anything completes or not. In a virtual
     * thread it yields after every 32 polls.
     *
     * <p>For a thread that has a processor to itself. Where processors are fewer than spinning threads, the peer or a
     * software device may be waiting for the very processor that spins.
     */
    SPIN,

    /**
     * Polls without a pause for 50 microseconds, then calls {@link Thread#yield} between polls. A whole processor still,
     * but other threads that want it get it; then a completion is seen only when they give it back, up to some
     * milliseconds later.
     *
     * <p>For a processor that is shared with threads that rarely run.
     */
    SPIN_THEN_YIELD,

    /**
     * While the waits of this {@link Completions} have been short of late (5 milliseconds on average): polls without a pause
     * for 100 microseconds, then once in 50 microseconds for the rest of 5 milliseconds. After that, and at once where
     * waits have been longer, sleeps as {@link #EVENT} does. So a busy stream has the latency of spinning, an idle one
     * costs next to no processor time, and the first completion after a pause is as late as with {@link #EVENT}. Where
     * the device has no completion events it goes on polling once in 50 microseconds.
     *
     * <p>For everything else; take this one if in doubt.
     */
    ADAPTIVE,

    /**
     * {@code ibv_req_notify_cq}: sleeps until the device tells of a completion. No processor time while nothing
     * completes. Each wait costs the request for the event, an interrupt, and the switch to two threads: the one that takes
     * the events of the {@link DeviceContext} (a daemon, started by the first such wait), which wakes this one:
     * always later than spinning sees it, where the spinning thread has a processor to itself.
     *
     * <p>For completions that come rarely, and for many queues whose readers are virtual threads.
     */
    EVENT
}
