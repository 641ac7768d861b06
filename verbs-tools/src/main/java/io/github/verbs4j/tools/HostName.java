package io.github.verbs4j.tools;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The name or address of a host: Java takes one that is empty, a variable that was not set, for this machine. */
final class HostName implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
        if (text.isBlank()) {
            throw new TypeConversionException("'" + text + "' is no name or IP address of a host");
        }
        return text;
    }
}
