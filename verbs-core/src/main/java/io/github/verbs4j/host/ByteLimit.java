package io.github.verbs4j.host;

import java.util.Locale;

/**
 * An upper bound in bytes that may be unlimited, or unknown because the machine did not say.
 *
 * @param bytes the bound in bytes; {@link Long#MAX_VALUE} means unlimited, -1 means unknown
 */
public record ByteLimit(long bytes) {

    /** No bound. */
    public static final ByteLimit UNLIMITED = new ByteLimit(Long.MAX_VALUE);

    /** The machine did not say. */
    public static final ByteLimit UNKNOWN = new ByteLimit(-1);

    /**
     * Makes a bound.
     *
     * @throws IllegalArgumentException if {@code bytes} is less than -1
     */
    public ByteLimit {
        if (bytes < -1) {
            throw new IllegalArgumentException("a limit of " + bytes + " bytes");
        }
    }

    /** {@return whether there is no bound} */
    public boolean isUnlimited() {
        return bytes == Long.MAX_VALUE;
    }

    /** {@return whether the machine said what the bound is, unlimited included} */
    public boolean isKnown() {
        return bytes >= 0;
    }

    /**
     * Tells whether an amount is certainly over this bound; an unknown bound refuses nothing.
     *
     * @param amount an amount in bytes
     * @return true if the bound is known and {@code amount} is greater
     */
    public boolean isBelow(long amount) {
        return isKnown() && !isUnlimited() && amount > bytes;
    }

    /** {@return for example {@code 8 MiB}, {@code 65000 bytes}, {@code unlimited} or {@code unknown}} */
    @Override
    public String toString() {
        return isUnlimited() ? "unlimited" : isKnown() ? format(bytes) : "unknown";
    }

    /**
     * Writes an amount of memory the way people read it, without losing a byte: a whole number of the largest binary
     * unit that divides it, with a rounded form beside it when that is long.
     *
     * @param bytes an amount in bytes
     * @return for example {@code 8 MiB}, {@code 16388 KiB (16.0 MiB)} or {@code 65000 bytes (63.5 KiB)}
     */
    public static String format(long bytes) {
        int unit = unitDividing(bytes);
        long amount = bytes >> (10 * unit);
        String exact = amount + " " + UNITS[unit];
        if (Math.abs(amount) < 10_000) {
            return exact;
        }
        double rounded = amount;
        int larger = unit;
        while (Math.abs(rounded) >= 1024 && larger < UNITS.length - 1) {
            rounded /= 1024;
            larger++;
        }
        return exact + String.format(Locale.ROOT, " (%.1f %s)", rounded, UNITS[larger]);
    }

    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

    private static int unitDividing(long bytes) {
        int unit = 0;
        for (long rest = bytes; rest != 0 && rest % 1024 == 0 && unit < UNITS.length - 1; rest /= 1024) {
            unit++;
        }
        return unit;
    }
}
