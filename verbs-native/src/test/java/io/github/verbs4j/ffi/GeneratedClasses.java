package io.github.verbs4j.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.GroupLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The classes that jextract wrote, found by what they look like. */
final class GeneratedClasses {
    private GeneratedClasses() {}

    /** Classes of structs and unions that have a name in C. */
    static List<Class<?>> structs() {
        Path folder =
                Build.classes().resolve(GeneratedClasses.class.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && name.indexOf('$') < 0)
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .filter(name -> !name.endsWith("-info"))
                    .sorted()
                    .<Class<?>>map(GeneratedClasses::load)
                    .filter(GeneratedClasses::isStruct)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Structs and unions defined inside of another, without a name of their own in C. */
    static List<Class<?>> nestedStructs(Class<?> struct) {
        return Arrays.stream(struct.getDeclaredClasses())
                .filter(GeneratedClasses::isStruct)
                .sorted(Comparator.comparing(Class::getSimpleName))
                .<Class<?>>map(nested -> nested)
                .toList();
    }

    /** Public static methods without parameters whose name ends so, sorted by name, which is given without the end. */
    static List<String> methods(Class<?> type, String end) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> isGetter(method) && method.getName().endsWith(end))
                .map(method -> method.getName().substring(0, method.getName().length() - end.length()))
                .sorted()
                .toList();
    }

    static Object call(Class<?> type, String method) {
        try {
            return type.getDeclaredMethod(method).invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(type.getName() + "." + method, e);
        }
    }

    static GroupLayout layout(Class<?> struct) {
        return (GroupLayout) call(struct, "layout");
    }

    static boolean isGetter(Method method) {
        return Modifier.isStatic(method.getModifiers())
                && Modifier.isPublic(method.getModifiers())
                && method.getParameterCount() == 0;
    }

    private static boolean isStruct(Class<?> type) {
        Optional<Method> layout = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals("layout") && isGetter(method))
                .findFirst();
        return layout.isPresent()
                && GroupLayout.class.isAssignableFrom(layout.get().getReturnType());
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(
                    GeneratedClasses.class.getPackageName() + "." + name,
                    false,
                    GeneratedClasses.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
