package io.github.verbs4j.bench.overhead;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of the comparison.
 *
 * @param work what is done
 * @param batch requests in one post
 * @param pairs queue pairs, used in turn
 */
record Case(Work work, int batch, int pairs) {
    /** All lines. */
    static List<Case> all() {
        List<Case> cases = new ArrayList<>();
        for (int batch : new int[] {1, 4, 16, 64}) {
            cases.add(new Case(Work.WRITE, batch, 1));
        }
        for (int batch : new int[] {4, 16, 64}) {
            cases.add(new Case(Work.WRITE_SIGNALED, batch, 1));
        }
        for (Work work : new Work[] {Work.INLINE, Work.REFILL}) {
            for (int batch : new int[] {1, 16}) {
                cases.add(new Case(work, batch, 1));
            }
        }
        cases.add(new Case(Work.EMPTY_POLL, 1, 1));
        for (int pairs : new int[] {16, 256, 1024}) {
            cases.add(new Case(Work.WRITE, 1, pairs));
        }
        return cases;
    }

    /** What the library may cost, as a multiple of C; 0 for no bound. */
    double coreBudget() {
        if (work == Work.EMPTY_POLL) {
            return 3.0;
        }
        if (work != Work.WRITE || pairs > 1) {
            return 0;
        }
        return switch (batch) {
            case 1 -> 2.2;
            case 4 -> 1.6;
            default -> 1.4;
        };
    }

    /** What the raw bindings may cost, as a multiple of C; 0 for no bound. */
    double ffiBudget() {
        if (work != Work.WRITE || pairs > 1 || batch == 4) {
            return 0;
        }
        return batch == 1 ? 1.6 : 1.25;
    }

    @Override
    public String toString() {
        return "case=" + work + " batch=" + batch + (pairs > 1 ? " queue_pairs=" + pairs : "");
    }
}
