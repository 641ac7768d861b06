/** A ping-pong end to end on a device: Java and its C twin, in turns. */
package io.github.verbs4j.bench.pingpong;
