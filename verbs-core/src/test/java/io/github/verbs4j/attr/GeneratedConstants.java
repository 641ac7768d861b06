package io.github.verbs4j.attr;

import io.github.verbs4j.ffi.verbs4j_h;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The constants of {@code verbs.h} as jextract generated them, by name. */
final class GeneratedConstants {
    private static final Map<String, Integer> ALL = new TreeMap<>();

    static {
        for (Method method : verbs4j_h.class.getMethods()) {
            if (method.getName().startsWith("IBV_")
                    && method.getParameterCount() == 0
                    && method.getReturnType() == int.class) {
                try {
                    ALL.put(method.getName(), (Integer) method.invoke(null));
                } catch (ReflectiveOperationException e) {
                    throw new ExceptionInInitializerError(e);
                }
            }
        }
    }

    private GeneratedConstants() {}

    /** All of a prefix, without those that belong to another enum, or are masks and not values. */
    static Map<String, Integer> of(String prefix, String... others) {
        Set<String> foreign = Set.of(others);
        Map<String, Integer> found = new TreeMap<>();
        ALL.forEach((name, value) -> {
            boolean other = foreign.contains(name)
                    || Arrays.stream(others).anyMatch(part -> part.endsWith("_") && name.startsWith(part));
            if (name.startsWith(prefix) && !other) {
                found.put(name, value);
            }
        });
        return found;
    }

    static int valueOf(String name) {
        return ALL.get(name);
    }
}
