/**
 * RDMA in containers, for tests: {@link io.github.verbs4j.testkit.container.SoftRoceContainer} runs a command, a jar or a
 * class path on an RDMA device of its own, on any machine that has a container engine. It needs
 * {@code org.testcontainers:testcontainers}, 2.0.5 or later, which the test kit does not bring along.
 */
package io.github.verbs4j.testkit.container;
