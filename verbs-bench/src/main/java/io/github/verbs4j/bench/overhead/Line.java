package io.github.verbs4j.bench.overhead;

import java.util.LinkedHashMap;
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

    /** Why it is over budget; empty if it is not. */
    String excess() {
        StringBuilder excess = new StringBuilder();
        over(excess, "core_ratio", coreRatio, of.coreBudget());
        over(excess, "ffi_ratio", ffiRatio, of.ffiBudget());
        over(excess, "bytes_per_op", bytes, NO_BYTES);
        return excess.toString();
    }

    private static void over(StringBuilder excess, String figure, double value, double budget) {
        if (budget != 0 && value > budget) {
            excess.append(String.format(Locale.ROOT, " over-budget:%s>%.2f", figure, budget));
        }
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("case", of.work().label());
        json.put("batch", of.batch());
        json.put("queuePairs", of.pairs());
        json.put("cNanos", c);
        json.put("ffiNanos", ffi);
        json.put("coreNanos", core);
        json.put("ffiRatio", ffiRatio);
        json.put("coreRatio", coreRatio);
        json.put("bytesPerOperation", bytes);
        json.put("ffiBudget", of.ffiBudget());
        json.put("coreBudget", of.coreBudget());
        return json;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "overhead %s c_ns=%.2f ffi_ns=%.2f core_ns=%.2f ffi_ratio=%.2f core_ratio=%.2f bytes_per_op=%.4f%s",
                of,
                c,
                ffi,
                core,
                ffiRatio,
                coreRatio,
                bytes,
                excess());
    }
}
