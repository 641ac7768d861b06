package io.github.verbs4j.bench.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.jr.ob.JSON;
import io.github.verbs4j.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a command left, or an object within it. A value that is not there or of another kind is told with the file, the place
 * in it and the command that makes it anew.
 *
 * @param command that left it
 * @param place the file, and where in it
 * @param values names and values
 */
record Recorded(String command, String place, Map<?, ?> values) {
    /** Far more than anything is measured to be, and less than a picture's axis could not hold. */
    private static final double LARGEST = 1e12;

    /**
     * {@return what a command left, if it has left anything}
     *
     * @param directory of the results
     * @param command its name
     */
    static Optional<Recorded> read(Path directory, String command) {
        Path file = directory.resolve(command + ".json");
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Recorded(command, file.toString(), JSON.std.mapFrom(Files.readString(file))));
        } catch (JacksonException e) {
            throw new BenchFailure(
                    file + " is not the JSON of a result: " + e.getOriginalMessage() + "; " + remedy(command), e);
        } catch (IOException e) {
            throw new BenchFailure("cannot read " + file + ": " + e, e);
        }
    }

    /** {@return the command that makes it} */
    static String remedy(String command) {
        return "make it with './verbs bench " + command + "'";
    }

    String text(String name) {
        return value(name, String.class, "a text");
    }

    double number(String name) {
        double number = value(name, Number.class, "a number").doubleValue();
        if (!(number >= 0 && number <= LARGEST)) {
            throw unusable(name, "out of range: " + number);
        }
        return number;
    }

    int whole(String name) {
        return value(name, Integer.class, "a whole number");
    }

    boolean flag(String name) {
        return value(name, Boolean.class, "true or false");
    }

    List<String> texts(String name) {
        return list(name).stream().map(Object::toString).toList();
    }

    Recorded object(String name) {
        return new Recorded(command, place + ": " + name, value(name, Map.class, "an object"));
    }

    /** {@return the objects of a list, at least one} */
    List<Recorded> objects(String name) {
        List<?> list = list(name);
        if (list.isEmpty()) {
            throw unusable(name, "an empty list");
        }
        return IntStream.range(0, list.size())
                .mapToObj(index -> {
                    String item = name + "[" + index + "]";
                    if (list.get(index) instanceof Map<?, ?> map) {
                        return new Recorded(command, place + ": " + item, map);
                    }
                    throw unusable(item, "not an object");
                })
                .toList();
    }

    /** {@return a list of rows of so many numbers} */
    List<double[]> rows(String name, int width) {
        return list(name).stream().map(row -> row(name, row, width)).toList();
    }

    private double[] row(String name, Object row, int width) {
        if (!(row instanceof List<?> cells)
                || cells.size() != width
                || !cells.stream().allMatch(Number.class::isInstance)) {
            throw unusable(name, "not a list of rows of " + width + " numbers");
        }
        return cells.stream().mapToDouble(cell -> ((Number) cell).doubleValue()).toArray();
    }

    private List<?> list(String name) {
        return value(name, List.class, "a list");
    }

    private <T> T value(String name, Class<T> type, String kind) {
        Object value = values.get(name);
        if (!type.isInstance(value)) {
            throw unusable(name, value == null ? "not there" : "not " + kind);
        }
        return type.cast(value);
    }

    private BenchFailure unusable(String name, String why) {
        return new BenchFailure(place + ": " + name + " is " + why + "; " + remedy(command));
    }
}
