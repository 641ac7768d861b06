package io.github.verbs4j.testkit.container;

import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.output.OutputFrame.OutputType;
import org.testcontainers.utility.Base58;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * A container whose command runs on an RDMA device: {@code rxe0}, the kernel's Soft-RoCE, in a small virtual machine inside of
 * the container. It asks nothing of the engine or its host: no privileges, no device, no kernel module.
 *
 * <pre>{@code
 * try (var container = new SoftRoceContainer().running("ibv_devinfo", "-d", "rxe0")) {
 *     assertTrue(container.run().requireSuccess().output().contains("PORT_ACTIVE"));
 * }
 * }</pre>
 *
 * Two of them are two hosts on one Ethernet when they are {@linkplain #pair(Network) a pair}. A container runs one command,
 * once; {@code execInContainer} runs outside of the machine, where there is no device.
 *
 * <p>The image is the project's own, built by {@code ./verbs image}; its name is {@value #DEFAULT_IMAGE} unless the system
 * property {@value #IMAGE_PROPERTY} or the constructor says otherwise.
 */
public class SoftRoceContainer extends GenericContainer<SoftRoceContainer> {
    /** The image when nothing else is said. */
    public static final String DEFAULT_IMAGE = "verbs4j:latest";

    /** The system property that names the image. */
    public static final String IMAGE_PROPERTY = "verbs4j.image";

    /** A machine boots in seconds, but in a minute on a computer that is busy; then comes the command. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** The variable with the options of the machine. */
    private static final String OPTIONS = "SOFTROCE_OPTIONS";

    /** Not in the working directory: what lies there is not cached by the machine. */
    private static final String FILES = "/classpath/";

    private final String name = "node-" + Base58.randomString(8).toLowerCase(Locale.ROOT);
    private final DockerImageName image;
    private final List<String> machineOptions = new ArrayList<>();
    private final List<String> javaOptions = new ArrayList<>(List.of(
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // fast in emulation
    private List<String> javaProgram = List.of();

    /** A container of the image that the system property {@value #IMAGE_PROPERTY} names, else of {@value #DEFAULT_IMAGE}. */
    public SoftRoceContainer() {
        this(System.getProperty(IMAGE_PROPERTY, DEFAULT_IMAGE));
    }

    /**
     * A container of an image.
     *
     * @param image its name
     */
    public SoftRoceContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /**
     * A container of an image.
     *
     * @param image its name
     */
    public SoftRoceContainer(DockerImageName image) {
        super(image);
        this.image = image;
    }

    /**
     * {@return two containers on one Ethernet, 10.9.0.1/24 and 10.9.0.2/24}
     *
     * <p>Start both within 60 seconds, and if one of them again, then both: see {@link #connectedTo}.
     *
     * @param network that they talk over; closing it is the caller's
     */
    public static Pair pair(Network network) {
        return pair(network, System.getProperty(IMAGE_PROPERTY, DEFAULT_IMAGE));
    }

    /**
     * {@return two containers of an image on one Ethernet, 10.9.0.1/24 and 10.9.0.2/24}
     *
     * <p>Start both within 60 seconds, and if one of them again, then both: see {@link #connectedTo}.
     *
     * @param network that they talk over; closing it is the caller's
     * @param image its name
     */
    public static Pair pair(Network network, String image) {
        SoftRoceContainer left =
                new SoftRoceContainer(image).withNetwork(network).withAddress(Pair.LEFT_ADDRESS + "/24");
        SoftRoceContainer right =
                new SoftRoceContainer(image).withNetwork(network).withAddress(Pair.RIGHT_ADDRESS + "/24");
        return new Pair(left.connectedTo(right), right);
    }

    /**
     * Gives the device's interface an address, which is also one of its GIDs: the first given is at index 1, the next at 2.
     * Without any it is 10.9.0.1/24 and fd09::1/64.
     *
     * @param address with the length of its prefix, as {@code 10.9.0.2/24}
     * @return this
     * @throws IllegalArgumentException if it is no such address
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer withAddress(String address) {
        requireAddress(address);
        return withMachineOption("--address", address);
    }

    /**
     * Limits memory that may be locked, as {@code ulimit -l} does; it is unlimited otherwise.
     *
     * @param bytes the limit, 0 or more
     * @return this
     * @throws IllegalArgumentException if it is negative
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer withLockedMemoryLimit(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a limit on locked memory is 0 bytes or more, not " + bytes);
        }
        return withMachineOption("--memlock", Long.toString(bytes));
    }

    /**
     * Sets an option of the Soft-RoCE machine; {@code softroce --help} in the image tells them. At the start it goes behind
     * what {@code withEnv} gives in {@code SOFTROCE_OPTIONS}.
     *
     * @param option such as {@code --memory}
     * @param value such as {@code 2G}, without blanks
     * @return this
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer withMachineOption(String option, String value) {
        requireNotStarted();
        if (!option.startsWith("--") || (option + value).matches("(?s).*\\s.*")) {
            throw new IllegalArgumentException(
                    "an option of the machine is a word that begins with --, and its value one" + " word, not '"
                            + option + "' and '" + value + "'");
        }
        machineOptions.addAll(List.of(option, value));
        return this;
    }

    /**
     * Lays a cable between this container's device and another's. Both must be on one {@linkplain #withNetwork network} and
     * have addresses of their own; either may start first, but it waits at most 60 seconds for the other to be there. Each
     * looks the other up once, as it starts: if only one of them is started again, the cable is dead.
     *
     * @param other the other end
     * @return this
     * @throws IllegalStateException if this container is on no network yet, or one of them has been started
     */
    public SoftRoceContainer connectedTo(SoftRoceContainer other) {
        requireNotStarted();
        other.requireNotStarted();
        if (other == this) {
            throw new IllegalArgumentException("a cable has two ends: connect this container to another one");
        }
        Network network = getNetwork();
        if (network == null) {
            throw new IllegalStateException("this container is on no network yet: withNetwork(...) first");
        }
        if (other.getNetwork() != network) {
            throw new IllegalArgumentException("both ends of the cable must be on one network: withNetwork of both");
        }
        withNetworkAliases(name).withEnv("SOFTROCE_PEER", other.name);
        other.withNetworkAliases(other.name).withEnv("SOFTROCE_PEER", name);
        return this;
    }

    /**
     * Says what to run.
     *
     * @param command any program of the image with its arguments; a word of {@code ./verbs help} is that tool
     * @return this
     * @throws IllegalArgumentException if there is no word
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer running(String... command) {
        requireNotStarted();
        if (command.length == 0) {
            throw new IllegalArgumentException("a command is one word at least: running(\"ibv_devinfo\", \"-v\")");
        }
        javaProgram = List.of();
        return withCommand(command);
    }

    /**
     * Says to run a jar: {@code java -jar}.
     *
     * @param jar on this machine; it is copied
     * @param arguments of its main method
     * @return this
     * @throws IllegalArgumentException if there is no such file
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer runningJar(Path jar, String... arguments) {
        requireNotStarted();
        return runningJava(List.of("-jar", copied(jar, 0)), arguments);
    }

    /**
     * Says to run a class of this virtual machine's own class path: that of the tests, in a test.
     *
     * @param main the class with the main method
     * @param arguments of it
     * @return this
     * @throws IllegalStateException if the class is not of the class path, or this container has been started
     */
    public SoftRoceContainer runningMain(Class<?> main, String... arguments) {
        List<Path> classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty()) // it would be the working directory, with all that lies there
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        requireOn(classPath, main);
        return runningMain(classPath, main.getName(), arguments);
    }

    /**
     * Says to run a class.
     *
     * @param classPath jars and directories on this machine; they are copied
     * @param main name of the class with the main method
     * @param arguments of it
     * @return this
     * @throws IllegalArgumentException if an entry of the class path is not there
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer runningMain(List<Path> classPath, String main, String... arguments) {
        requireNotStarted();
        List<String> copies = new ArrayList<>();
        for (Path entry : classPath) {
            copies.add(copied(entry, copies.size()));
        }
        return runningJava(List.of("-cp", String.join(":", copies), main), arguments);
    }

    /**
     * Adds options of the {@code java} that runs a jar or a class. It has native access and the options that make emulated
     * code start fast already.
     *
     * @param options such as {@code -Xmx512m}
     * @return this
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer withJavaOptions(String... options) {
        requireNotStarted();
        javaOptions.addAll(List.of(options));
        return this;
    }

    /**
     * Starts the container and waits until its command has ended, for five minutes.
     *
     * @return how it ended
     * @throws IllegalStateException if the container has been started already, nothing was said to run, or as in
     *     {@link #awaitEnd}
     */
    public Ending run() {
        requireNotStarted();
        start();
        return awaitEnd(PATIENCE);
    }

    /**
     * Starts the container, unless it has been started, and does not wait for its command.
     *
     * @throws IllegalStateException if nothing was said to run, or the image is of no registry and not here
     */
    @Override
    public void start() {
        if (javaProgram.isEmpty() && getCommandParts().length == 0) { // the image would run something of its own
            throw new IllegalStateException(
                    "nothing was said to run: running(...), runningJar(...) or runningMain(...) first");
        }
        if (!isStarted()) {
            LocalImage.require(getDockerClient(), image);
        }
        super.start();
    }

    /**
     * Waits until the command of this container, which was started, has ended.
     *
     * @param patience how long, the boot of its machine included
     * @return how it ended
     * @throws IllegalStateException if it has not ended by then, or the container engine does not tell, with all that it said;
     *     if this thread is interrupted, which it remains; if the container has not been started
     */
    public Ending awaitEnd(Duration patience) {
        if (!isStarted()) {
            throw new IllegalStateException("this container has not been started: start() first, or run() instead");
        }
        try (WaitContainerResultCallback end =
                getDockerClient().waitContainerCmd(getContainerId()).exec(new WaitContainerResultCallback())) {
            if (!end.awaitCompletion(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "the command has not ended within " + patience + "; it has said:\n" + saidSoFar());
            }
            return new Ending(end.awaitStatusCode(), getLogs(OutputType.STDOUT), getLogs(OutputType.STDERR));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the command to end", e);
        } catch (DockerException | DockerClientException e) {
            if (e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt(); // while the answer was read
            }
            throw new IllegalStateException(
                    "the container engine does not tell how the command ended: " + e.getMessage() + "; it has said:\n"
                            + saidSoFar(),
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void configure() {
        if (!getEnvMap().containsKey("VERBS4J_DEVICE")) {
            withEnv("VERBS4J_DEVICE", "softroce");
        }
        if (!machineOptions.isEmpty()) {
            String given = getEnvMap().getOrDefault(OPTIONS, "");
            withEnv(OPTIONS, (given + " " + String.join(" ", machineOptions)).strip());
            machineOptions.clear(); // a start that failed may be repeated
        }
        withStartupCheckStrategy(new StartedOnce());
        if (!javaProgram.isEmpty() && getCommandParts().length == 0) {
            withCommand(Stream.of(List.of("java"), javaOptions, javaProgram)
                    .flatMap(List::stream)
                    .toArray(String[]::new));
        }
    }

    private boolean isStarted() {
        return getContainerId() != null;
    }

    private void requireNotStarted() {
        if (isStarted()) {
            throw new IllegalStateException(
                    "this container has been started, and runs one command, once: make another for"
                            + " another command; awaitEnd(...) tells how this one ends");
        }
    }

    private static void requireAddress(String address) {
        String[] parts = address.split("/", -1);
        try {
            int bits = InetAddress.ofLiteral(parts[0]).getAddress().length * 8;
            int prefix = parts.length == 2 ? Integer.parseInt(parts[1]) : -1;
            if (prefix >= 0 && prefix <= bits) {
                return;
            }
        } catch (IllegalArgumentException e) { // as below
        }
        throw new IllegalArgumentException(
                "an address has the length of its prefix behind it, as 10.9.0.2/24 or fd09::2/64 have, not '" + address
                        + "'");
    }

    /** Only what is on the class path is copied. */
    private static void requireOn(List<Path> classPath, Class<?> main) {
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

    private SoftRoceContainer runningJava(List<String> program, String... arguments) {
        javaProgram = Stream.concat(program.stream(), Stream.of(arguments)).toList();
        return withCommand(new String[0]); // made at the start: options may follow, or a command in its place
    }

    private String saidSoFar() {
        try {
            return getLogs();
        } catch (RuntimeException e) { // it must not hide why this was asked
            return "(which cannot be read: " + e + ")";
        }
    }

    private String copied(Path file, int number) {
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("there is no " + file.toAbsolutePath() + " to run");
        }
        String copy = FILES + number + "-" + file.toAbsolutePath().normalize().getFileName();
        withCopyFileToContainer(MountableFile.forHostPath(file), copy);
        return copy;
    }
}
