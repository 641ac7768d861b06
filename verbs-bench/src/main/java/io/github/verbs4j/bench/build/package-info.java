/** The C side, compiled where it runs. */
package io.github.verbs4j.bench.build;
