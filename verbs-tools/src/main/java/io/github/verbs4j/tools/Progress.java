package io.github.verbs4j.tools;

/** Somebody who wants to know how far a long job is. */
@FunctionalInterface
interface Progress {
    /** Nobody. */
    Progress NONE = (_, _) -> {};

    /** Tells how many are done, and the time by {@link System#nanoTime}; called for each, so it must be quick. */
    void at(int done, long now);
}
