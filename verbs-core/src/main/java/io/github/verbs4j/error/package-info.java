/**
 * The exceptions people catch.
 *
 * <p>{@link io.github.verbs4j.error.VerbsException} means that the machine or the device said no: it carries the
 * operation, the error number, what was asked for, what the device allows, the likely cause and the next step. A work
 * request that failed is a {@link io.github.verbs4j.error.WorkFailedException}; something that the device lacks is an
 * {@link io.github.verbs4j.error.UnsupportedCapabilityException}.
 *
 * <p>A mistake in the program is never one of these but one of the JDK's own: {@link IllegalArgumentException} for a
 * value that cannot be right, {@link IllegalStateException} for a call at the wrong time (closed, in the wrong state,
 * owned by another), {@link IndexOutOfBoundsException} for a range outside its region, and
 * {@link WrongThreadException} for a call from a thread that does not own the object.
 *
 * <p>{@link io.github.verbs4j.error.Explanations} reads the machine at the moment of a failure and tells what it has to
 * do with it.
 */
package io.github.verbs4j.error;
