package io.github.verbs4j.internal;

/**
 * How many receives a shared receive queue can still take. They end in any completion queue that its queue pairs report
 * to, in any order, so slots are freed by number alone, and by several threads.
 *
 * <p>Its life is one size: a new one begins with each resize, and nothing is forgotten.
 */
public final class SharedSlots extends Slots {
    private volatile int granted;
    private volatile int gate = 1;

    /**
     * Makes slots, all free.
     *
     * @param depth granted number of receives, 0 or more
     */
    public SharedSlots(int depth) {
        super(depth, 1);
        this.granted = depth;
    }

    /** {@return the present life, never {@link QueuePairAccount#CLOSED}: receives may always be posted} */
    public int gate() {
        return gate;
    }

    /**
     * Tells the posting side of another size.
     *
     * @param depth granted number of receives, 0 or more
     */
    public synchronized void resize(int depth) {
        granted = depth;
        gate++;
    }

    @Override
    public void complete(int count) {
        addCompleted(count);
    }

    /** Once for each queue pair that fails: a message may have been under way, whose receive then ends as failed. */
    @Override
    void failed() {
        addCompleted(1);
    }

    @Override
    public void begin(int newLife) {
        enter(newLife, granted);
    }
}
