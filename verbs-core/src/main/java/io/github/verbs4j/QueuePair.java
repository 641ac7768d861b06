package io.github.verbs4j;

import io.github.verbs4j.attr.QueuePairAttributes;
import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.error.WorkFailedException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * {@code ibv_qp}: a queue pair. Its kind is its type; its state is not.
 *
 * <p>Thread-safe; posting is done through {@link SendQueue} and {@link ReceiveQueue}, by one thread at a time each.
 */
public sealed interface QueuePair extends AutoCloseable permits RcQueuePair {
    /** {@return the protection domain that it belongs to} */
    ProtectionDomain domain();

    /** {@return its number on the device ({@code qp_num}), 24 bits} */
    int number();

    /** {@return how much it holds, as granted by the device: at least what was asked for} */
    QueuePairCapacity capacity();

    /**
     * {@return the state that it is known to be in: where it was led, or ERR once a failed completion was polled} The
     * device may have left that state by itself; {@link #query} asks it.
     */
    QueuePairState state();

    /** {@return the first failed completion since the last reset that was not merely an echo of another one} */
    Optional<WorkFailedException> firstFailure();

    /**
     * Asks the device ({@code ibv_query_qp}).
     *
     * @return its state and attributes
     * @throws VerbsException if the device does not answer
     */
    QueuePairAttributes query();

    /**
     * Takes one step of the state machine ({@code ibv_modify_qp}).
     *
     * @param step where to, and what to set
     * @throws IllegalStateException if there is no such step from the present state; says which there are
     * @throws IllegalArgumentException if an attribute is missing or one too many; says which
     * @throws VerbsException if the device refuses, with all attributes
     */
    void modify(Transition step);

    /**
     * Leads it to ERR: everything outstanding ends with WR_FLUSH_ERR.
     *
     * @throws VerbsException if the device refuses
     */
    default void toError() {
        modify(Transition.to(QueuePairState.ERR));
    }

    /**
     * Leads it back to RESET: everything outstanding is gone without a completion; what is staged and not posted stays
     * staged. Poll its completion queue until it is empty before it is used again.
     *
     * @throws VerbsException if the device refuses
     */
    default void reset() {
        modify(Transition.to(QueuePairState.RESET));
    }

    /** {@return {@code struct ibv_qp *}: valid while this is open, and as unsafe as C} */
    MemorySegment handle();

    /** {@return whether it is still open} */
    boolean isOpen();

    /**
     * Destroys it ({@code ibv_destroy_qp}). Closing twice is harmless. Completions that it left behind are still
     * delivered.
     *
     * @throws IllegalStateException if a {@link SendQueue} or {@link ReceiveQueue} of it is still open
     * @throws VerbsException if the device refuses
     */
    @Override
    void close();
}
