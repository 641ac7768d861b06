package io.github.verbs4j.host;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * A number that a port or a device counts up.
 *
 * @param source which of the kernel's directories it is in
 * @param name the kernel's name, for example {@code port_xmit_data} or {@code rcvd_rnr_err}
 * @param value the number, in {@link #unit() its unit}; standard counters of 16 or 32 bits stop at their greatest value
 */
public record Counter(CounterSource source, String name, long value) {

    /** Refuses null. */
    public Counter {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(name, "name");
    }

    /** {@return what it counts in} */
    public CounterUnit unit() {
        return CounterUnit.of(source, name);
    }

    /** {@return what it means when it moves} */
    public CounterMeaning meaning() {
        return CounterMeaning.of(name);
    }

    /** {@return the value in bytes, of a counter of data; empty of others} */
    public OptionalLong bytes() {
        return unit() == CounterUnit.FOUR_BYTES ? OptionalLong.of(value * 4) : OptionalLong.empty();
    }
}
