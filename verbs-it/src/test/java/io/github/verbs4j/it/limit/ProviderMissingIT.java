package io.github.verbs4j.it.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
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

    private static void requireExplained(Shell.Result result, String... expected) {
        assertEquals(Asker.REFUSED, result.status(), result::output);
        for (String text : expected) {
            assertTrue(
                    result.output().replaceAll("\\s+", " ").contains(text),
                    () -> text + " is not in:\n" + result.output());
        }
    }

    @Test
    void shouldNameThePackageWhenNoProviderIsConfigured() {
        requireExplained(
                hidden("/etc/libibverbs.d"),
                "the kernel has rxe0, but libibverbs does not list it: its provider (rxe) is not installed",
                "apt-get install -y libibverbs1 ibverbs-providers",
                "providers (/etc/libibverbs.d): none");
    }

    @Test
    void shouldSuspectTheVersionWhenTheProvidersLibraryIsMissing() {
        requireExplained(
                hidden("$(dirname /usr/lib/*/libibverbs/librxe-rdmav*.so)"),
                "its provider is configured, but missing or of another version than libibverbs",
                "apt-get install -y libibverbs1 ibverbs-providers");
    }
}
