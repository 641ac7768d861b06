/** The JMH suite for one's own device: {@code java -jar benchmarks.jar}. */
package io.github.verbs4j.bench.suite;
