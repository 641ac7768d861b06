package io.github.verbs4j;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.host.CpuSet;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.NumaNode;
import io.github.verbs4j.internal.Affinity;
import java.util.List;
import java.util.Objects;

/**
 * {@code sched_setaffinity}: the calling thread stays on some processors until this is closed. For the thread that polls: on
 * the device's node, it is next to the memory that the device writes.
 *
 * <p>A pin only narrows: processors that were not allowed before ({@code taskset}, a container) are not afterwards. A thread
 * that is started meanwhile by the pinned one inherits the pin, and keeps it.
 *
 * <p>For one thread, which closes it too, before it ends; pins are closed in the reverse order.
 */
public final class ThreadPin implements AutoCloseable {
    /** Of each thread, the last one that it has not closed. */
    private static final ThreadLocal<ThreadPin> LAST = new ThreadLocal<>();

    private final Thread owner = Thread.currentThread();
    private final ThreadPin outer = LAST.get();
    private final CpuSet former;
    private final CpuSet cpus;
    private boolean open = true;

    private ThreadPin(CpuSet former, CpuSet cpus) {
        this.former = former;
        this.cpus = cpus;
        LAST.set(this);
    }

    /**
     * {@return a pin of this thread to the processors of a NUMA node}
     *
     * @param node from 0
     * @throws IllegalArgumentException if there is no such node, or it is only memory
     * @throws IllegalStateException if this is a virtual thread
     * @throws VerbsException if the thread may run on none of them
     */
    public static ThreadPin toNode(int node) {
        List<NumaNode> nodes = Host.local().numaNodes();
        CpuSet cpus = nodes.stream()
                .filter(found -> found.number() == node)
                .findFirst()
                .map(NumaNode::cpus)
                .orElseThrow(() -> new IllegalArgumentException("node=" + node + " is not one of this machine: "
                        + nodes.stream().map(NumaNode::number).toList()));
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("node=" + node + " has memory, but no processors");
        }
        return to(cpus, "node " + node);
    }

    /**
     * {@return a pin of this thread to some processors}
     *
     * @param cpus which, at least one
     * @throws IllegalArgumentException if there are none
     * @throws IllegalStateException if this is a virtual thread
     * @throws VerbsException if the thread may run on none of them
     */
    public static ThreadPin toCpus(CpuSet cpus) {
        if (Objects.requireNonNull(cpus, "cpus").isEmpty()) {
            throw new IllegalArgumentException("cpus is empty: a thread runs on one processor at least");
        }
        return to(cpus, "the wish");
    }

    /** To those that the thread has already: for a device whose node nobody knows. */
    static ThreadPin toAll() {
        requirePlatformThread();
        CpuSet all = Affinity.current();
        return new ThreadPin(all, all);
    }

    private static ThreadPin to(CpuSet wanted, String what) {
        requirePlatformThread();
        CpuSet former = Affinity.current();
        CpuSet narrowed = wanted.and(former);
        if (narrowed.isEmpty()) {
            throw VerbsException.of("sched_setaffinity")
                    .argument("cpus", wanted)
                    .cause("this thread may run on " + former + " only, none of which is in " + what + " (" + wanted
                            + "): taskset, numactl, a pin or the container's cpuset leaves it no other")
                    .next("start the process with these processors: taskset -c " + wanted
                            + "; docker, podman: --cpuset-cpus " + wanted)
                    .build();
        }
        Affinity.set(narrowed);
        return new ThreadPin(former, narrowed);
    }

    private static void requirePlatformThread() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException(Thread.currentThread()
                    + " is virtual: it moves from carrier to carrier, and the pin would stay with one of them; use a"
                    + " platform thread (Thread.ofPlatform())");
        }
    }

    /** {@return the processors that the thread stays on} */
    public CpuSet cpus() {
        return cpus;
    }

    /**
     * Gives the thread back the processors that it had before. Closing twice is harmless.
     *
     * @throws IllegalStateException if the thread was pinned again after this, and that is not closed yet
     * @throws WrongThreadException in any other thread
     */
    @Override
    public void close() {
        if (Thread.currentThread() != owner) {
            throw new WrongThreadException(this + " is closed by " + Thread.currentThread());
        }
        if (!open) {
            return;
        }
        ThreadPin last = LAST.get();
        if (last != this) {
            throw new IllegalStateException(
                    this + " cannot be closed: the thread was pinned again since; close " + last + " first");
        }
        Affinity.set(former);
        open = false;
        if (outer == null) {
            LAST.remove();
        } else {
            LAST.set(outer);
        }
    }

    @Override
    public String toString() {
        return "ThreadPin of " + owner + " to " + cpus + (open ? "" : ", closed");
    }
}
