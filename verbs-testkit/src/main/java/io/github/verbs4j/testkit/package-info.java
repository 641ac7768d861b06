/**
 * Tests that need an RDMA device, in JUnit 5: {@link io.github.verbs4j.testkit.RequiresRdma} gives it to them, or skips them
 * with the reason.
 */
package io.github.verbs4j.testkit;
