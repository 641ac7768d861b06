package io.github.verbs4j.bench.report;

import java.util.List;

/**
 * A line of {@code verbs bench overhead}.
 *
 * @param work what was done
 * @param batch requests in a post
 * @param pairs queue pairs used in turn
 * @param c nanoseconds for each request in C
 * @param ffi the same through the bindings
 * @param core the same through the library
 * @param ffiRatio bindings to C
 * @param coreRatio library to C
 * @param bytes allocated for each request
 * @param ffiBudget what the bindings may take, 0 for no bound
 * @param coreBudget what the library may take, 0 for no bound
 */
record OverheadResult(
        String work,
        int batch,
        int pairs,
        double c,
        double ffi,
        double core,
        double ffiRatio,
        double coreRatio,
        double bytes,
        double ffiBudget,
        double coreBudget) {

    static List<OverheadResult> all(Recorded recorded) {
        return recorded.objects("results").stream().map(OverheadResult::of).toList();
    }

    private static OverheadResult of(Recorded line) {
        return new OverheadResult(
                line.text("case"),
                line.whole("batch"),
                line.whole("queue_pairs"),
                line.number("c_ns"),
                line.number("ffi_ns"),
                line.number("core_ns"),
                line.number("ffi_ratio"),
                line.number("core_ratio"),
                line.number("bytes_per_op"),
                line.number("ffi_budget"),
                line.number("core_budget"));
    }

    /** Whether it is the plain case, which is drawn over its batches. */
    boolean isWrite() {
        return work.equals("write") && pairs == 1;
    }

    /** Whether it belongs to the picture over the number of queue pairs. */
    boolean isSingleWrite() {
        return work.equals("write") && batch == 1;
    }
}
