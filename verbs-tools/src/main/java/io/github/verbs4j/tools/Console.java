package io.github.verbs4j.tools;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Lines, stages and counters: a counter that runs on a terminal, a line every few seconds elsewhere. */
final class Console {
    private static final long BLINK = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LINE = TimeUnit.SECONDS.toNanos(5);

    private final PrintWriter out;
    private final boolean terminal;

    Console(PrintWriter out) {
        this.out = out;
        this.terminal = System.console() != null && System.console().isTerminal();
    }

    void line(String text) {
        out.println(text);
        out.flush();
    }

    /** Does something, tells before what and after how long it took. */
    <T> T stage(String what, Supplier<T> work) {
        out.print("  " + what + " ... ");
        out.flush();
        long start = System.nanoTime();
        T result = work.get();
        line(String.format(Locale.ROOT, "done (%.1f s)", (System.nanoTime() - start) / 1e9));
        return result;
    }

    /** A counter for the stage under way. */
    Progress counter(int total) {
        return new Progress() {
            private long next = System.nanoTime() + (terminal ? BLINK : LINE);

            @Override
            public void at(int done, long now) {
                if (now - next >= 0) {
                    next = now + (terminal ? BLINK : LINE);
                    show(String.format(Locale.ROOT, "%,d", done), done == total);
                }
            }
        };
    }

    private void show(String count, boolean last) {
        if (terminal) {
            out.print(last ? count + " " : count + "\b".repeat(count.length()));
        } else {
            out.print(count + " ... ");
        }
        out.flush();
    }
}
