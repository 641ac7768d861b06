package io.github.verbs4j.attr;

/**
 * {@code ibv_srq_attr}: what a shared receive queue holds.
 *
 * @param depth {@code max_wr}: receives that may be outstanding
 * @param segments {@code max_sge}: scatter/gather entries of one receive
 * @param limit {@code srq_limit}: with fewer receives left than this the device tells so, once; 0 when it will not
 */
public record SharedReceiveQueueAttributes(int depth, int segments, int limit) {}
