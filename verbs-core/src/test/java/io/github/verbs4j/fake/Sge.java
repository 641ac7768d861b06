package io.github.verbs4j.fake;

/** One scatter/gather element as it was posted. */
public record Sge(long address, int length, int lkey) {}
