/** What it costs to wait for completions, by each {@link io.github.verbs4j.WaitStrategy}. */
package io.github.verbs4j.bench.waiting;
