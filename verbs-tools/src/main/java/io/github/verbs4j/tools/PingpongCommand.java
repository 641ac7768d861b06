package io.github.verbs4j.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbs pingpong}: the transports. */
@Command(
        name = "pingpong",
        header = "Measure round trips to another machine or program.",
        description = {
            "",
            "Names the transport: rc, a reliable connection; uc, an unreliable one; ud, unreliable datagrams; srq, several"
                    + " reliable connections that share their receives.",
            ""
        },
        synopsisSubcommandLabel = "TRANSPORT")
final class PingpongCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no transport given (rc, uc, ud, srq)");
    }
}
