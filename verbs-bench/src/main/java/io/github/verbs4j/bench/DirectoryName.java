package io.github.verbs4j.bench;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A directory: in a script, an empty one is a variable that was not set, not the working directory. */
public final class DirectoryName implements ITypeConverter<Path> {
    /** Made by picocli. */
    public DirectoryName() {}

    @Override
    public Path convert(String text) {
        if (text.isBlank()) {
            throw new TypeConversionException("'" + text + "' is no directory; '.' is the working directory");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + text + "' is no directory: " + e.getReason());
        }
    }
}
