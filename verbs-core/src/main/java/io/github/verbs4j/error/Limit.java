package io.github.verbs4j.error;

import java.io.Serializable;
import java.util.Objects;

/**
 * What was asked for held against what the device allows.
 *
 * @param field what was asked for, as C names it, for example {@code max_send_wr}
 * @param asked how much was asked for, in the field's own unit
 * @param allowed how much the device allows, in the same unit
 * @param deviceAttribute where the device says so, for example {@code max_qp_wr}
 */
public record Limit(String field, long asked, long allowed, String deviceAttribute) implements Serializable {

    /** Requires the names. */
    public Limit {
        Objects.requireNonNull(field, "field");
        Objects.requireNonNull(deviceAttribute, "deviceAttribute");
    }

    /** {@return whether more was asked for than is allowed} */
    public boolean isExceeded() {
        return asked > allowed;
    }

    /** {@return for example {@code max_send_wr 2000000 > 1048576 (max_qp_wr)}} */
    @Override
    public String toString() {
        return field + " " + asked + (isExceeded() ? " > " : " <= ") + allowed + " (" + deviceAttribute + ")";
    }
}
