package io.github.verbs4j.host;

import java.util.Comparator;
import java.util.List;

/**
 * The pool of huge pages of one size, of the machine or of a NUMA node. Whoever maps such pages takes them from here; an
 * administrator puts them in.
 *
 * @param pageBytes the size of a page
 * @param total how many there are
 * @param free how many are not in use
 * @param reserved how many of the free ones are promised to mappings that have not used them yet; 0 of a node, to which the
 *     kernel does not count them
 */
public record HugePages(long pageBytes, long total, long free, long reserved) {

    /** {@return how many pages another mapping could have} */
    public long available() {
        return Math.max(0, free - reserved);
    }

    /** The pools in a directory whose entries are named {@code hugepages-2048kB}. */
    static List<HugePages> readAll(Tree tree, String directory) {
        return tree.names(directory).stream()
                .filter(name -> name.startsWith("hugepages-") && name.endsWith("kB"))
                .flatMap(name -> Tree.parse(name.substring("hugepages-".length(), name.length() - 2)).stream()
                        .mapToObj(kibibytes -> read(tree, directory + "/" + name, kibibytes * 1024)))
                .sorted(Comparator.comparingLong(HugePages::pageBytes))
                .toList();
    }

    private static HugePages read(Tree tree, String pool, long pageBytes) {
        return new HugePages(
                pageBytes,
                tree.number(pool + "/nr_hugepages").orElse(0),
                tree.number(pool + "/free_hugepages").orElse(0),
                tree.number(pool + "/resv_hugepages").orElse(0));
    }
}
