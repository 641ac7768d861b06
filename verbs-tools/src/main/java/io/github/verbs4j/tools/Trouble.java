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
                "the peer does not answer any more: see its output; transport and -n must be the same at both ends"
                        + " (here " + iterations + "), and packets must get through (GIDs, MTU, firewall)";
            default -> status.meaning() + "; " + status.hint();
        };
        return new CommandFailure(
                "failed after " + done + ", with " + status + " (" + completions.statusCode() + "): " + hint,
                completions.failure());
    }

    /**
     * What it may be when nothing comes.
     *
     * @param reliable whether the transport loses nothing
     * @param sending whether our last message has not left, or is not acknowledged if that is needed
     */
    static String silence(boolean reliable, boolean sending) {
        if (!reliable) {
            return "a message was lost and nothing repeats it, or the peer sends no more; see its output, whether transport,"
                    + " -n and -s are the same at both ends, and whether packets get through (GIDs, MTU, firewall)";
        }
        return sending
                ? "our message was not acknowledged; see whether the transport is the same at both ends, and whether packets"
                        + " get through (GIDs, MTU, firewall)"
                : "the peer sends no more; see its output, and whether transport, -n and -s are the same at both ends";
    }

    static void requireLength(long length, long size) {
        if (length != size) {
            throw new CommandFailure("the peer's message has " + length + " bytes, ours have " + size
                    + ": give the same -s at both ends");
        }
    }
}
