package io.github.verbs4j.it.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.bench.build.CProgram;
import io.github.verbs4j.bench.build.ScratchDirectory;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Shell;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The data path over a provider that is as hardware's in user space: a descriptor, a fence, a store to the doorbell. */
class NullProviderIT {
    @Test
    void shouldNeitherEnterTheKernelNorAllocate() {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path provider = CProgram.library(
                    scratch.path(), "libibverbs.so.1", List.of("-Wl,-soname,libibverbs.so.1"), "null_provider.c");
            Shell.Result result = ChildJvm.runHere(
                    List.of("-Dio.github.verbs4j.libibverbs=" + provider, "-Dverbs.device="), DataPath.class);

            assertEquals(0, result.status(), result::output);
            Troubleshooting.line("C1").when("hardware").mustBeIn(result.output());
        }
    }
}
