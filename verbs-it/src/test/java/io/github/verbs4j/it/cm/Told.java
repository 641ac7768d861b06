package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.ConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.function.Executable;

/** What a failure has to tell whoever reads it at night. */
final class Told {
    private static final int SECONDS = 50;

    private Told() {}

    /** The exception of a call: with an event or an errno, both addresses, a remedy, and this text. */
    static ConnectionException by(Executable call, String... parts) {
        ConnectionException failure = withoutSource(call, parts);
        assertTrue(failure.source().isPresent(), failure::getMessage);
        return failure;
    }

    /** The same where no address of ours leads there. */
    static ConnectionException withoutSource(Executable call, String... parts) {
        try {
            call.execute();
        } catch (ConnectionException failure) {
            return require(failure, parts);
        } catch (Throwable other) {
            throw new AssertionError("not a ConnectionException", other);
        }
        throw new AssertionError("it did not fail");
    }

    /** The same of a future. */
    static ConnectionException by(CompletableFuture<?> future, String... parts) {
        return by(
                () -> {
                    try {
                        future.get(SECONDS, TimeUnit.SECONDS);
                    } catch (ExecutionException e) {
                        throw e.getCause();
                    } catch (TimeoutException e) {
                        throw new AssertionError("neither an outcome nor a deadline in " + SECONDS + " s", e);
                    }
                },
                parts);
    }

    private static ConnectionException require(ConnectionException failure, String... parts) {
        assertTrue(failure.event().isPresent() || failure.errno().isPresent(), failure::getMessage);
        assertTrue(failure.destination().isPresent(), failure::getMessage);
        assertTrue(failure.nextStep().isPresent(), failure::getMessage);
        for (String part : parts) {
            assertTrue(failure.getMessage().contains(part), () -> "'" + part + "' in " + failure.getMessage());
        }
        return failure;
    }
}
