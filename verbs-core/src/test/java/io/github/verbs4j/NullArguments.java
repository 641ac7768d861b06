package io.github.verbs4j;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Calls with one argument null at a time, and with collections and arrays that contain null. */
public final class NullArguments {
    private NullArguments() {}

    /** For example {@code RcPath.withMtu(value)} or {@code new RcPath(mtu)}. */
    private static String name(Executable call, Parameter parameter) {
        String type = call.getDeclaringClass().getSimpleName();
        String called = call instanceof Constructor ? "new " + type : type + "." + call.getName();
        return called + "(" + parameter.getName() + ")";
    }

    /**
     * What is not refused, or not in words that name the argument; empty if all is well.
     *
     * @param permitted names of parameters that are documented to take null
     */
    public static List<String> unnamed(
            Executable call, Object target, Function<Class<?>, Object> arguments, Set<String> permitted)
            throws ReflectiveOperationException {
        List<String> unnamed = new ArrayList<>();
        Parameter[] parameters = call.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            Parameter parameter = parameters[i];
            String name = name(call, parameter);
            if (parameter.getType().isPrimitive() || permitted.contains(name)) {
                continue;
            }
            Throwable thrown = thrownBy(call, target, arguments, i, null);
            if (!isNamed(thrown, parameter.getName())) {
                unnamed.add(name + " null: " + thrown);
            }
            Object holed = holed(parameter.getType());
            if (holed != null) {
                thrown = thrownBy(call, target, arguments, i, holed);
                boolean isNamed = isNamed(thrown, parameter.getName() + " contains null")
                        || isNamed(thrown, parameter.getName() + " contain null")
                        || call instanceof Constructor && isNamed(thrown, null); // List.copyOf
                if (!isNamed) {
                    unnamed.add(name + " containing null: " + thrown);
                }
            }
        }
        return unnamed;
    }

    private static boolean isNamed(Throwable thrown, String message) {
        return thrown instanceof NullPointerException && Objects.equals(message, thrown.getMessage());
    }

    private static Object holed(Class<?> type) {
        if (type.isArray() && !type.getComponentType().isPrimitive()) {
            return Array.newInstance(type.getComponentType(), 1);
        }
        if (type == List.class || type == Collection.class) {
            return Collections.singletonList(null);
        }
        return type == Set.class ? Collections.singleton(null) : null;
    }

    private static Throwable thrownBy(
            Executable call, Object target, Function<Class<?>, Object> arguments, int at, Object value)
            throws ReflectiveOperationException {
        Object[] values = new Object[call.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = i == at ? value : argument(call.getParameterTypes()[i], arguments);
        }
        call.setAccessible(true);
        try {
            if (call instanceof Constructor<?> constructor) {
                constructor.newInstance(values);
            } else {
                ((Method) call).invoke(target, values);
            }
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    /** 1 for numbers, which are ports, lengths and the like. */
    static Object argument(Class<?> type, Function<Class<?>, Object> arguments) {
        if (type == long.class) {
            return 1L;
        }
        if (type == int.class) {
            return 1;
        }
        return type == boolean.class ? (Object) false : arguments.apply(type);
    }
}
