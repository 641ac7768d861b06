package io.github.verbs4j.testkit.container;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Lists that are given to a container: what is missing in one is told by the name of the parameter and its place. */
final class Words {
    private Words() {}

    static <T> List<T> complete(T[] given, String parameter) {
        Objects.requireNonNull(given, parameter);
        return complete(Arrays.asList(given), parameter);
    }

    static <T> List<T> complete(List<T> given, String parameter) {
        Objects.requireNonNull(given, parameter);
        int place = 0;
        for (T each : given) {
            Objects.requireNonNull(each, parameter + "[" + place + "]");
            place++;
        }
        return List.copyOf(given);
    }
}
