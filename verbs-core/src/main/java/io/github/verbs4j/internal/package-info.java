/**
 * How C is called: error conventions, lifetimes, state transitions, the layout of work requests, the count of slots. Not
 * exported.
 */
package io.github.verbs4j.internal;
