package io.github.verbs4j;

import java.util.Arrays;

/**
 * The binds among the staged requests of a send queue. C follows the pointers in them when they are posted, so windows and
 * regions stay open until then.
 */
final class StagedBinds {
    private MemoryWindow[] windows = {};
    private int[] slots = {};
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    /** Makes room: from then on {@link #add} cannot fail. */
    void reserve() {
        if (count == windows.length) {
            windows = Arrays.copyOf(windows, 2 * count + 4);
            slots = Arrays.copyOf(slots, windows.length);
        }
    }

    void add(MemoryWindow window, int slot) {
        windows[count] = window;
        slots[count++] = slot;
    }

    /** The first requests went; the others move up. */
    void posted(int requests) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (slots[i] < requests) {
                windows[i].posted();
            } else {
                windows[kept] = windows[i];
                slots[kept++] = slots[i] - requests;
            }
        }
        Arrays.fill(windows, kept, count, null);
        count = kept;
    }

    /** They will never be posted. */
    void drop() {
        for (int i = 0; i < count; i++) {
            windows[i].dropped();
        }
        Arrays.fill(windows, 0, count, null);
        count = 0;
    }
}
