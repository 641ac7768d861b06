/**
 * How peers meet (librdmacm): a {@link io.github.verbs4j.cm.ConnectionManager} makes a {@link io.github.verbs4j.cm.Connector},
 * which finds the way to an address and connects, or a {@link io.github.verbs4j.cm.Listener}, whose
 * {@link io.github.verbs4j.cm.ConnectionRequest requests} are accepted or rejected; both end in a
 * {@link io.github.verbs4j.cm.Connection}.
 *
 * <p>Queue pairs are the user's own, with their domain, completion queues and shared receive queue: this package leads them
 * from state to state and leaves the rest alone. Every wait has a deadline; every event is copied and acknowledged before
 * anyone is told of it.
 */
package io.github.verbs4j.cm;
