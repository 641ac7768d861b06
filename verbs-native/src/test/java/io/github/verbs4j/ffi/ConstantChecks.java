package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Every constant of the bindings, as checks. */
final class ConstantChecks {
    private ConstantChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>();
        Arrays.stream(verbs4j_h.class.getDeclaredMethods())
                .filter(GeneratedClasses::isGetter)
                .sorted(Comparator.comparing(Method::getName))
                .forEach(method -> add(checks, method.getName()));
        return List.copyOf(checks);
    }

    private static void add(List<Check> checks, String name) {
        switch (GeneratedClasses.call(verbs4j_h.class, name)) {
            case Integer value -> {
                checks.add(new Check("value of " + name, "(int)(" + name + ")", value));
                checks.add(new Check(
                        "whether 32 bits hold " + name,
                        "(int)(" + name + ") == (" + name + ") || (unsigned)(" + name + ") == (" + name + ")",
                        1));
            }
            case Long value -> checks.add(new Check("value of " + name, name, value));
            case MemorySegment value ->
                checks.add(new Check("value of " + name, "(uintptr_t)" + name, value.address()));
            default -> throw new AssertionError("no rule for the type of " + name);
        }
    }
}
