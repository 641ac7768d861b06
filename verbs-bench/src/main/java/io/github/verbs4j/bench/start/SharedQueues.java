package io.github.verbs4j.bench.start;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an operation costs, by how many queue pairs share a completion queue. All numbers of them are there at once and have a
 * turn in every round, so that each meets the same machine, equally warm.
 */
final class SharedQueues {
    /** In a turn, unless there are more queue pairs: each has one at least. */
    private static final int OPERATIONS = 256;

    private SharedQueues() {}

    /** {@return a line for each number of queue pairs} */
    static List<Map<String, Object>> measure(Target target, List<Integer> pairs, int rounds) {
        List<ManyPairs> rings = new ArrayList<>();
        try {
            for (int count : pairs) {
                rings.add(new ManyPairs(target, count));
            }
            double[][] times = times(rings, pairs, rounds);
            List<Map<String, Object>> lines = new ArrayList<>();
            for (int i = 0; i < rings.size(); i++) {
                lines.add(line(pairs.get(i), times[i], times[0]));
            }
            return lines;
        } finally {
            rings.forEach(ManyPairs::close);
        }
    }

    private static double[][] times(List<ManyPairs> rings, List<Integer> pairs, int rounds) {
        double[][] times = new double[rings.size()][rounds];
        for (int round = -Math.min(5, rounds); round < rounds; round++) {
            for (int i = 0; i < rings.size(); i++) {
                double each = rings.get(i).time(Math.max(pairs.get(i), OPERATIONS));
                if (round >= 0) {
                    times[i][round] = each;
                }
            }
        }
        return times;
    }

    private static Map<String, Object> line(int count, double[] times, double[] first) {
        double[] ratios = new double[times.length];
        for (int round = 0; round < times.length; round++) {
            ratios[round] = times[round] / first[round];
        }
        Map<String, Object> line = new LinkedHashMap<>(Map.of("case", "shared_queue"));
        line.put("pairs", count);
        line.put("java_us", Medians.rounded(Medians.median(times) / 1000, 1));
        line.put("to_first", Medians.rounded(Medians.median(ratios), 2));
        return line;
    }
}
