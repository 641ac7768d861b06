package io.github.verbs4j.tools;

import io.github.verbs4j.Completions;
import io.github.verbs4j.attr.WorkStatus;

/** What goes wrong in a ping-pong when the ends were not started alike, told in its options. */
final class Trouble {
    private Trouble() {}

    /** The present completion, which failed. */
    static CommandFailure failed(Completions completions, long size, int iterations, String done) {
        WorkStatus status = completions.status();
        String hint = switch (status) {
            // the second pair is what Soft-RoCE makes of it
            case LOC_LEN_ERR, REM_INV_REQ_ERR, LOC_QP_OP_ERR, REM_OP_ERR ->
                "a message was larger than the receive for it: give the same -s at both ends (here " + size + ")";
            case RETRY_EXC_ERR ->
                "the peer does not answer any more: see its output; -n must be the same at both ends (here "
                        + iterations + "), and packets must get through (GIDs, MTU, firewall)";
            default -> status.meaning() + "; " + status.hint();
        };
        return new CommandFailure(
                "failed after " + done + ", with " + status + " (" + completions.statusCode() + "): " + hint,
                completions.failure());
    }

    static void requireLength(long length, long size) {
        if (length != size) {
            throw new CommandFailure("the peer's message has " + length + " bytes, ours have " + size
                    + ": give the same -s at both ends");
        }
    }
}
