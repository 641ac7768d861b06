package io.github.verbs4j.bench.start;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What a comparison came to.
 *
 * @param name of what was compared, {@code key=value} pairs
 * @param c median, nanoseconds
 * @param java median, nanoseconds
 * @param ratio median of the rounds' ratios
 */
record Medians(Map<String, Object> name, double c, double java, double ratio) {
    /**
     * Measures in rounds, in which the two take turns; who begins changes.
     *
     * @param name of what is compared
     * @param warmup rounds that do not count
     * @param rounds rounds that do
     * @param c a turn of C, nanoseconds
     * @param java a turn of Java, nanoseconds
     */
    static Medians measure(Map<String, Object> name, int warmup, int rounds, LongSupplier c, LongSupplier java) {
        double[] ofC = new double[rounds];
        double[] ofJava = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = -warmup; round < rounds; round++) {
            boolean javaFirst = (round & 1) == 1;
            long first = javaFirst ? java.getAsLong() : c.getAsLong();
            long second = javaFirst ? c.getAsLong() : java.getAsLong();
            if (round >= 0) {
                ofC[round] = javaFirst ? second : first;
                ofJava[round] = javaFirst ? first : second;
                ratios[round] = ofJava[round] / ofC[round];
            }
        }
        return new Medians(name, median(ofC), median(ofJava), median(ratios));
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** {@return a number that prints without an exponent} */
    static BigDecimal rounded(double value, int digits) {
        return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    }

    /** {@return names and values, times in microseconds} */
    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>(name);
        map.put("c_us", rounded(c / 1000, 1));
        map.put("java_us", rounded(java / 1000, 1));
        map.put("ratio", rounded(ratio, 2));
        return map;
    }
}
