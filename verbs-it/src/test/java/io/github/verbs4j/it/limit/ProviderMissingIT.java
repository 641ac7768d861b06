package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.it.rdma.SideBySide;
import io.github.verbs4j.it.rdma.SoftRoceMachine;
import org.junit.jupiter.api.Test;

@SoftRoceMachine
class ProviderMissingIT {
    private static Shell.Result hidden(String directory) {
        return ChildJvm.run(
                "unshare -m sh -ec 'mount -t tmpfs none " + directory + "; exec \"$@\"' sh \"$@\"",
                Asker.class,
                "4096");
    }

    private static void requireExplained(Shell.Result result, Troubleshooting.Case expected) {
        assertEquals(Asker.REFUSED, result.status(), result::output);
        expected.mustBeIn(result.output());
    }

    @Test
    @SideBySide
    void shouldNameThePackageWhenNoProviderIsConfigured() {
        requireExplained(hidden("/etc/libibverbs.d"), Troubleshooting.line("B5").when("no provider"));
    }

    @Test
    @SideBySide
    void shouldSuspectTheVersionWhenTheProvidersLibraryIsMissing() {
        requireExplained(
                hidden("$(dirname /usr/lib/*/libibverbs/librxe-rdmav*.so)"),
                Troubleshooting.line("B5").when("provider of another version"));
    }
}
