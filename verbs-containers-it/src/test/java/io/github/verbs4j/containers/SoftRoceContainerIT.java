package io.github.verbs4j.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testkit.container.Ending;
import io.github.verbs4j.testkit.container.SoftRoceContainer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The container of the test kit, with programs of a user. */
@Tag("plain")
class SoftRoceContainerIT {
    @Test
    void shouldRunAClassOfTheTestsOnADevice() {
        try (SoftRoceContainer container = new SoftRoceContainer().runningMain(Hello.class, "hello, container")) {
            assertEquals(
                    "received: hello, container\n",
                    container.run().requireSuccess().output());
        }
    }

    @Test
    void shouldRunAJarWithOptionsAndTellItsExitStatus(@TempDir Path directory) throws IOException {
        try (SoftRoceContainer container = new SoftRoceContainer()
                .withJavaOptions("-Dstatus=3")
                .withAddress("10.9.7.1/24")
                .runningJar(jarOf(Exiting.class, directory), "one", "two words")) {
            Ending ending = container.run();
            assertEquals(3, ending.exitStatus(), ending::toString);
            assertEquals("one,two words\n", ending.output());
            assertTrue(ending.errors().endsWith("to standard error\n"), ending::toString);
            assertThrows(IllegalStateException.class, ending::requireSuccess);
        }
    }

    @Test
    void shouldEndTheWaitForACommandThatDoesNotEnd() {
        try (SoftRoceContainer container = new SoftRoceContainer().running("sleep", "1000")) {
            container.start();
            assertThrows(IllegalStateException.class, () -> container.awaitEnd(Duration.ofSeconds(2)));
        }
    }

    @Test
    void shouldTellAtOnceThatThereIsNoImage() {
        try (SoftRoceContainer container = new SoftRoceContainer("verbs4j:nowhere").running("true")) {
            String message =
                    assertThrows(IllegalStateException.class, container::run).getMessage();
            assertTrue(message.startsWith("the container engine has no image verbs4j:nowhere: build it"), message);
        }
    }

    private static Path jarOf(Class<?> main, Path directory) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main.getName());
        String entry = main.getName().replace('.', '/') + ".class";
        Path jar = directory.resolve("program.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest);
                InputStream in = main.getResourceAsStream("/" + entry)) {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
        }
        return jar;
    }
}
