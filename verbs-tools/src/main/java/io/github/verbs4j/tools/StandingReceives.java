package io.github.verbs4j.tools;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ReceiveQueue;

/** The receives of a ping-pong, posted anew when few are left. All put their message at the same place. */
final class StandingReceives {
    private static final long ID = 1;

    private final ReceiveQueue queue;
    private final MemoryRegion memory;
    private final long offset;
    private final long length;
    private final int depth;
    private final int few;
    private int posted;

    /**
     * Makes them; none is posted yet.
     *
     * @param queue where to post them
     * @param memory where messages go
     * @param offset where in it, bytes
     * @param length room for a message and what comes in front of it, bytes
     * @param depth how many at most
     * @param few when so many are left, it is time to post
     */
    StandingReceives(ReceiveQueue queue, MemoryRegion memory, long offset, long length, int depth, int few) {
        this.queue = queue;
        this.memory = memory;
        this.offset = offset;
        this.length = length;
        this.depth = depth;
        this.few = few;
    }

    /** Posts up to the depth. */
    void post() {
        for (int i = posted; i < depth; i++) {
            queue.receive(ID, memory, offset, length);
        }
        posted += queue.post();
        if (posted < depth) {
            throw new CommandFailure("only " + posted + " of " + depth + " receives could be posted");
        }
    }

    /** A message has taken one. */
    void taken() {
        posted--;
        if (posted <= few) {
            post();
        }
    }
}
