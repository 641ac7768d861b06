package io.github.verbs4j.fake;

/** The arguments of the last registration of memory. */
public record Registration(long address, long length, long iova, int access) {}
