package io.github.verbs4j.containers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testkit.container.Ending;
import io.github.verbs4j.testkit.container.SoftRoceContainer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.utility.MountableFile;

/** The project's integration tests, in the image: its JDK, its libraries and its kernel. */
@Tag("plain")
class IntegrationTestsIT {
    private static final Path ROOT = Path.of(System.getProperty("root.directory"));
    private static final Path MODULE = ROOT.resolve("verbs-it", "target");
    /** Where tests look for it, beside the directory that they run in. */
    private static final String PAGE = "docs/troubleshooting.md";

    private static final Duration PATIENCE = Duration.ofMinutes(15);

    @Test
    void shouldPassInTheImage() throws IOException {
        List<Path> classPath = new ArrayList<>(List.of(MODULE.resolve("test-classes")));
        Stream.of(Files.readString(MODULE.resolve("class-path")).strip().split(File.pathSeparator))
                .map(Path::of)
                .forEach(classPath::add);
        try (SoftRoceContainer container = new SoftRoceContainer()
                .withMachineOption("--memory", "8G")
                .withCopyFileToContainer(MountableFile.forHostPath(ROOT.resolve(PAGE)), "/" + PAGE)
                .withJavaOptions("-Xmx512m")
                .runningMain(classPath, "org.junit.platform.console.ConsoleLauncher", arguments())) {
            container.start();
            Ending ending = container.awaitEnd(PATIENCE).requireSuccess();
            assertTrue(ending.output().contains("in the Soft-RoCE machine"), ending::toString);
            assertTrue(
                    ending.output().matches("(?s).*Integration tests: [1-9][0-9]* passed, 0 failed.*"),
                    ending::toString);
            ending.output()
                    .lines()
                    .filter(line -> line.startsWith("Integration tests"))
                    .forEach(System.out::println);
        }
    }

    private static String[] arguments() {
        Stream<String> rooms = Stream.of(System.getProperty("containers.rooms").split(","))
                .map(room -> "--select-package=io.github.verbs4j.it" + (room.equals("all") ? "" : "." + room));
        return Stream.concat(
                        Stream.of("execute", "--disable-banner", "--details=summary", "--include-classname=.*IT"),
                        rooms)
                .toArray(String[]::new);
    }
}
