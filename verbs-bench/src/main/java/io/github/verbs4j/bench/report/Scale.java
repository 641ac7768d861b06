package io.github.verbs4j.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * A logarithmic axis, from and to a number of one digit.
 *
 * @param from where it begins, positive
 * @param to where it ends
 */
record Scale(double from, double to) {
    private static final int DECADE = 10;
    /** More digits than a step has, and fewer than are wrong in a power of ten that was computed. */
    private static final MathContext DIGITS = new MathContext(6);

    /** {@return the shortest scale around two positive numbers} */
    static Scale around(double smallest, double largest) {
        return new Scale(oneDigit(smallest, RoundingMode.DOWN), oneDigit(largest, RoundingMode.UP));
    }

    private static double oneDigit(double number, RoundingMode rounding) {
        return BigDecimal.valueOf(number).round(new MathContext(1, rounding)).doubleValue();
    }

    /** {@return what stands at a number: itself, or something invisible where labels would be too many} */
    String label(double number) {
        BigDecimal exact = BigDecimal.valueOf(number).round(DIGITS).stripTrailingZeros();
        boolean sparse = to / from > DECADE;
        return switch (exact.unscaledValue().intValue()) {
            case 1, 2, 5 -> exact.toPlainString();
            default -> sparse ? " " : exact.toPlainString();
        };
    }
}
