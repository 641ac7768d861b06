package io.github.verbs4j.it.limit;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.error.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a child virtual machine runs: some queue pairs, then one that is too deep for the address space that is left. */
final class DeepAsker {
    /** What is left to the virtual machine itself. */
    private static final long SLACK_BYTES = 20L << 20;

    /** Takes more than that, and the kernel not long to make. */
    private static final int DEPTH = 250_000;

    static final int QUEUE_PAIRS = 5;

    private DeepAsker() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<AutoCloseable> kept = new ArrayList<>();
        try (DeviceContext context = Device.first().open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                CompletionQueue queue = context.createCompletionQueue(100)) {
            QueuePairOptions options = QueuePairOptions.sharing(queue).allowOverrun();
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                kept.add(domain.createRc(options.depth(1, 1)));
            }
            limitAddressSpace();
            kept.add(domain.createRc(options.depth(DEPTH, DEPTH)));
        } catch (VerbsException e) {
            System.out.println(e.getMessage());
            System.out.flush();
            Runtime.getRuntime().halt(Asker.REFUSED); // closes what is kept too: the kernel does
        }
    }

    private static void limitAddressSpace() throws IOException, InterruptedException {
        long used = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmSize:"))
                .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]) << 10)
                .findFirst()
                .orElseThrow();
        long pid = ProcessHandle.current().pid();
        int status = new ProcessBuilder("prlimit", "--pid=" + pid, "--as=" + (used + SLACK_BYTES))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IllegalStateException("prlimit ended with " + status);
        }
    }
}
