package io.github.verbs4j.bench.report;

import java.util.Locale;

/** Numbers for people. */
final class Numbers {
    private static final String[] UNITS = {" B", " KiB", " MiB", " GiB"};

    private Numbers() {}

    /** {@return a number with so many digits after the point} */
    static String fixed(double number, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", number);
    }

    /** {@return a number of bytes in the largest unit that keeps it whole} */
    static String bytes(double bytes) {
        double number = bytes;
        int unit = 0;
        while (number >= 1024 && number % 1024 == 0 && unit < UNITS.length - 1) {
            number /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.0f%s", number, UNITS[unit]);
    }
}
