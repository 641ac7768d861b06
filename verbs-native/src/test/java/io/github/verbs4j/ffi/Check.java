package io.github.verbs4j.ffi;

/**
 * One number that C and the bindings must agree on.
 *
 * @param what in words, for the message
 * @param expression in C
 * @param value in the bindings
 */
record Check(String what, String expression, long value) {}
