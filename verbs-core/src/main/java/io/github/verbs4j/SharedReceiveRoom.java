package io.github.verbs4j;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The room of a shared receive queue in the completion queues where its queue pairs report receives: all of them may end
 * in any one, however many queue pairs report there, so each keeps room for all.
 */
final class SharedReceiveRoom {
    private final Map<CompletionQueue, Users> queues = new IdentityHashMap<>();
    private int depth;

    /** The queue pairs that report to one completion queue. */
    private static final class Users {
        private int count;
        private boolean mayOverrun;
    }

    SharedReceiveRoom(int depth) {
        this.depth = depth;
    }

    /**
     * A queue pair will report there.
     *
     * @throws IllegalArgumentException if the completion queue has not enough room, with the sum
     */
    synchronized void enter(CompletionQueue queue, boolean mayOverrun) {
        Users users = queues.get(queue);
        if (users == null) {
            queue.reserve(depth, depth + " shared receives", mayOverrun);
            users = new Users();
            queues.put(queue, users);
        }
        users.count++;
        users.mayOverrun |= mayOverrun;
    }

    /** A queue pair that reported there is gone. */
    synchronized void leave(CompletionQueue queue) {
        Users users = queues.get(queue);
        if (--users.count == 0) {
            queues.remove(queue);
            queue.unreserve(depth);
        }
    }

    /**
     * Takes room for more receives in every completion queue, or in none.
     *
     * @throws IllegalArgumentException if one has not enough, with the sum
     */
    synchronized void grow(int larger) {
        Map<CompletionQueue, Users> done = new IdentityHashMap<>();
        int more = larger - depth;
        try {
            queues.forEach((queue, users) -> {
                queue.reserve(more, more + " more shared receives", users.mayOverrun);
                done.put(queue, users);
            });
            depth = larger;
        } finally {
            if (depth != larger) {
                done.keySet().forEach(queue -> queue.unreserve(more));
            }
        }
    }

    /** Gives back room for receives that there are no more. */
    synchronized void shrink(int smaller) {
        queues.keySet().forEach(queue -> queue.unreserve((long) depth - smaller));
        depth = smaller;
    }
}
