package io.github.verbs4j.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Questions to the kernel, which all have to be answered by one deadline. A file of {@code /sys} may ask the device's
 * firmware, and a thread that reads it cannot be interrupted: it is left behind.
 */
final class Patience {
    private final Duration whole;
    private final long deadline;
    private final List<Finding> silences = new ArrayList<>();

    Patience(Duration whole) {
        this.whole = whole;
        this.deadline = System.nanoTime() + whole.toNanos();
    }

    /** Starts to read something. */
    <T> Answer<T> ask(String about, Supplier<T> question) {
        CompletableFuture<T> future = new CompletableFuture<>();
        Runnable reader = () -> {
            try {
                future.complete(question.get());
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        };
        try {
            Thread.ofPlatform().daemon().name("doctor, " + about).start(reader);
        } catch (OutOfMemoryError noThread) { // ulimit -u or -v, pids.max: then without a deadline
            reader.run();
        }
        return new Answer<>(about, future);
    }

    /** What was not answered so far. */
    List<Finding> silences() {
        return silences;
    }

    /** An answer that may come. */
    final class Answer<T> {
        private final String about;
        private final CompletableFuture<T> future;
        private Optional<T> known;

        private Answer(String about, CompletableFuture<T> future) {
            this.about = about;
            this.future = future;
        }

        /** Waits for it; empty if it did not come, which is a finding then. */
        Optional<T> get() {
            if (known == null) {
                known = await();
            }
            return known;
        }

        private Optional<T> await() {
            try {
                return Optional.of(future.orTimeout(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)
                        .join());
            } catch (CompletionException e) {
                if (e.getCause() instanceof TimeoutException) {
                    silences.add(silence());
                    return Optional.empty();
                }
                throw e;
            }
        }

        private Finding silence() {
            return new Finding(
                    "no-answer",
                    Severity.ERROR,
                    about,
                    "the kernel did not answer within " + (whole.toMillis() + 999) / 1000
                            + " s: a driver, or the firmware of a device, hangs",
                    "what touches it may hang as well; it could not be examined",
                    "dmesg | tail -50   (as root: it names the driver); a device that hangs needs its driver loaded anew, or a"
                            + " restart of the machine");
        }
    }
}
