package io.github.verbs4j.attr;

/** Which pages memory is made of. */
public enum PageKind {
    /** The kernel's smallest, 4 KiB on most machines. */
    ORDINARY,
    /** The smallest, and huge ones where the kernel finds some ({@code MADV_HUGEPAGE}). */
    TRANSPARENT_HUGE,
    /** Huge ones out of the pool that an administrator has reserved ({@code MAP_HUGETLB}). */
    HUGE
}
