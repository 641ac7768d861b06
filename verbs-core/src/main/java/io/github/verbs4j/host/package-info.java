/**
 * What this machine says about itself, as far as RDMA cares: limits, capabilities, modules, device nodes, devices.
 *
 * <p>{@link io.github.verbs4j.host.Host} is the way in. It reads {@code /proc}, {@code /sys}, {@code /dev} and
 * {@code /etc/os-release}, runs no command, calls no native code and needs no privilege. Every reader is total: what is
 * missing, unreadable or malformed becomes an empty or unknown value, never an exception, because these values are
 * asked for when something else has already gone wrong. A reader looks at the machine each time it is called; the values
 * it returns are immutable.
 */
package io.github.verbs4j.host;
