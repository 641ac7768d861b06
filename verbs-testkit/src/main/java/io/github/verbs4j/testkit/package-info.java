/**
 * Tests that need an RDMA device, in JUnit 5: {@link io.github.verbs4j.testkit.TestDevice} is the one that all use
 * in a run.
 */
package io.github.verbs4j.testkit;
