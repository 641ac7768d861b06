package io.github.verbs4j.it.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Completions;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.WorkFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A completion, kept.
 *
 * @param id of the request
 * @param status how it ended
 * @param number of the queue pair
 * @param opcode what it did, if it succeeded
 * @param byteLength of a received message, 0 if it failed
 * @param immediate data of a received message, if there was any
 * @param failure what {@code requireSuccess} would throw, if it failed
 */
public record Done(
        long id,
        WorkStatus status,
        int number,
        Optional<WorkOpcode> opcode,
        long byteLength,
        OptionalInt immediate,
        Optional<WorkFailedException> failure) {

    private static Done present(Completions completions) {
        boolean good = completions.isSuccess();
        return new Done(
                completions.id(),
                completions.status(),
                completions.queuePairNumber(),
                good ? Optional.of(completions.opcode()) : Optional.empty(),
                good && completions.isReceive() ? completions.byteLength() : 0,
                good && completions.hasImmediate() ? OptionalInt.of(completions.immediate()) : OptionalInt.empty(),
                good ? Optional.empty() : Optional.of(completions.failure()));
    }

    /**
     * {@return the next completion, waited for}
     *
     * @param completions of a completion queue
     */
    public static Done next(Completions completions) {
        if (!completions.next()) {
            Watchdog.await("a completion in " + completions, () -> completions.poll() > 0);
            assertTrue(completions.next(), "poll() counted a completion, next() has none");
        }
        return present(completions);
    }

    /**
     * {@return the next completions, waited for, in order}
     *
     * @param completions of a completion queue
     * @param count how many
     */
    public static List<Done> next(Completions completions, int count) {
        List<Done> all = new ArrayList<>();
        while (all.size() < count) {
            all.add(next(completions));
        }
        return all;
    }

    /**
     * {@return this, which succeeded}
     *
     * @param expectedId the request's id
     * @param expectedOpcode what it did
     */
    public Done requireSuccess(long expectedId, WorkOpcode expectedOpcode) {
        failure.ifPresent(thrown -> {
            throw thrown;
        });
        assertEquals(expectedId, id, "id");
        assertEquals(Optional.of(expectedOpcode), opcode, "opcode");
        return this;
    }

    /**
     * {@return the exception of this, which failed}
     *
     * @param expectedId the request's id
     * @param expected how it ended, one of these: drivers differ
     */
    public WorkFailedException requireFailure(long expectedId, WorkStatus... expected) {
        assertTrue(
                Set.of(expected).contains(status),
                () -> "request " + id + " ended with " + status + ", not " + List.of(expected));
        assertEquals(expectedId, id, "id");
        return failure.orElseThrow();
    }
}
