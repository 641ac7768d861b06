package io.github.verbs4j.testkit.container;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Collectors;

/** The class that is to be run, looked at before a machine boots for it. */
final class MainClass {
    private MainClass() {}

    /** Refuses what {@code java} would refuse. */
    static void requireMain(Class<?> main) {
        Method method = method(main);
        if (method == null) {
            throw new IllegalArgumentException(main
                    + " has no main method that java starts: void main(String[]) or void main(), which is not private");
        }
        if (!Modifier.isStatic(method.getModifiers()) && !canBeMade(main)) {
            throw new IllegalArgumentException(main
                    + " has a main method that is not static, for which java cannot make an object: the class must not"
                    + " be abstract or an inner one, and must have a constructor without parameters, not private");
        }
    }

    /** In the order in which {@code java} looks (JLS 12.1.4): with arguments before without. */
    private static Method method(Class<?> main) {
        Method method = publicMethod(main, String[].class);
        if (method == null) {
            method = anyMethod(main, String[].class);
        }
        if (!isStarted(method)) {
            method = anyMethod(main);
        }
        return isStarted(method) ? method : null;
    }

    private static boolean isStarted(Method method) {
        return method != null && method.getReturnType() == void.class && !Modifier.isPrivate(method.getModifiers());
    }

    private static Method publicMethod(Class<?> main, Class<?>... parameters) {
        try {
            return main.getMethod("main", parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Method anyMethod(Class<?> main, Class<?>... parameters) {
        for (Class<?> type = main; type != null; type = type.getSuperclass()) {
            try {
                return type.getDeclaredMethod("main", parameters);
            } catch (NoSuchMethodException e) { // its superclass may have one
            }
        }
        return publicMethod(main, parameters); // of an interface
    }

    private static boolean canBeMade(Class<?> main) {
        if (Modifier.isAbstract(main.getModifiers())
                || main.isMemberClass() && !Modifier.isStatic(main.getModifiers())) {
            return false;
        }
        try {
            return !Modifier.isPrivate(main.getDeclaredConstructor().getModifiers());
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** Refuses a class that {@code java} would not find. The class path has been looked at: its entries are there. */
    static void requireIn(List<Path> classPath, String main) {
        if (classPath.isEmpty()) {
            throw new IllegalArgumentException(
                    "classPath is empty: name the jars and directories that " + main + " is in, and what it needs");
        }
        URL[] entries = classPath.stream().map(MainClass::url).toArray(URL[]::new);
        String name = main.replace('/', '.'); // java takes both
        try (URLClassLoader loader = new URLClassLoader(entries, null)) {
            if (loader.findResource(name.replace('.', '/') + ".class") != null || isOfTheJdk(name)) {
                return;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalArgumentException("main is '" + main + "', and there is no such class in "
                + classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfTheJdk(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0
                && ModuleFinder.ofSystem().findAll().stream()
                        .anyMatch(module -> module.descriptor().packages().contains(name.substring(0, dot)));
    }

    /** Only what is on the class path is copied. */
    static void requireOn(List<Path> classPath, Class<?> main) {
        CodeSource source = main.getProtectionDomain().getCodeSource();
        if (source == null
                || source.getLocation() == null
                || source.getLocation().getProtocol().equals("jrt")) {
            return; // of the JDK, or nobody knows
        }
        URI origin = URI.create(source.getLocation().toString());
        if (!origin.getScheme().equals("file")
                || classPath.stream().noneMatch(entry -> isSame(entry, Path.of(origin)))) {
            throw new IllegalStateException(main + " comes from " + origin + ", which is not on the class path: set"
                    + " useModulePath=false if Maven's Surefire or Failsafe runs the tests on the module path, or name what"
                    + " it needs: runningMain(classPath, name, arguments)");
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
