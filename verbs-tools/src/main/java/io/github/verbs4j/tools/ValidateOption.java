package io.github.verbs4j.tools;

import picocli.CommandLine.Option;

/** The option of the transports whose messages come one at a time. */
final class ValidateOption {
    @Option(
            names = "--validate",
            description = "Hold every byte against what it must be. Both ends must be Verbs4J and say so. The time that"
                    + " it takes is part of the times shown.")
    private boolean given;

    boolean isGiven() {
        return given;
    }
}
