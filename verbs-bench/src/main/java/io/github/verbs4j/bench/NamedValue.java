package io.github.verbs4j.bench;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a constant of an enum by the name that it has in help texts and results, which a message for a wrong one lists.
 *
 * @param <E> the enum
 */
public abstract class NamedValue<E extends Enum<E>> implements ITypeConverter<E> {
    private final Class<E> type;

    /**
     * For an option of this type.
     *
     * @param type the enum
     */
    protected NamedValue(Class<E> type) {
        this.type = type;
    }

    @Override
    public E convert(String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> value.toString().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + name + "' is none of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(E::toString)
                                .collect(Collectors.joining(", "))));
    }
}
