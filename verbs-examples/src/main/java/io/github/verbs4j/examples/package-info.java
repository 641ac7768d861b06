/** A server for thousands of clients, and the clients. */
package io.github.verbs4j.examples;
