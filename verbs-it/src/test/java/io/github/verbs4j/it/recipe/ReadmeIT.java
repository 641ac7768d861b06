package io.github.verbs4j.it.recipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.docs.Troubleshooting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README, from the opening of the device to the last close. */
class ReadmeIT {
    private static final Path README =
            Path.of(System.getProperty("root.directory", "..")).resolve("README.md");
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?public class Hello .*?)```", Pattern.DOTALL);

    @Test
    void shouldDoEveryStep(@TempDir Path directory) throws Exception {
        Matcher program = PROGRAM.matcher(Files.readString(README));
        assertTrue(program.find(), "no program in the README");
        compile(program.group(1), directory);
        String said = run(directory);
        Troubleshooting.line("A1").mustBeIn(said);
    }

    private static void compile(String program, Path directory) throws IOException {
        Path source = Files.writeString(directory.resolve("Hello.java"), program);
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        errors,
                        errors,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        directory.toString(),
                        source.toString());
        assertEquals(0, status, () -> errors.toString(StandardCharsets.UTF_8));
    }

    private static String run(Path directory) throws Exception {
        PrintStream out = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
            loader.loadClass("Hello").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(out);
        }
        return said.toString(StandardCharsets.UTF_8);
    }
}
