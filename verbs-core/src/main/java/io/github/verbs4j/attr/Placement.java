package io.github.verbs4j.attr;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * Where memory should lie, and in pages of which size.
 *
 * <p>The node is a preference: when it has no memory left, the nearest that has some gives it. Huge pages are a demand:
 * without them there is no memory. Transparent huge pages are a wish again.
 *
 * @param node the NUMA node; empty for the device's
 * @param pages which pages
 * @param pageBytes the size of huge pages, 0 of others
 */
public record Placement(OptionalInt node, PageKind pages, long pageBytes) {

    /** The size of huge pages on x86-64, and of most on aarch64: 2 MiB. */
    public static final long TWO_MEBIBYTES = 2L << 20;

    /** The size of the largest huge pages on x86-64: 1 GiB. */
    public static final long ONE_GIBIBYTE = 1L << 30;

    /**
     * Checks that the values go together.
     *
     * @throws IllegalArgumentException if the node is negative, or the size is not that of a huge page, or 0 of others
     */
    public Placement {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pages, "pages");
        if (node.orElse(0) < 0) {
            throw new IllegalArgumentException("node=" + node.getAsInt() + ": nodes are counted from 0");
        }
        if (pages == PageKind.HUGE ? pageBytes <= 4096 || Long.bitCount(pageBytes) != 1 : pageBytes != 0) {
            throw new IllegalArgumentException(
                    "pageBytes=" + pageBytes + " of " + pages
                            + " pages: the size of huge pages is a power of 2 above 4096, 2 MiB for example; of others it is 0");
        }
    }

    /** {@return on the node of the device; anywhere, if the machine does not tell which that is} */
    public static Placement nearDevice() {
        return new Placement(OptionalInt.empty(), PageKind.ORDINARY, 0);
    }

    /**
     * {@return on a node of one's choice}
     *
     * @param node from 0
     * @throws IllegalArgumentException if it is negative
     */
    public static Placement onNode(int node) {
        return new Placement(OptionalInt.of(node), PageKind.ORDINARY, 0);
    }

    /**
     * {@return the same, in huge pages of the pool; a length becomes the next multiple of their size}
     *
     * @param size of a page, {@link #TWO_MEBIBYTES} for example
     * @throws IllegalArgumentException if it is not a power of 2 above 4096
     */
    public Placement hugePages(long size) {
        return new Placement(node, PageKind.HUGE, size);
    }

    /** {@return the same, in huge pages where the kernel finds some} */
    public Placement transparentHugePages() {
        return new Placement(node, PageKind.TRANSPARENT_HUGE, 0);
    }

    /** {@return for example {@code HUGE pages of 2097152 bytes on node 1} or {@code ORDINARY pages near the device}} */
    @Override
    public String toString() {
        return pages + " pages" + (pageBytes == 0 ? "" : " of " + pageBytes + " bytes")
                + (node.isPresent() ? " on node " + node.getAsInt() : " near the device");
    }
}
