package io.github.verbs4j.tools;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An amount of memory as people type it: {@code 4096}, {@code 64k}, {@code 512MiB}, {@code 2g}. */
final class ByteCount implements ITypeConverter<Long> {
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,18})(?:([kmgt])(?:i?b)?)?");

    @Override
    public Long convert(String text) {
        Matcher matcher = AMOUNT.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw refused(text);
        }
        int unit = matcher.group(2) == null ? 0 : 1 + "kmgt".indexOf(matcher.group(2));
        try {
            long bytes = Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * unit));
            if (bytes == 0) {
                throw refused(text);
            }
            return bytes;
        } catch (ArithmeticException _) {
            throw new TypeConversionException("'" + text + "' is more than there is");
        }
    }

    private static TypeConversionException refused(String text) {
        return new TypeConversionException(
                "'" + text + "' is not a number of bytes from 1 on, such as 4096, 64k, 512m or 2g");
    }
}
