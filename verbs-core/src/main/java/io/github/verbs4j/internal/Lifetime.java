package io.github.verbs4j.internal;

import io.github.verbs4j.attr.CreationPlace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One node in the tree of open resources: who is built on whom, and whether it is still there.
 *
 * <p>A resource cannot be closed while something is built on it, nor while another thread is in one of its operations, so
 * no native call ever sees a handle that is gone. Open roots are kept reachable, and with them everything below: what the
 * device still knows is never garbage.
 */
public final class Lifetime {
    /** How many children a message names. */
    private static final int NAMED = 10;

    private static final Set<Lifetime> ROOTS = Collections.synchronizedSet(new LinkedHashSet<>());

    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final Comparator<Lifetime> BY_NUMBER = Comparator.comparingLong(lifetime -> lifetime.number);

    private static volatile Function<AutoCloseable, Lifetime> finder;

    private final long number = NUMBERS.incrementAndGet();
    private volatile String name;
    private final List<Lifetime> parents;
    private final Object kept;
    private final long bytes;
    private final CreationPlace place;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    /** A list, because there are thousands of these, with two or three children each, closed the last one first. */
    private final List<Object> children = new ArrayList<>(0);

    private volatile boolean closed;
    /** Name of what took its place; null if nothing did. */
    private volatile String successor;

    /**
     * Opens a node.
     *
     * @param name what messages call it
     * @param kept an object to keep reachable until it is closed, or null
     * @param ancestors what it is built on, some maybe twice; call from within {@link #create} of them
     */
    public Lifetime(String name, Object kept, Lifetime... ancestors) {
        this(name, kept, 0, Places.here(), ancestors);
    }

    private Lifetime(String name, Object kept, long bytes, CreationPlace place, Lifetime... ancestors) {
        this.name = name;
        this.kept = kept;
        this.bytes = bytes;
        this.place = place;
        this.parents = Stream.of(ancestors).distinct().toList();
        for (Lifetime parent : parents) {
            parent.add(this);
        }
        if (parents.isEmpty()) {
            ROOTS.add(this);
        }
    }

    /**
     * Tells how the nodes of resources are found: their class does not show them to users.
     *
     * @param how gives the node of a resource
     */
    public static void findBy(Function<AutoCloseable, Lifetime> how) {
        finder = how;
    }

    /**
     * {@return the node of a resource, for what is built on it in another package}
     *
     * @param resource that has been opened
     */
    public static Lifetime of(AutoCloseable resource) {
        return finder.apply(resource);
    }

    /**
     * {@return the node of memory that is registered}
     *
     * @param name what messages call it
     * @param kept the memory
     * @param bytes its length
     * @param parent what it is built on
     */
    public static Lifetime ofMemory(String name, Object kept, long bytes, Lifetime parent) {
        return new Lifetime(name, kept, bytes, Places.here(), parent);
    }

    /**
     * {@return the node of what takes the place of another, in whatever thread; users know the place where they made that one}
     *
     * @param former the node of the other
     * @param name what messages call it
     * @param parents what it is built on
     */
    public static Lifetime after(Lifetime former, String name, Lifetime... parents) {
        former.successor = name;
        return new Lifetime(name, null, 0, former.place, parents);
    }

    /** {@return the nodes that are built on nothing, the oldest first} */
    public static List<Lifetime> roots() {
        synchronized (ROOTS) {
            return List.copyOf(ROOTS);
        }
    }

    /**
     * Builds something on parents that cannot be closed meanwhile.
     *
     * @param operation what messages call it
     * @param creator makes the native object and its node
     * @param parents what it is built on
     * @return what the creator made
     * @throws IllegalStateException if a parent is closed
     */
    public static <T> T create(String operation, Supplier<T> creator, Lifetime... parents) {
        // in one order for all: two that are each in what the other one wants would wait for ever behind those who
        // close it
        Lifetime[] ordered = parents.clone();
        Arrays.sort(ordered, BY_NUMBER);
        int entered = 0;
        try {
            for (Lifetime parent : ordered) {
                parent.enter(operation);
                entered++;
            }
            return creator.get();
        } finally {
            while (entered > 0) {
                ordered[--entered].lock.readLock().unlock();
            }
        }
    }

    /**
     * Runs an operation on the resource, which cannot be closed meanwhile.
     *
     * @param operation what messages call it
     * @param call the operation
     * @return its result
     * @throws IllegalStateException if it is closed
     */
    public <T> T whileOpen(String operation, Supplier<T> call) {
        enter(operation);
        try {
            return call.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * {@return a value that means nothing any more once the resource is closed}
     *
     * @param operation what messages call it
     * @param value the value
     * @throws IllegalStateException if it is closed
     */
    public <T> T open(String operation, T value) {
        if (closed) {
            throw gone(operation);
        }
        return value;
    }

    private void enter(String operation) {
        lock.readLock().lock();
        if (closed) {
            lock.readLock().unlock();
            throw gone(operation);
        }
    }

    private IllegalStateException gone(String operation) {
        return new IllegalStateException(operation + ": " + name + " is closed"
                + (successor == null ? "" : ": " + successor + " has taken its place"));
    }

    /**
     * Closes the resource. Closing twice is harmless; if the destruction fails it stays open.
     *
     * @param destroy releases the native object
     * @throws IllegalStateException if something is still built on it, naming each
     */
    public void close(Runnable destroy) {
        if (lock.getReadHoldCount() > 0) {
            throw new IllegalStateException(name + " cannot be closed from within one of its own operations");
        }
        lock.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            requireNoChildren();
            destroy.run();
            leaveParents();
            closed = true;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Before anyone can see it closed: who does may close the parents at once. */
    private void leaveParents() {
        for (Lifetime parent : parents) {
            parent.remove(this);
        }
        ROOTS.remove(this);
    }

    /**
     * Adds what is built on this; call from within {@link #create}.
     *
     * @param child its text is what messages call it
     */
    public void add(Object child) {
        synchronized (children) {
            children.add(child);
        }
    }

    /**
     * Adds what needs this for a while, until {@link #remove}, and keeps it from being closed.
     *
     * @param operation what messages call it
     * @param child its text is what messages call it
     * @throws IllegalStateException if it is closed
     */
    public void hold(String operation, Object child) {
        enter(operation);
        add(child);
        lock.readLock().unlock();
    }

    /**
     * Removes what was built on this and is gone.
     *
     * @param child as added
     */
    public void remove(Object child) {
        synchronized (children) {
            children.remove(children.lastIndexOf(child));
        }
    }

    private void requireNoChildren() {
        synchronized (children) {
            if (!children.isEmpty()) {
                int more = children.size() - NAMED;
                throw new IllegalStateException(name + " cannot be closed: still open on it: "
                        + children.stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "))
                        + (more > 0 ? " and " + more + " more" : "")
                        + "; close what was opened last first");
            }
        }
    }

    /**
     * Changes what messages call it.
     *
     * @param other the new name
     */
    public void rename(String other) {
        name = other;
    }

    /** {@return what is built on it, or holds it for a while, in that order} */
    public List<Object> children() {
        synchronized (children) {
            return List.copyOf(children);
        }
    }

    /** {@return what it is built on; what it belongs to comes first} */
    public List<Lifetime> parents() {
        return parents;
    }

    /** {@return bytes of registered memory that it stands for itself} */
    public long bytes() {
        return bytes;
    }

    /** {@return where it was made; null unless that was {@linkplain Places#remember asked for} before} */
    public CreationPlace place() {
        return place;
    }

    /** {@return whether it is still open} */
    public boolean isOpen() {
        return !closed;
    }

    /** {@return what is kept reachable, or null} */
    public Object kept() {
        return kept;
    }

    @Override
    public String toString() {
        return name;
    }
}
