package io.github.verbs4j.bench;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The name of an RDMA device: in a script, one that is empty is a variable that was not set. */
public final class DeviceName implements ITypeConverter<String> {
    /** Made by picocli. */
    public DeviceName() {}

    @Override
    public String convert(String text) {
        if (text.isBlank()) {
            throw new TypeConversionException("'" + text + "' is no name of a device, such as './verbs devices' lists");
        }
        return text;
    }
}
