package io.github.verbs4j;

import io.github.verbs4j.attr.CompletionField;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * What to create a completion queue with: the arguments of {@code ibv_create_cq}, or {@code ibv_cq_init_attr_ex}. Every
 * method returns a new value.
 */
public final class CompletionQueueOptions {
    private final int entries;
    private final int vector;
    private final Set<CompletionField> fields;
    private final boolean extended;
    private final boolean ignoreOverrun;

    private CompletionQueueOptions(
            int entries, int vector, Set<CompletionField> fields, boolean extended, boolean ignoreOverrun) {
        this.entries = entries;
        this.vector = vector;
        this.fields = fields;
        this.extended = extended;
        this.ignoreOverrun = ignoreOverrun;
    }

    /**
     * {@return options of a plain completion queue}
     *
     * @param entries completions that it must hold ({@code cqe}), 1 or more
     * @throws IllegalArgumentException if it is less than 1
     */
    public static CompletionQueueOptions entries(int entries) {
        requireEntries(entries);
        return new CompletionQueueOptions(entries, 0, Set.of(), false, false);
    }

    static void requireEntries(int entries) {
        if (entries < 1) {
            throw new IllegalArgumentException("entries=" + entries + ": a completion queue holds at least 1");
        }
    }

    /**
     * {@return the same with another completion vector ({@code comp_vector})} Queues with different vectors raise their
     * events through different interrupts, which the host may send to different processors.
     *
     * @param other from 0, less than {@link DeviceContext#completionVectors}
     */
    public CompletionQueueOptions vector(int other) {
        return new CompletionQueueOptions(entries, other, fields, extended, ignoreOverrun);
    }

    /**
     * {@return the same as an extended queue ({@code ibv_create_cq_ex}), which {@link ExtendedCompletions} reads}
     *
     * @param asked what it shall tell of each completion ({@code wc_flags})
     */
    public CompletionQueueOptions extended(CompletionField... asked) {
        EnumSet<CompletionField> set = EnumSet.noneOf(CompletionField.class);
        for (CompletionField field : Objects.requireNonNull(asked, "asked")) {
            set.add(Objects.requireNonNull(field, "asked contains null"));
        }
        return new CompletionQueueOptions(entries, vector, Collections.unmodifiableSet(set), true, ignoreOverrun);
    }

    /**
     * {@return the same as an extended queue that stays usable after it overflowed ({@code
     * IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN})} What did not fit is lost then, but no {@code CQ_ERR} is raised.
     */
    public CompletionQueueOptions ignoreOverrun() {
        return new CompletionQueueOptions(entries, vector, fields, true, true);
    }

    /** {@return completions that it must hold} */
    public int entries() {
        return entries;
    }

    /** {@return its completion vector} */
    public int vector() {
        return vector;
    }

    /** {@return what it shall tell of each completion; empty for a plain queue} */
    public Set<CompletionField> fields() {
        return fields;
    }

    /** {@return whether it is an extended queue} */
    public boolean isExtended() {
        return extended;
    }

    /** {@return whether it stays usable after it overflowed} */
    public boolean ignoresOverrun() {
        return ignoreOverrun;
    }

    @Override
    public String toString() {
        return "CompletionQueueOptions[entries=" + entries + ", vector=" + vector
                + (extended ? ", extended with " + fields : "") + (ignoreOverrun ? ", ignores overrun" : "") + "]";
    }
}
