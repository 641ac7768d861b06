package io.github.verbs4j.tools;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * One run of the command line.
 *
 * @param status its exit status
 * @param out what it printed
 * @param err what it printed as errors
 */
record Run(int status, String out, String err) {
    static Run of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Run(status, out.toString(), err.toString());
    }

    /** The one line of errors. */
    String reason() {
        if (err.lines().count() != 1) {
            throw new AssertionError("not one line: " + err);
        }
        return err.strip();
    }
}
