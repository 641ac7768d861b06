/**
 * What JDK Flight Recorder is told: one class for each sort of event, with its name, labels and units. No logic: {@code internal}
 * fills and commits them. Users know them by name ({@code io.github.verbs4j.Call}), so the package is not exported.
 *
 * <p>None registers itself when it is loaded, which would start Flight Recorder: {@code internal.Recorder} registers them once that
 * runs.
 */
package io.github.verbs4j.event;
