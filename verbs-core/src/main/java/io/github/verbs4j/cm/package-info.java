/**
 * How peers meet (librdmacm): a {@link io.github.verbs4j.cm.ConnectionManager} makes a {@link io.github.verbs4j.cm.Connector},
 * which finds the way to an address and connects, or a {@link io.github.verbs4j.cm.Listener}, whose
 * {@link io.github.verbs4j.cm.ConnectionRequest requests} are accepted or rejected; both end in a
 * {@link io.github.verbs4j.cm.Connection}.
 *
 * <p>What takes time has two forms: one waits, one returns a future. A mistake of the caller (an argument, the order of calls)
 * is thrown at once by both; what the network and the peer do comes through the future. What is made dependent on the future before
 * it is complete runs on a virtual thread, and may block. To cancel a future, or to let it time out, does not end the attempt:
 * closing the connector or the request does.
 *
 * <p>Queue pairs are the user's own, with their domain, completion queues and shared receive queue: this package leads them
 * from state to state and leaves the rest alone. Every wait has a deadline; every event is copied and acknowledged before
 * anyone is told of it.
 */
package io.github.verbs4j.cm;
