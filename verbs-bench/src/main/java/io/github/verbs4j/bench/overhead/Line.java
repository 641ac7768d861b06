package io.github.verbs4j.bench.overhead;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;

/**
 * What came out of one case: medians over the iterations of the medians over their rounds.
 *
 * @param of the case
 * @param c nanoseconds for each request in C
 * @param ffi the same through the bindings
 * @param core the same through the library
 * @param ffiRatio bindings to C
 * @param coreRatio library to C
 * @param bytes allocated for each request
 */
record Line(Case of, double c, double ffi, double core, double ffiRatio, double coreRatio, double bytes) {
    /** Less than this in bytes for each request is the measurement's own. */
    private static final double NO_BYTES = 0.01;

    static Line of(Case line, RunResult result) {
        return new Line(
                line,
                median(result, "c"),
                median(result, "ffi"),
                median(result, "core"),
                median(result, "ffiRatio"),
                median(result, "coreRatio"),
                median(result, "bytes"));
    }

    private static double median(RunResult result, String figure) {
        return Rounds.median(result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .mapToDouble(
                        iteration -> iteration.getSecondaryResults().get(figure).getScore())
                .toArray());
    }

    /** Whether one of its figures is over its budget. */
    boolean isOverBudget() {
        return !excess().isEmpty();
    }

    /** The figures that are over budget, and the budgets. */
    List<String> excess() {
        List<String> excess = new ArrayList<>();
        over(excess, "core_ratio", coreRatio, of.coreBudget());
        over(excess, "ffi_ratio", ffiRatio, of.ffiBudget());
        over(excess, "bytes_per_op", bytes, NO_BYTES);
        return excess;
    }

    private static void over(List<String> excess, String figure, double value, double budget) {
        if (budget != 0 && value > budget) {
            excess.add(String.format(Locale.ROOT, "%s > %.2f", figure, budget));
        }
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("case", of.work().toString());
        map.put("batch", of.batch());
        map.put("queue_pairs", of.pairs());
        map.put("c_ns", c);
        map.put("ffi_ns", ffi);
        map.put("core_ns", core);
        map.put("ffi_ratio", ffiRatio);
        map.put("core_ratio", coreRatio);
        map.put("bytes_per_op", bytes);
        map.put("ffi_budget", of.ffiBudget());
        map.put("core_budget", of.coreBudget());
        return map;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "overhead %s c_ns=%.2f ffi_ns=%.2f core_ns=%.2f ffi_ratio=%.2f core_ratio=%.2f bytes_per_op=%.4f",
                of,
                c,
                ffi,
                core,
                ffiRatio,
                coreRatio,
                bytes);
    }
}
