package io.github.verbs4j.it.tools;

import io.github.verbs4j.it.rdma.Shell;
import io.github.verbs4j.tools.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Commands of verbs-tools, run in this JVM. */
public final class Tool {
    private static final int SECONDS = 120;

    private Tool() {}

    /**
     * A command under way.
     *
     * @param result what it does
     * @param thread that it runs in
     */
    record Running(CompletableFuture<Shell.Result> result, Thread thread) {}

    /** {@return what a command does, under way} */
    static CompletableFuture<Shell.Result> start(String... arguments) {
        return begin(arguments).result();
    }

    /** {@return a command, under way} */
    static Running begin(String... arguments) {
        return begin(new StringWriter(), arguments);
    }

    /** {@return a command, under way, that writes there} */
    static Running begin(StringWriter output, String... arguments) {
        CompletableFuture<Shell.Result> result = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().name("tool").start(() -> {
            try {
                result.complete(execute(output, arguments));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return new Running(result, thread);
    }

    private static Shell.Result execute(StringWriter output, String... arguments) {
        PrintWriter writer = new PrintWriter(output, true);
        int status = Main.commandLine()
                .setOut(writer)
                .setErr(writer)
                .setUsageHelpAutoWidth(false)
                .execute(arguments);
        writer.flush();
        return new Shell.Result(status, output.toString());
    }

    /** {@return what a command did} */
    public static Shell.Result run(String... arguments) {
        return await(start(arguments));
    }

    /** {@return what a command that was started did} */
    static Shell.Result await(CompletableFuture<Shell.Result> started) {
        try {
            return started.get(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException | ExecutionException e) {
            throw new AssertionError("a tool did not end in " + SECONDS + " s", e);
        }
    }
}
