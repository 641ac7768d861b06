package io.github.verbs4j.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many receives a shared receive queue can still take. They end in any completion queue that its queue pairs report
 * to, in any order, so slots are freed by number alone, and by several threads.
 *
 * <p>Its life is one size: a new one begins with each resize, and nothing is forgotten.
 */
public final class SharedSlots extends Slots {
    private volatile int granted;
    /** Slots freed on suspicion. */
    private final AtomicInteger doubts = new AtomicInteger();

    /**
     * Makes slots, all free.
     *
     * @param depth granted number of receives, 0 or more
     */
    public SharedSlots(int depth) {
        super(depth, 1);
        this.granted = depth;
        super.open(1);
    }

    /** The state of a single queue pair does not matter. */
    @Override
    void open(int newGate) {}

    /**
     * Tells the posting side of another size.
     *
     * @param depth granted number of receives, 0 or more
     */
    public synchronized void resize(int depth) {
        granted = depth;
        super.open(gate() + 1);
    }

    @Override
    public void begin(int newLife) {
        enter(newLife, granted);
    }

    @Override
    public void complete(int count) {
        addCompleted(count);
    }

    /**
     * A message may have been under way, and its receive then ends as failed. Which of the failed completions that is, no
     * device tells, so the first one frees the slot; if there was no such message it is one too many, see {@link #takeBack}.
     */
    @Override
    void failed() {
        doubts.incrementAndGet();
        addCompleted(1);
    }

    /**
     * Posting side: takes back what was freed on suspicion, because the provider says that the queue is full.
     *
     * @return whether there was any
     */
    public boolean takeBack() {
        int count = Math.min(doubts.get(), room(depth()));
        if (count <= 0) {
            return false;
        }
        doubts.addAndGet(-count);
        takeAll(count);
        return true;
    }
}
