package io.github.verbs4j.it.rdma;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.host.Host;
import java.util.function.Supplier;
import org.opentest4j.TestAbortedException;

/** Regions of more than 1 GiB, which Soft-RoCE of some kernels does not register. */
public final class LargeRegions {
    private static final String LIMIT = "Soft-RoCE of this kernel takes 262144 pages";

    /** Why not, once that is known: to pin so much takes long. */
    private static volatile String reason;

    private LargeRegions() {}

    /**
     * Skips the test if that is why it cannot be made, and the exception says so.
     *
     * @param <T> what is made
     * @param maker of what needs such a region
     * @return what was made
     */
    public static <T> T made(Supplier<T> maker) {
        if (reason != null) {
            throw new TestAbortedException(reason);
        }
        try {
            return maker.get();
        } catch (VerbsException refused) {
            if (!refused.getMessage().contains(LIMIT)) {
                throw refused;
            }
            String kernel = Host.local().kernelRelease().orElseThrow();
            assertFalse(kernel.startsWith("6.1."), refused::getMessage); // which takes more
            reason = LIMIT + " in a region, which are 1 GiB: Linux " + kernel;
            throw new TestAbortedException(reason);
        }
    }
}
