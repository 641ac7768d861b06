package io.github.verbs4j.testkit.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code java} starts is taken, what it refuses is refused: it is asked. */
class MainClassTest {
    private static final Path CLASSES = Path.of("target", "test-classes").toAbsolutePath();

    static class Classic {
        public static void main(String[] arguments) {}
    }

    static class WithoutArguments {
        static void main() {}
    }

    static class OfAnObject {
        void main() {}
    }

    static class Inherited extends Classic {}

    interface Runs {
        default void main(String[] arguments) {}
    }

    static class OfAnInterface implements Runs {}

    static class OnlyTheOtherIsPrivate {
        private static void main(String[] arguments) {}

        protected static void main() {}
    }

    static class Private {
        private static void main(String[] arguments) {}
    }

    static class Returning {
        public static int main(String[] arguments) {
            return 0;
        }
    }

    static class None {}

    abstract static class AbstractStatic {
        public static void main(String[] arguments) {}
    }

    abstract static class Abstract {
        void main() {}
    }

    static class PrivateConstructor {
        private PrivateConstructor() {}

        void main() {}
    }

    static class ConstructorWithParameters {
        ConstructorWithParameters(int number) {}

        void main() {}
    }

    class Inner {
        void main() {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Classic.class,
                WithoutArguments.class,
                OfAnObject.class,
                Inherited.class,
                OfAnInterface.class,
                OnlyTheOtherIsPrivate.class,
                Private.class,
                Returning.class,
                None.class,
                AbstractStatic.class,
                Abstract.class,
                PrivateConstructor.class,
                ConstructorWithParameters.class,
                Inner.class
            })
    void shouldTakeWhatJavaStarts(Class<?> main) throws Exception {
        assertEquals(isStarted(main), isTaken(main));
    }

    private static boolean isStarted(Class<?> main) throws IOException, InterruptedException {
        return new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                CLASSES.toString(),
                                main.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static boolean isTaken(Class<?> main) {
        try {
            MainClass.requireMain(main);
            return true;
        } catch (IllegalArgumentException e) {
            assertTrue(e.getMessage().startsWith(main + " has "), e::getMessage);
            return false;
        }
    }

    @Test
    void shouldRefuseAClassWithoutMain() {
        assertRefused("has no main method that java starts: void main(String[]) or void main()", None.class);
        assertRefused("for which java cannot make an object", Inner.class);
    }

    private static void assertRefused(String reason, Class<?> main) {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> new SoftRoceContainer().runningMain(main));
        assertTrue(refusal.getMessage().contains(reason), refusal::getMessage);
    }

    @Test
    void shouldFindTheClassByName(@TempDir Path empty) {
        for (String name : List.of(
                Classic.class.getName(), Classic.class.getName().replace('.', '/'), "com.sun.tools.javac.Main")) {
            new SoftRoceContainer().runningMain(List.of(empty, CLASSES), name);
        }
        Path jar = Path.of(
                Test.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        new SoftRoceContainer().runningMain(List.of(jar), Test.class.getName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"X", "", " ", "example.Main", "io.github.verbs4j.testkit.container.MainClassTest.Classic"})
    void shouldRefuseAClassThatIsNotThere(String name) {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class, () -> new SoftRoceContainer().runningMain(List.of(CLASSES), name));
        assertEquals("main is '" + name + "', and there is no such class in " + CLASSES, refusal.getMessage());
    }

    @Test
    void shouldRefuseAnEmptyClassPath() {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> new SoftRoceContainer().runningMain(List.of(), "X"));
        assertEquals(
                "classPath is empty: name the jars and directories that X is in, and what it needs",
                refusal.getMessage());
    }
}
