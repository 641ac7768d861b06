package io.github.verbs4j.host;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A NUMA node: processors, and the memory next to them.
 *
 * @param number the node, from 0
 * @param cpus its processors; none of a node that is only memory
 * @param freeBytes memory that is free on it ({@code MemFree})
 * @param hugePages its pools of huge pages, by size
 */
public record NumaNode(int number, CpuSet cpus, OptionalLong freeBytes, List<HugePages> hugePages) {

    private static final String NODES = "/sys/devices/system/node";

    /** Keeps a copy of the list. */
    public NumaNode {
        Objects.requireNonNull(cpus, "cpus");
        Objects.requireNonNull(freeBytes, "freeBytes");
        hugePages = List.copyOf(Objects.requireNonNull(hugePages, "hugePages"));
    }

    static List<NumaNode> readAll(Tree tree) {
        return tree.names(NODES).stream()
                .filter(name -> name.startsWith("node"))
                .flatMapToInt(name ->
                        Tree.parse(name.substring("node".length())).stream().mapToInt(number -> (int) number))
                .sorted()
                .mapToObj(number -> read(tree, number))
                .toList();
    }

    private static NumaNode read(Tree tree, int number) {
        String directory = NODES + "/node" + number;
        CpuSet cpus = tree.line(directory + "/cpulist").flatMap(CpuSet::parse).orElse(CpuSet.NONE);
        return new NumaNode(
                number, cpus, free(tree, directory + "/meminfo"), HugePages.readAll(tree, directory + "/hugepages"));
    }

    /** {@code Node 0 MemFree:  1234 kB}. */
    private static OptionalLong free(Tree tree, String file) {
        return tree.lines(file).stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length > 3 && words[2].equals("MemFree:"))
                .flatMapToLong(words -> Tree.parse(words[3]).stream())
                .map(kibibytes -> kibibytes * 1024)
                .findFirst();
    }
}
