package io.github.verbs4j.testkit.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.testcontainers.containers.Network;
import org.testcontainers.utility.DockerImageName;

/** Each parameter, when it is null, is named. */
class NothingGivenTest {
    private static final Path JAR = Path.of("pom.xml");

    static Stream<Arguments> calls() {
        SoftRoceContainer container = new SoftRoceContainer();
        return Stream.of(
                call("image", () -> new SoftRoceContainer((String) null)),
                call("image", () -> new SoftRoceContainer((DockerImageName) null)),
                call("network", () -> SoftRoceContainer.pair(null)),
                call("network", () -> SoftRoceContainer.pair(null, "verbs4j")),
                call("image", () -> SoftRoceContainer.pair(Network.SHARED, null)),
                call("address", () -> container.withAddress(null)),
                call("option", () -> container.withMachineOption(null, "2G")),
                call("value", () -> container.withMachineOption("--memory", null)),
                call("other", () -> container.connectedTo(null)),
                call("command", () -> container.running((String[]) null)),
                call("command[0]", () -> container.running((String) null)),
                call("command[1]", () -> container.running("true", null)),
                call("jar", () -> container.runningJar(null)),
                call("arguments", () -> container.runningJar(JAR, (String[]) null)),
                call("arguments[0]", () -> container.runningJar(JAR, (String) null)),
                call("main", () -> container.runningMain((Class<?>) null)),
                call("arguments", () -> container.runningMain(SoftRoceContainerTest.Program.class, (String[]) null)),
                call("arguments[1]", () -> container.runningMain(SoftRoceContainerTest.Program.class, "x", null)),
                call("classPath", () -> container.runningMain((List<Path>) null, "Main")),
                call("classPath[1]", () -> container.runningMain(Arrays.asList(JAR, null), "Main")),
                call("main", () -> container.runningMain(List.of(JAR), null)),
                call("arguments", () -> container.runningMain(List.of(JAR), "Main", (String[]) null)),
                call("arguments[0]", () -> container.runningMain(List.of(JAR), "Main", (String) null)),
                call("options", () -> container.withJavaOptions((String[]) null)),
                call("options[1]", () -> container.withJavaOptions("-Xmx1g", null)),
                call("patience", () -> container.awaitEnd(null)),
                call("left", () -> new Pair(null, container)),
                call("right", () -> new Pair(container, null)),
                call("output", () -> new Ending(0, null, "")),
                call("errors", () -> new Ending(0, "", null)));
    }

    private static Arguments call(String parameter, Executable call) {
        return arguments(parameter, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void shouldBeNamed(String parameter, Executable call) {
        assertEquals(parameter, assertThrows(NullPointerException.class, call).getMessage());
    }
}
