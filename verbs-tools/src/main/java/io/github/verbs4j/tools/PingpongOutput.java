package io.github.verbs4j.tools;

import java.io.PrintWriter;
import java.util.List;

/**
 * What a ping-pong prints.
 *
 * @param json whether one JSON object is all that goes to the output
 * @param out the output
 * @param err where everything else goes
 */
record PingpongOutput(boolean json, PrintWriter out, PrintWriter err) {
    /** An address for each connection, with what it is. */
    void addresses(String what, List<PingpongRecord> records) {
        if (!json) {
            records.forEach(address -> out.println("  " + what + " address: " + address));
            out.flush();
        }
    }

    /** Where the server listens. */
    void listening(int tcpPort) {
        err.println("listening on TCP port " + tcpPort + " for a client");
        err.flush();
    }

    void result(PingpongResult result) {
        if (json) {
            out.println(Json.text(result.toJson()));
        } else {
            result.lines().forEach(out::println);
        }
        out.flush();
    }
}
