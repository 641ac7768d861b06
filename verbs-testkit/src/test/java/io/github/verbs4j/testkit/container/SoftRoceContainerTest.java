package io.github.verbs4j.testkit.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.WaitContainerCmd;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.WaitResponse;
import java.io.File;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.output.OutputFrame.OutputType;
import org.testcontainers.utility.DockerImageName;

/** What a container is told, and what it tells, without an engine. */
class SoftRoceContainerTest {
    private static final String OPTIONS = "SOFTROCE_OPTIONS";

    /** Where this class is. */
    private static final Path CLASSES = Path.of("target", "test-classes").toAbsolutePath();

    /** A class of the JDK that can be run. */
    private static final Class<?> JDK = jdkMain();

    private static Class<?> jdkMain() {
        try {
            return Class.forName("sun.security.tools.keytool.Main");
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** Can be run. */
    static final class Program {
        public static void main(String[] arguments) {}
    }

    @Test
    void shouldTellTheMachineItsOptionsInOrder() {
        SoftRoceContainer container = new SoftRoceContainer()
                .withAddress("10.9.3.1/24")
                .withAddress("fd09::3/64")
                .withLockedMemoryLimit(65536);
        container.configure();
        assertEquals(
                "--address 10.9.3.1/24 --address fd09::3/64 --memlock 65536",
                container.getEnvMap().get(OPTIONS));
    }

    @Test
    void shouldKeepTheOptionsOfTheVariable() {
        SoftRoceContainer container = new SoftRoceContainer()
                .withEnv(OPTIONS, "--verbose")
                .withAddress("10.9.3.1/24")
                .withLockedMemoryLimit(65536);
        container.configure();
        assertEquals(
                "--verbose --address 10.9.3.1/24 --memlock 65536",
                container.getEnvMap().get(OPTIONS));
    }

    @Test
    void shouldKeepItsOptionsWhenTheVariableIsSetLater() {
        SoftRoceContainer container = new SoftRoceContainer()
                .withMachineOption("--timeout", "60")
                .withEnv(Map.of(OPTIONS, "--timeout 600 --verbose"))
                .withMachineOption("--memory", "2G");
        container.withEnv(OPTIONS, container.getEnvMap().get(OPTIONS) + " --cpus 2");
        container.configure();
        container.configure();
        assertEquals(
                "--timeout 600 --verbose --cpus 2 --timeout 60 --memory 2G",
                container.getEnvMap().get(OPTIONS).replaceAll(" +", " "));
    }

    @Test
    void shouldLeaveTheVariableAloneWithoutOptions() {
        SoftRoceContainer container = new SoftRoceContainer();
        container.configure();
        assertFalse(container.getEnvMap().containsKey(OPTIONS));
    }

    @ParameterizedTest
    @ValueSource(longs = {-3, 0, 10_000_000_000_000_000L})
    void shouldRefuseALimitThatTheMachineRefuses(long bytes) {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class, () -> new SoftRoceContainer().withLockedMemoryLimit(bytes));
        assertEquals(
                "a limit on locked memory is 1 to 9999999999999999 bytes in the machine, not " + bytes,
                refusal.getMessage());
    }

    @Test
    void shouldConnectTheTwoOfAPair() {
        try (Network network = Network.newNetwork();
                Pair pair = SoftRoceContainer.pair(network)) {
            assertPeer(pair.left(), pair.right());
            assertPeer(pair.right(), pair.left());
            assertSame(network, pair.left().getNetwork());
            pair.left().configure();
            pair.right().configure();
            assertEquals("--address 10.9.0.1/24", pair.left().getEnvMap().get(OPTIONS));
            assertEquals("--address 10.9.0.2/24", pair.right().getEnvMap().get(OPTIONS));
        }
    }

    private static void assertPeer(SoftRoceContainer container, SoftRoceContainer other) {
        String peer = container.getEnvMap().get("SOFTROCE_PEER");
        assertTrue(other.getNetworkAliases().contains(peer), () -> peer + " of " + other.getNetworkAliases());
        assertNotEquals(peer, other.getEnvMap().get("SOFTROCE_PEER"));
    }

    @Test
    void shouldRefuseCablesThatCannotBe() {
        try (Network network = Network.newNetwork();
                Network another = Network.newNetwork()) {
            SoftRoceContainer container = new SoftRoceContainer();
            assertThrows(IllegalArgumentException.class, () -> container.connectedTo(container));
            assertThrows(IllegalStateException.class, () -> container.connectedTo(new SoftRoceContainer()));
            container.withNetwork(network);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> container.connectedTo(new SoftRoceContainer().withNetwork(another)));
        }
    }

    @Test
    void shouldStartJavaWithTheOptionsThatAreGivenBeforeAndAfter(@TempDir Path directory) {
        SoftRoceContainer container = new SoftRoceContainer()
                .withJavaOptions("-Da=1")
                .runningMain(List.of(directory, CLASSES), Program.class.getName(), "x", "y z")
                .withJavaOptions("-Db=2");
        container.configure();
        assertEquals(
                List.of(
                        "java",
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Da=1",
                        "-Db=2",
                        "-cp",
                        "/classpath/0-" + directory.getFileName() + ":/classpath/1-" + CLASSES.getFileName(),
                        Program.class.getName(),
                        "x",
                        "y z"),
                List.of(container.getCommandParts()));
        assertEquals("softroce", container.getEnvMap().get("VERBS4J_DEVICE"));
    }

    @Test
    void shouldRunTheCommandThatWasSaidLast() {
        SoftRoceContainer container =
                new SoftRoceContainer().runningJar(Path.of("pom.xml")).running("ibv_devinfo", "-v");
        container.configure();
        assertEquals(List.of("ibv_devinfo", "-v"), List.of(container.getCommandParts()));
    }

    @Test
    void shouldPreferTheCommandThatWasGivenLast() {
        SoftRoceContainer container =
                new SoftRoceContainer().runningJar(Path.of("pom.xml")).withCommand("ibv_devinfo", "-v");
        container.configure();
        assertEquals(List.of("ibv_devinfo", "-v"), List.of(container.getCommandParts()));

        container.runningJar(Path.of("pom.xml"));
        container.configure();
        assertEquals("java", container.getCommandParts()[0]);
    }

    @Test
    void shouldNotStartWithoutACommand() {
        try (SoftRoceContainer container = new SoftRoceContainer()) {
            IllegalStateException refusal = assertThrows(IllegalStateException.class, container::run);
            assertTrue(refusal.getMessage().startsWith("nothing was said to run"), refusal::getMessage);
        }
    }

    @Test
    void shouldRefuseACommandWithoutAWord() {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> new SoftRoceContainer().running());
        assertTrue(refusal.getMessage().startsWith("a command is one word at least"), refusal::getMessage);
    }

    // ---- the image ----

    /** Has no image. */
    private static final class Empty extends SoftRoceContainer {
        Empty(String image) {
            super(image);
        }

        @Override
        public DockerClient getDockerClient() {
            return Started.proxy(DockerClient.class, (self, method, arguments) -> {
                if (method.getName().equals("authConfig")) {
                    return null; // there is an engine
                }
                throw new NotFoundException(method.getName() + " " + arguments[0]);
            });
        }
    }

    @Test
    void shouldNotTryToPullWhatNoRegistryHas() {
        try (SoftRoceContainer container = new Empty("verbs4j:nowhere").running("true")) {
            IllegalStateException refusal = assertThrows(IllegalStateException.class, container::run);
            assertTrue(
                    refusal.getMessage()
                            .startsWith(
                                    "the container engine has no image verbs4j:nowhere: build it with ./verbs image"),
                    refusal::getMessage);
            assertEquals(
                    "Status 404: inspectImageCmd verbs4j:nowhere",
                    refusal.getCause().getMessage());
        }
    }

    @Test
    void shouldLeaveOtherImagesToTestcontainers() {
        DockerClient none = new Empty("verbs4j").getDockerClient();
        LocalImage.require(none, DockerImageName.parse("registry.example.com/verbs4j:latest"));
        LocalImage.require(none, DockerImageName.parse("somebody/verbs4j"));
    }

    // ---- the class path ----

    @Test
    void shouldNotTakeTheWorkingDirectoryForAnEmptyEntry() {
        SoftRoceContainer container = onClassPath(
                File.pathSeparator + CLASSES + File.pathSeparator,
                () -> new SoftRoceContainer().runningMain(Program.class));
        container.configure();
        List<String> command = List.of(container.getCommandParts());
        assertEquals("/classpath/0-" + CLASSES.getFileName(), command.get(command.indexOf("-cp") + 1));
    }

    @Test
    void shouldRefuseAClassThatIsNotOnTheClassPath(@TempDir Path directory) {
        for (String classPath : List.of("", directory.toString())) { // as on the module path
            IllegalStateException refusal = assertThrows(
                    IllegalStateException.class,
                    () -> onClassPath(classPath, () -> new SoftRoceContainer().runningMain(Program.class)));
            assertTrue(refusal.getMessage().contains(Program.class.getName()), refusal::getMessage);
            assertTrue(refusal.getMessage().contains("useModulePath=false"), refusal::getMessage);
        }
    }

    @Test
    void shouldRunAClassOfTheJdk(@TempDir Path directory) {
        SoftRoceContainer container = onClassPath(directory.toString(), () -> new SoftRoceContainer().runningMain(JDK));
        container.configure();
        assertEquals(JDK.getName(), List.of(container.getCommandParts()).getLast());
    }

    private static SoftRoceContainer onClassPath(String classPath, Supplier<SoftRoceContainer> making) {
        String before = System.setProperty("java.class.path", classPath);
        try {
            return making.get();
        } finally {
            System.setProperty("java.class.path", before);
        }
    }

    // ---- a container that was started ----

    /** Started, with an engine that answers a wait as it is told. */
    private static final class Started extends SoftRoceContainer {
        private final Consumer<WaitContainerResultCallback> engine;
        private final String logs; // null: they cannot be read

        Started(Consumer<WaitContainerResultCallback> engine, String logs) {
            this.engine = engine;
            this.logs = logs;
        }

        @Override
        public String getContainerId() {
            return "started";
        }

        @Override
        public DockerClient getDockerClient() {
            WaitContainerCmd command = proxy(WaitContainerCmd.class, (self, method, arguments) -> {
                engine.accept((WaitContainerResultCallback) arguments[0]);
                return arguments[0];
            });
            return proxy(DockerClient.class, (self, method, arguments) -> command);
        }

        @Override
        public String getLogs() {
            if (logs == null) {
                throw new IllegalStateException("no logs");
            }
            return logs;
        }

        @Override
        public String getLogs(OutputType... types) {
            return logs + " " + List.of(types);
        }

        @Override
        public void close() {} // there is none

        private static <T> T proxy(Class<T> type, InvocationHandler handler) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
        }
    }

    @Test
    void shouldRunOnce() {
        try (Started container = new Started(SoftRoceContainerTest::endsWell, "said");
                SoftRoceContainer other = new SoftRoceContainer()) {
            for (Executable late : List.<Executable>of(
                    container::run,
                    () -> container.running("true"),
                    () -> container.runningJar(Path.of("pom.xml")),
                    () -> container.runningMain(Ending.class),
                    () -> container.runningMain(List.of(), "example.Main"),
                    () -> container.withJavaOptions("-Xmx1g"),
                    () -> container.withMachineOption("--memory", "2G"),
                    () -> container.withAddress("10.9.3.1/24"),
                    () -> container.withLockedMemoryLimit(65536),
                    () -> container.connectedTo(other),
                    () -> other.withNetwork(Network.SHARED).connectedTo(container))) {
                IllegalStateException refusal = assertThrows(IllegalStateException.class, late);
                assertTrue(refusal.getMessage().contains("has been started"), refusal::getMessage);
            }
            assertEquals(0, container.awaitEnd(Duration.ofMinutes(1)).exitStatus());
        }
    }

    @Test
    void shouldNotWaitForWhatWasNotStarted() {
        try (SoftRoceContainer container = new SoftRoceContainer().running("true")) {
            IllegalStateException refusal =
                    assertThrows(IllegalStateException.class, () -> container.awaitEnd(Duration.ofMinutes(1)));
            assertTrue(refusal.getMessage().contains("has not been started"), refusal::getMessage);
        }
    }

    @Test
    void shouldTellHowItEnded() {
        assertEquals(
                new Ending(0, "said [STDOUT]", "said [STDERR]"),
                new Started(SoftRoceContainerTest::endsWell, "said").awaitEnd(Duration.ofMinutes(1)));
    }

    @Test
    void shouldTellThatItDoesNotEnd() {
        String message = notEnded(new Started(wait -> {}, "so far")).getMessage();
        assertEquals("the command has not ended within PT0.01S; it has said:\nso far", message);
    }

    @Test
    void shouldTellThatItDoesNotEndEvenIfItsLogsCannotBeRead() {
        String message = notEnded(new Started(wait -> {}, null)).getMessage();
        assertTrue(message.startsWith("the command has not ended within PT0.01S"), message);
        assertTrue(message.contains("no logs"), message);
    }

    @Test
    void shouldTellThatItWasInterrupted() {
        Thread.currentThread().interrupt();
        IllegalStateException failure = notEnded(new Started(wait -> {}, "so far"));
        assertTrue(Thread.interrupted(), "the flag is lost");
        assertTrue(failure.getMessage().startsWith("interrupted"), failure::getMessage);
    }

    @Test
    void shouldTellWhatTheEngineRefuses() {
        for (Consumer<WaitContainerResultCallback> engine : List.<Consumer<WaitContainerResultCallback>>of(
                wait -> wait.onError(new NotFoundException("no such container")),
                WaitContainerResultCallback::onComplete, // without a status
                wait -> {
                    throw new DockerException("no such container", 500);
                })) {
            for (String logs : Arrays.asList("so far", null)) {
                IllegalStateException failure = notEnded(new Started(engine, logs));
                assertTrue(
                        failure.getMessage().startsWith("the container engine does not tell how the command ended: "),
                        failure::getMessage);
                assertTrue(failure.getCause().getMessage().matches(".*no such container.*|Error while wait.*"));
            }
        }
    }

    private static IllegalStateException notEnded(SoftRoceContainer container) {
        return assertThrows(IllegalStateException.class, () -> container.awaitEnd(Duration.ofMillis(10)));
    }

    private static void endsWell(WaitContainerResultCallback wait) {
        wait.onNext(new WaitResponse() {
            private static final long serialVersionUID = 1L;

            @Override
            public Integer getStatusCode() {
                return 0;
            }
        });
        wait.onComplete();
    }

    @Test
    void shouldRequireSuccess() {
        Ending success = new Ending(0, "out", "err");
        assertSame(success, success.requireSuccess());
        IllegalStateException failure =
                assertThrows(IllegalStateException.class, new Ending(7, "so far", "no memory")::requireSuccess);
        assertTrue(failure.getMessage().contains("exit status 7"), failure::getMessage);
        assertTrue(failure.getMessage().contains("no memory"), failure::getMessage);
    }

    @Test
    void shouldRefuseWhatIsNotThere() {
        try (SoftRoceContainer container = new SoftRoceContainer()) {
            String jar = assertThrows(IllegalArgumentException.class, () -> container.runningJar(Path.of("nope.jar")))
                    .getMessage();
            assertEquals("there is no " + Path.of("nope.jar").toAbsolutePath() + " to run", jar);
            List<Path> classPath = List.of(Path.of("pom.xml"), Path.of("nope"));
            assertThrows(IllegalArgumentException.class, () -> container.runningMain(classPath, "Main"));
        }
    }
}
