package io.github.verbs4j.tools;

import java.io.PrintWriter;
import java.util.function.Supplier;

/**
 * What an rping prints.
 *
 * @param verbose whether to print what goes to and fro
 * @param debug whether to print each step
 * @param out for pings and results
 * @param err for everything else
 */
record RpingOutput(boolean verbose, boolean debug, PrintWriter out, PrintWriter err) {
    /** The contents of a ping, in the words of the C program. */
    void ping(String what, Supplier<String> contents) {
        if (verbose) {
            result(what + " data: " + contents.get());
        }
    }

    void result(String line) {
        out.println(line);
        out.flush();
    }

    void note(String line) {
        err.println(line);
        err.flush();
    }

    void step(String format, Object... values) {
        if (debug) {
            note("  " + format.formatted(values));
        }
    }
}
