package io.github.verbs4j.testkit.container;

import java.util.Objects;

/**
 * How the command of a container ended, and what it said.
 *
 * @param exitStatus of the command; 128 and the number of the signal if one killed it, 125 if its machine did not start
 * @param output all of its standard output
 * @param errors all of its standard error, before which the image says which device it uses
 */
public record Ending(int exitStatus, String output, String errors) {

    /** Checks that nothing is missing. */
    public Ending {
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(errors, "errors");
    }

    /**
     * {@return this ending, of a command that succeeded}
     *
     * @throws IllegalStateException if it did not, with all that it said
     */
    public Ending requireSuccess() {
        if (exitStatus != 0) {
            throw new IllegalStateException("the command ended with exit status " + exitStatus
                    + "; its standard output:\n" + output + "\nits standard error:\n" + errors);
        }
        return this;
    }
}
