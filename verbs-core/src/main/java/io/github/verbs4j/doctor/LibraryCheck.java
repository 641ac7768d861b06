package io.github.verbs4j.doctor;

import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.host.Host;
import java.util.ArrayList;
import java.util.List;

/** Are the libraries there? */
final class LibraryCheck {
    private LibraryCheck() {}

    static List<Finding> of(Host host, MachineReport machine) {
        List<Finding> findings = new ArrayList<>();
        if (machine.libraries().verbs().isEmpty()) {
            findings.add(missing(host, "libibverbs.so.1", "everything: no program can use RDMA"));
        }
        if (machine.libraries().connectionManager().isEmpty()) {
            findings.add(missing(host, "librdmacm.so.1", "connections by IP address (package cm); verbs alone work"));
        }
        return findings;
    }

    private static Finding missing(Host host, String soname, String breaks) {
        Explanation explanation = Explanations.libraryMissing(host, soname, "");
        return new Finding("library-missing", Severity.ERROR, soname, explanation.cause(), breaks, explanation.next());
    }
}
