package io.github.verbs4j.host;

import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Some of the machine's processors, by number.
 *
 * @param numbers the numbers, from 0
 */
public record CpuSet(SortedSet<Integer> numbers) {

    /** No processor. */
    public static final CpuSet NONE = new CpuSet(new TreeSet<>());

    /** More than any kernel is built for ({@code CONFIG_NR_CPUS} ends at 8192). */
    private static final int LIMIT = 1 << 16;

    /**
     * Keeps a copy of the set.
     *
     * @throws IllegalArgumentException if a number is negative or over 65,535
     */
    public CpuSet {
        Objects.requireNonNull(numbers, "numbers");
        numbers = Collections.unmodifiableSortedSet(new TreeSet<>(numbers));
        if (!numbers.isEmpty() && (numbers.first() < 0 || numbers.last() >= LIMIT)) {
            throw new IllegalArgumentException(
                    "numbers=" + numbers + ": processors are counted from 0 to " + (LIMIT - 1));
        }
    }

    /**
     * {@return the processors of a list as the kernel and {@code taskset} write it}
     *
     * @param list for example {@code 0-3,8}; none if it is empty
     * @throws IllegalArgumentException if it is not such a list
     */
    public static CpuSet of(String list) {
        Objects.requireNonNull(list, "list");
        return parse(list)
                .orElseThrow(() -> new IllegalArgumentException(
                        "list=\"" + list + "\" is not a list of processors such as 0-3,8"));
    }

    static Optional<CpuSet> parse(String list) {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (String part : list.strip().split(",")) {
            String range = part.strip();
            int dash = range.indexOf('-');
            long first = number(dash < 0 ? range : range.substring(0, dash));
            long last = dash < 0 ? first : number(range.substring(dash + 1));
            if (range.isEmpty() && list.isBlank()) {
                break;
            }
            if (first < 0 || last < first || last >= LIMIT) {
                return Optional.empty();
            }
            for (long cpu = first; cpu <= last; cpu++) {
                numbers.add((int) cpu);
            }
        }
        return Optional.of(new CpuSet(numbers));
    }

    private static long number(String digits) {
        return Tree.parse(digits).orElse(-1);
    }

    /**
     * {@return those that are in both}
     *
     * @param other another set
     */
    public CpuSet and(CpuSet other) {
        Objects.requireNonNull(other, "other");
        SortedSet<Integer> both = new TreeSet<>(numbers);
        both.retainAll(other.numbers);
        return new CpuSet(both);
    }

    /** {@return whether there is none in it} */
    public boolean isEmpty() {
        return numbers.isEmpty();
    }

    /** {@return the list as the kernel and {@code taskset} write it, for example {@code 0-3,8}} */
    @Override
    public String toString() {
        StringBuilder list = new StringBuilder();
        int first = -1;
        int last = -2;
        for (int cpu : numbers) {
            if (cpu != last + 1) {
                end(list, first, last);
                list.append(list.isEmpty() ? "" : ",").append(cpu);
                first = cpu;
            }
            last = cpu;
        }
        end(list, first, last);
        return list.toString();
    }

    private static void end(StringBuilder list, int first, int last) {
        if (last > first) {
            list.append('-').append(last);
        }
    }
}
