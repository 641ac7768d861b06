package io.github.verbs4j.doctor;

import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.host.ByteLimit;
import io.github.verbs4j.host.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** May the process register memory? */
final class MemoryCheck {
    /** A queue pair with its completion queue on hardware, and buffers for a message or two. */
    private static final long LEAST = 1 << 20;

    /** Where programs of everyday size have room. */
    private static final long COMFORTABLE = 64 << 20;

    private MemoryCheck() {}

    static List<Finding> of(Host host, ProcessReport process, OptionalLong bytes) {
        List<Finding> findings = new ArrayList<>();
        long asked = bytes.orElse(LEAST);
        Optional<Explanation> refusal = Explanations.registrationRefused(host, asked);
        if (refusal.isPresent()) {
            findings.add(
                    finding(Severity.ERROR, refusal.get(), "registering " + ByteLimit.format(asked) + " of memory"));
        } else if (bytes.isEmpty() && process.limits().lockedSoft().isBelow(COMFORTABLE)) {
            Explanations.registrationRefused(host, COMFORTABLE)
                    .ifPresent(explanation -> findings.add(finding(
                            Severity.WARNING,
                            explanation,
                            "registering " + ByteLimit.format(COMFORTABLE) + " of memory; little of it works")));
        }
        return findings;
    }

    private static Finding finding(Severity severity, Explanation explanation, String breaks) {
        return new Finding("memory-limit", severity, "memory", explanation.cause(), breaks, explanation.next());
    }
}
