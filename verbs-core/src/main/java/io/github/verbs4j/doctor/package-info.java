/**
 * Why RDMA does not work here, before a program finds out.
 *
 * <p>{@link io.github.verbs4j.doctor.Doctor} is the way in; {@code ./verbs doctor} prints what it says. It reads files and
 * opens device nodes, and calls no native code: it needs no privilege, no device and no library, and does not hang when
 * a driver does. What it knows of causes and remedies is what the exceptions say
 * ({@link io.github.verbs4j.error.Explanations}).
 */
package io.github.verbs4j.doctor;
