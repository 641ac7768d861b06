package io.github.verbs4j.internal;

import java.util.Arrays;

/**
 * The bells of a device, by number. An event names its queue by such a number and never by a pointer, so a late one is
 * harmless: it rings nothing, or the bell of a queue that has the number now.
 */
final class Bells {
    private volatile Bell[] table = {};

    synchronized Bell add() {
        Bell[] old = table;
        int free = 0;
        while (free < old.length && old[free] != null) {
            free++;
        }
        Bell[] fresh = Arrays.copyOf(old, Math.max(old.length, free + 1));
        fresh[free] = Bell.ofNumber(free);
        table = fresh;
        return fresh[free];
    }

    synchronized void remove(Bell bell) {
        if (!bell.isMute()) {
            Bell[] fresh = table.clone();
            fresh[bell.number()] = null;
            table = fresh;
        }
    }

    void ring(long number) {
        Bell[] bells = table;
        if (number >= 0 && number < bells.length && bells[(int) number] != null) {
            bells[(int) number].ring();
        }
    }

    void ringAll() {
        for (Bell bell : table) {
            if (bell != null) {
                bell.ring();
            }
        }
    }
}
