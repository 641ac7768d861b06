/**
 * The command line. {@link io.github.verbs4j.tools.Main} is the entry point, of the shell and of programs; one class per
 * command, and beside them what the commands are made of.
 */
package io.github.verbs4j.tools;
