/** What comes before the first message: starting, connecting, registering, and what many queue pairs cost. */
package io.github.verbs4j.bench.start;
