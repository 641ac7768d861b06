/** What a call costs beside C: the same work on a provider that does nothing. */
package io.github.verbs4j.bench.overhead;
