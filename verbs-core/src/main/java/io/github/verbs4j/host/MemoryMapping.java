package io.github.verbs4j.host;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A mapping of this process, as the kernel sees it: how large its pages are, and on which NUMA nodes. Mappings side by side
 * that differ in nothing are one to the kernel.
 *
 * @param start its first address
 * @param end the address behind it
 * @param pageBytes the size of its pages ({@code KernelPageSize}); transparent huge pages do not show here
 * @param residentBytes how much of it is in memory, huge pages included
 * @param transparentBytes how much of it is in transparent huge pages ({@code AnonHugePages})
 * @param policy where the kernel was asked to put its pages, for example {@code default} or {@code prefer:1}; empty if unknown
 * @param bytesByNode how much of it is on which NUMA node; empty if none is in memory, or if the kernel does not know nodes
 */
public record MemoryMapping(
        long start,
        long end,
        OptionalLong pageBytes,
        long residentBytes,
        long transparentBytes,
        String policy,
        SortedMap<Integer, Long> bytesByNode) {

    /** Keeps a copy of the map. */
    public MemoryMapping {
        Objects.requireNonNull(pageBytes, "pageBytes");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(bytesByNode, "bytesByNode");
        bytesByNode = Collections.unmodifiableSortedMap(new TreeMap<>(bytesByNode));
    }

    static Optional<MemoryMapping> read(Tree tree, long address) {
        List<String> lines = tree.lines("/proc/self/smaps");
        for (int first = 0; first < lines.size(); first++) {
            Range range = Range.of(lines.get(first));
            if (range != null && range.contains(address)) {
                return Optional.of(read(tree, range, fields(lines.subList(first + 1, lines.size()))));
            }
        }
        return Optional.empty();
    }

    private static MemoryMapping read(Tree tree, Range range, Map<String, Long> fields) {
        Map<String, String> words = numaWords(tree, range);
        Long pageBytes = fields.get("KernelPageSize");
        return new MemoryMapping(
                range.start,
                range.end,
                pageBytes == null ? OptionalLong.empty() : OptionalLong.of(pageBytes),
                // pages of the pool are not in Rss
                Stream.of("Rss", "Private_Hugetlb", "Shared_Hugetlb")
                        .mapToLong(name -> fields.getOrDefault(name, 0L))
                        .sum(),
                fields.getOrDefault("AnonHugePages", 0L),
                words.getOrDefault("", ""),
                nodes(words));
    }

    /** {@code Rss:   2048 kB}, and so on until the next mapping; in bytes. */
    private static Map<String, Long> fields(List<String> lines) {
        Map<String, Long> fields = new HashMap<>();
        for (String line : lines) {
            if (Range.of(line) != null) {
                break;
            }
            String[] words = line.strip().split(":?\\s+");
            if (words.length > 1) {
                Tree.parse(words[1]).ifPresent(kibibytes -> fields.put(words[0], kibibytes * 1024));
            }
        }
        return fields;
    }

    /** {@code 7f0000000000 prefer:1 anon=2 N1=2 kernelpagesize_kB=2048}, the policy under an empty name. */
    private static Map<String, String> numaWords(Tree tree, Range range) {
        Map<String, String> words = new HashMap<>();
        String address = Long.toHexString(range.start) + " ";
        for (String line : tree.lines("/proc/self/numa_maps")) {
            if (line.startsWith(address) && words.isEmpty()) {
                for (String part : line.substring(address.length()).split(" ")) {
                    int equals = part.indexOf('=');
                    words.putIfAbsent(part.substring(0, Math.max(0, equals)), part.substring(equals + 1));
                }
            }
        }
        return words;
    }

    private static SortedMap<Integer, Long> nodes(Map<String, String> words) {
        SortedMap<Integer, Long> nodes = new TreeMap<>();
        long kibibytes = Tree.parse(words.getOrDefault("kernelpagesize_kB", "")).orElse(0);
        words.forEach((name, value) -> {
            long node = name.startsWith("N") ? Tree.parse(name.substring(1)).orElse(-1) : -1;
            if (node >= 0) {
                nodes.put((int) node, Tree.parse(value).orElse(0) * kibibytes * 1024);
            }
        });
        return nodes;
    }

    /** The addresses at the start of a line, if that is what it starts with. */
    private record Range(long start, long end) {
        static Range of(String line) {
            int dash = line.indexOf('-');
            int space = line.indexOf(' ');
            if (dash <= 0 || dash > space) {
                return null;
            }
            try {
                return new Range(
                        Long.parseUnsignedLong(line, 0, dash, 16), Long.parseUnsignedLong(line, dash + 1, space, 16));
            } catch (NumberFormatException _) {
                return null;
            }
        }

        boolean contains(long address) {
            return Long.compareUnsigned(start, address) <= 0 && Long.compareUnsigned(address, end) < 0;
        }
    }
}
