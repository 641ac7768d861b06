package io.github.verbs4j.ffi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Another virtual machine, for what can be tried only once in a process. Its main method prints lines of the form {@code
 * name=value}; a name may not appear twice.
 */
final class ChildJvm {
    private static final String MODULE = "io.github.verbs4j.ffi";

    private ChildJvm() {}

    /** Runs a main class on the class path. */
    static Map<String, String> onClassPath(Class<?> main, String... options) {
        return run(options, "--class-path", Build.classes() + ":" + Build.testClasses(), main.getName());
    }

    /** Runs a main class inside of the module. */
    static Map<String, String> onModulePath(Class<?> main, String... options) {
        return run(
                options,
                "--module-path",
                Build.classes().toString(),
                "--patch-module",
                MODULE + "=" + Build.testClasses(),
                "--module",
                MODULE + "/" + main.getName());
    }

    /** Runs a main class on the class path, with native access and the fake libibverbs in place of the real one. */
    static Map<String, String> withFakeLibrary(Class<?> main) {
        return withLibrary(main, FakeLibrary.withSoname("libibverbs.so.1"));
    }

    /** As {@link #withFakeLibrary}, with a library of choice. */
    static Map<String, String> withLibrary(Class<?> main, Path library) {
        return onClassPath(
                main, "--enable-native-access=ALL-UNNAMED", "-D" + NativeLibrary.LIBIBVERBS_PROPERTY + "=" + library);
    }

    private static Map<String, String> run(String[] options, String... program) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "--illegal-native-access=deny"));
        command.addAll(List.of(options));
        command.addAll(List.of(program));
        Map<String, String> values = new LinkedHashMap<>();
        Command.Result result = Command.runOrFail(command);
        result.text().lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals < 0 || values.put(line.substring(0, equals), line.substring(equals + 1)) != null) {
                throw new AssertionError("unexpected output: " + line);
            }
        });
        return values;
    }

    /** What the child says instead of a value if the action fails as it should: the message. */
    static String messageOf(Runnable action) {
        return failureOf(action).map(Throwable::getMessage).orElse("no exception");
    }

    private static Optional<LibraryUnavailableException> failureOf(Runnable action) {
        try {
            action.run();
            return Optional.empty();
        } catch (LibraryUnavailableException e) {
            return Optional.of(e);
        }
    }

    static void print(String name, Object value) {
        System.out.println(name + "=" + value);
    }
}
