package io.github.verbs4j.fake;

import java.util.List;

/** A receive work request that the fake accepted; {@code qpNum} is 0 for one of a shared receive queue. */
public record PostedReceive(int qpNum, long wrId, List<Sge> elements) {}
