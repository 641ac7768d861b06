package io.github.verbs4j;

import io.github.verbs4j.internal.Leaf;
import io.github.verbs4j.internal.Lifetime;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;

/** What belongs to one thread at a time: the thread that made it, until it hands it over. */
abstract class WorkObject implements AutoCloseable {
    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(WorkObject.class, "owner", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String kind;
    private final Resource parent;
    private final AtomicReference<Object> seat;
    private final Object leaf = Leaf.here(this);
    private volatile boolean closed;
    /** Null when released or closed. Only its own thread ever reads itself here, so a plain read is enough. */
    private Thread owner;

    /** Takes the one seat that the parent has for such an object. */
    WorkObject(String kind, Resource parent, AtomicReference<Object> seat) {
        this.owner = Thread.currentThread();
        this.kind = kind;
        this.parent = parent;
        this.seat = seat;
        Lifetime.create(
                kind + ".over",
                () -> {
                    takeSeat();
                    parent.lifetime().add(leaf);
                    return this;
                },
                parent.lifetime());
    }

    private void takeSeat() {
        WorkObject taken = (WorkObject) seat.compareAndExchange(null, this);
        if (taken != null) {
            String article = taken.kind.startsWith("E") ? "an " : "a ";
            throw new IllegalStateException(parent + " has " + article + taken.kind + " already, " + taken.ownership()
                    + "; close that one first, or hand it over with release() and acquire()");
        }
    }

    /** The check of every operation: one comparison. */
    final void checkOwner() {
        if (owner != Thread.currentThread()) {
            throw notOwner();
        }
    }

    private RuntimeException notOwner() {
        if (closed) {
            return new IllegalStateException(this + " is closed");
        }
        Thread thread = (Thread) OWNER.getAcquire(this);
        if (thread == null || !thread.isAlive()) {
            return new WrongThreadException(this + " is " + ownership() + ": acquire() it first");
        }
        return new WrongThreadException(this + " is " + ownership() + ", not by " + Thread.currentThread()
                + "; hand it over with release() there and acquire() here");
    }

    private String ownership() {
        Thread thread = (Thread) OWNER.getAcquire(this);
        return thread == null ? "owned by no thread" : "owned by " + thread + (thread.isAlive() ? "" : " (dead)");
    }

    /**
     * Gives it up, so that another thread can {@link #acquire} it.
     *
     * @throws WrongThreadException if it belongs to another thread
     * @throws IllegalStateException if it is closed
     */
    public final void release() {
        checkOwner();
        OWNER.setRelease(this, null);
    }

    /**
     * Makes the calling thread its owner, after {@link #release} by the former one or its death.
     *
     * @throws WrongThreadException if it belongs to another living thread
     * @throws IllegalStateException if it is closed
     */
    public final void acquire() {
        Thread former = (Thread) OWNER.getAcquire(this);
        boolean free = !closed && (former == null || !former.isAlive());
        if (former != Thread.currentThread() && !(free && OWNER.compareAndSet(this, former, Thread.currentThread()))) {
            throw notOwner();
        }
        if (closed) {
            OWNER.setRelease(this, null);
            throw notOwner();
        }
    }

    /** {@return whether it is still open} */
    public final boolean isOpen() {
        return !closed;
    }

    /**
     * Closes it; another may be made then. Closing twice is harmless. What was posted goes on.
     *
     * @throws WrongThreadException if it belongs to another living thread, unless that one waits in an {@code await} of
     *     it
     */
    @Override
    public final void close() {
        if (!closed && !closeByWaitingOwner()) {
            closeByOwner();
        }
    }

    /** If another thread waits in it, has that one close it, and returns true. */
    boolean closeByWaitingOwner() {
        return false;
    }

    /** One thread at a time: who comes second finds it closed. */
    final synchronized void closeByOwner() {
        if (closed) {
            return;
        }
        acquire();
        drop();
        // before anyone can see it closed, who may close the parent at once, or make another
        parent.lifetime().remove(leaf);
        seat.set(null);
        closed = true;
        OWNER.setRelease(this, null);
    }

    /** Gives back what it holds on to, before it is closed. */
    void drop() {}

    @Override
    public final String toString() {
        return kind + " of " + parent;
    }
}
