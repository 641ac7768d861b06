package io.github.verbs4j;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The public methods of a class that do something, called with arguments that would be right. */
public final class PublicMethods {
    private PublicMethods() {}

    /** Its public instance methods by name, without those of Object. */
    public static List<Method> of(Class<?> type, Set<String> without) {
        List<Method> found = new ArrayList<>();
        for (Method method : type.getMethods()) {
            if (method.getDeclaringClass() != Object.class
                    && !Modifier.isStatic(method.getModifiers())
                    && !method.isBridge()
                    && !without.contains(method.getName())) {
                found.add(method);
            }
        }
        found.sort(Comparator.comparing(Method::toString));
        return found;
    }

    /** What the method throws with these arguments, null if nothing. */
    static Throwable thrownBy(Method method, Object target, Function<Class<?>, Object> arguments)
            throws ReflectiveOperationException {
        Object[] values = new Object[method.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            values[i] = NullArguments.argument(type, arguments);
        }
        try {
            method.setAccessible(true);
            method.invoke(target, values);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }
}
