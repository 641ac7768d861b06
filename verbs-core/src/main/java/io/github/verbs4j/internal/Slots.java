package io.github.verbs4j.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How many requests one queue of a queue pair can still take. Providers accept more than they granted, silently, so the
 * count is ours.
 *
 * <p>The side that posts belongs to one thread. The side that polls adds what was completed; it is one thread too, maybe
 * another. Work is counted by the batch: a batch becomes a run, (how many slots its first completion frees, how many
 * completions it has), every later completion of the run freeing one slot more. A run that frees one slot from the first
 * on only makes the run before it longer, so a queue of which every request completes never has more than one.
 */
public sealed class Slots permits SharedSlots {
    private static final VarHandle COMPLETED;

    static {
        try {
            COMPLETED = MethodHandles.lookup().findVarHandle(Slots.class, "completed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Posting is not allowed in the present state. */
    public static final int CLOSED = 0;

    private int depth;
    private final long[] runs;
    private final int mask;
    private int oldest;
    private int newest;
    /** Slots in use, as far as known. */
    private int taken;
    /** Slots taken since the last request that will complete. */
    private int silent;
    /** Completions used up. */
    private long seen;
    /**
     * The life of the queue pair that all this counts for, see {@link QueuePairAccount}; none before the first post, so
     * that completions of an older queue pair of the same number do not count.
     */
    private int life = -1;

    private volatile int gate = CLOSED;

    @SuppressWarnings("unused") // through the VarHandle
    private long completed;

    Slots(int depth, int mostRuns) {
        this.depth = depth;
        int size = mostRuns <= 1 ? 1 : Integer.highestOneBit(mostRuns - 1) << 1;
        this.runs = new long[size];
        this.mask = size - 1;
    }

    /**
     * {@return the slots, all free, of a queue of which some requests do not complete} Every run but the first takes two
     * slots at least.
     *
     * @param depth granted number of requests, 0 or more
     */
    public static Slots ofSends(int depth) {
        return new Slots(depth, (depth + 1) / 2);
    }

    /**
     * {@return the slots, all free, of a queue of which every request completes} Only {@link #takeAll} is for them.
     *
     * @param depth granted number of requests, 0 or more
     */
    public static Slots ofReceives(int depth) {
        return new Slots(depth, 1);
    }

    /** {@return the granted number of requests} */
    public final int depth() {
        return depth;
    }

    /**
     * Polling side: adds completions.
     *
     * @param count completions of requests posted here, in the order of posting
     */
    public void complete(int count) {
        COMPLETED.setRelease(this, completed + count);
    }

    /** Polling side: adds completions, as other threads may at the same time. */
    final void addCompleted(int count) {
        long _ = (long) COMPLETED.getAndAddRelease(this, (long) count);
    }

    /** Polling side: the queue pair has failed. Nothing is posted to its own queue then until it begins anew. */
    void failed() {}

    /**
     * Posting side: how many slots are free, at least up to a number asked for.
     *
     * @param wanted no need to look for more than these
     * @return free slots; exact unless it is more than wanted
     */
    public final int room(int wanted) {
        int room = depth - taken;
        return room > wanted ? room : reclaim();
    }

    /**
     * Posting side: takes slots for a batch of which all complete.
     *
     * @param count requests, at most {@link #room}
     */
    public final void takeAll(int count) {
        push(silent + 1, count);
        taken += count;
        silent = 0;
    }

    /**
     * Posting side: takes slots for a batch of which only the last completes.
     *
     * @param count requests, at most {@link #room}
     */
    public final void takeWithLast(int count) {
        push(silent + count, 1);
        taken += count;
        silent = 0;
    }

    /**
     * Posting side: takes slots for requests of which none completes.
     *
     * @param count requests, at most {@link #room}
     */
    public final void takeSilent(int count) {
        taken += count;
        silent += count;
    }

    /** {@return the present life while requests may be posted, else {@link #CLOSED}} */
    public final int gate() {
        return gate;
    }

    /** Says what may be posted from now on: the present life while requests may be, else {@link #CLOSED}. */
    void open(int newGate) {
        gate = newGate;
    }

    /** {@return the life of the queue pair that the count is for} */
    public final int life() {
        return life;
    }

    /**
     * Posting side: after a reset, forgets everything that was outstanding; completions up to now count for nothing.
     *
     * @param newLife the queue pair's present life
     */
    public void begin(int newLife) {
        life = newLife;
        oldest = newest;
        taken = 0;
        silent = 0;
        seen = (long) COMPLETED.getAcquire(this);
    }

    /** Posting side: goes on with another depth. */
    final void enter(int newLife, int newDepth) {
        life = newLife;
        depth = newDepth;
    }

    /**
     * {@return the slots in use of a queue of which every request completes} For messages: while another thread posts or
     * polls it is a guess.
     */
    public final int inUse() {
        return taken - (int) ((long) COMPLETED.getAcquire(this) - seen);
    }

    private void push(int first, int count) {
        if (first == 1 && newest != oldest) {
            runs[newest - 1 & mask] += count;
        } else {
            runs[newest++ & mask] = run(first, count);
        }
    }

    private static long run(int first, int count) {
        return (long) first << 32 | count;
    }

    private int reclaim() {
        long now = (long) COMPLETED.getAcquire(this);
        long fresh = now - seen;
        seen = now;
        // Completions without a run are late ones from before a reset.
        while (fresh > 0 && oldest != newest) {
            long run = runs[oldest & mask];
            int count = (int) run;
            int step = (int) Math.min(fresh, count);
            taken -= step + (int) (run >>> 32) - 1;
            fresh -= step;
            if (step == count) {
                oldest++;
            } else {
                runs[oldest & mask] = run(1, count - step);
            }
        }
        return depth - taken;
    }
}
