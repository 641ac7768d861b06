package io.github.verbs4j.testkit.container;

import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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

    /** The greatest number that the machine takes. */
    private static final long MOST_BYTES = 9_999_999_999_999_999L;

    /** The variable with the options of the machine. */
    static final String OPTIONS = "SOFTROCE_OPTIONS";

    /** The variable with the host at the other end of the cable. */
    private static final String PEER = "SOFTROCE_PEER";

    /** Not in the working directory: what lies there is not cached by the machine. */
    private static final String FILES = "/classpath/";

    private final String name = "node-" + Base58.randomString(8).toLowerCase(Locale.ROOT);
    private final DockerImageName image;
    private final List<String> machineOptions = new ArrayList<>();
    private final List<String> javaOptions = new ArrayList<>(List.of(
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // fast in emulation
    private List<String> javaProgram = List.of();
    private SoftRoceContainer peer; // null: no cable

    /**
     * A container of the image that the system property {@value #IMAGE_PROPERTY} names, else of {@value #DEFAULT_IMAGE}.
     *
     * @throws IllegalArgumentException if the property is not the name of an image
     */
    public SoftRoceContainer() {
        this(ImageName.ofProperty());
    }

    /**
     * A container of an image.
     *
     * @param image its name, as {@code verbs4j:latest}
     * @throws IllegalArgumentException if that is not the name of an image
     */
    public SoftRoceContainer(String image) {
        this(ImageName.parse(image));
    }

    /**
     * A container of an image.
     *
     * @param image its name
     * @throws IllegalArgumentException if that is not the name of an image
     */
    public SoftRoceContainer(DockerImageName image) {
        ImageName.require(image);
        super(image);
        this.image = image;
    }

    /**
     * {@return two containers on one Ethernet, 10.9.0.1/24 and 10.9.0.2/24}
     *
     * <p>Start both within 60 seconds, and if one of them again, then both: see {@link #connectedTo}.
     *
     * @param network that they talk over; closing it is the caller's
     * @throws IllegalArgumentException if the system property {@value #IMAGE_PROPERTY} is not the name of an image
     */
    public static Pair pair(Network network) {
        return pair(network, ImageName.ofProperty());
    }

    /**
     * {@return two containers of an image on one Ethernet, 10.9.0.1/24 and 10.9.0.2/24}
     *
     * <p>Start both within 60 seconds, and if one of them again, then both: see {@link #connectedTo}.
     *
     * @param network that they talk over; closing it is the caller's
     * @param image its name
     * @throws IllegalArgumentException if that is not the name of an image
     */
    public static Pair pair(Network network, String image) {
        Objects.requireNonNull(network, "network");
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
     * @param address of IPv4 or IPv6, with the length of its prefix, as {@code 10.9.0.2/24}; a name is not looked up
     * @return this
     * @throws IllegalArgumentException if it is no such address, with what is wrong about it
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer withAddress(String address) {
        Cidr.require(address);
        return withMachineOption(MachineOption.ADDRESS, address);
    }

    /**
     * Limits memory that may be locked, as {@code ulimit -l} does; it is unlimited otherwise.
     *
     * @param bytes the limit, 1 or more: the machine takes no other, and none of more than 16 digits
     * @return this
     * @throws IllegalArgumentException if it is another number
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer withLockedMemoryLimit(long bytes) {
        if (bytes < 1 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "a limit on locked memory is 1 to " + MOST_BYTES + " bytes in the machine, not " + bytes);
        }
        return withMachineOption(MachineOption.MEMLOCK, Long.toString(bytes));
    }

    /**
     * Sets an option of the Soft-RoCE machine; {@code softroce --help} in the image tells them. At the start it goes behind
     * what {@code withEnv} gives in {@code SOFTROCE_OPTIONS}, and what comes later wins; addresses and directories add up.
     *
     * @param option that takes a value, such as {@code --memory}
     * @param value such as {@code 2G}, without blanks
     * @return this
     * @throws IllegalArgumentException if the machine has no such option, or the value is not one word or no address
     * @throws IllegalStateException if this container has been started, or the option is {@code --network} and a cable, which
     *     sets that, has been laid
     */
    public SoftRoceContainer withMachineOption(String option, String value) {
        MachineOption.require(option, value);
        requireNotStarted();
        if (option.equals(MachineOption.NETWORK) && getEnvMap().containsKey(PEER)) {
            throw twoNetworks();
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
     * @throws IllegalArgumentException if it is this one, or on another network
     * @throws IllegalStateException if this container is on no network yet, one of them has been started, or one has the
     *     machine's option {@code --network}, which is for the cable to set
     */
    public SoftRoceContainer connectedTo(SoftRoceContainer other) {
        Objects.requireNonNull(other, "other");
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
        if (machineOptions.contains(MachineOption.NETWORK) || other.machineOptions.contains(MachineOption.NETWORK)) {
            throw twoNetworks();
        }
        peer = other;
        other.peer = this;
        withNetworkAliases(name).withEnv(PEER, other.name);
        other.withNetworkAliases(other.name).withEnv(PEER, name);
        return this;
    }

    /**
     * Says what to run.
     *
     * @param command any program of the image with its arguments; a word of {@code ./verbs help} is that tool
     * @return this
     * @throws IllegalArgumentException if there is no word, or the first is blank
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer running(String... command) {
        List<String> words = Words.complete(command, "command");
        requireNotStarted();
        if (words.isEmpty() || words.getFirst().isBlank()) {
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
        Objects.requireNonNull(jar, "jar");
        Words.complete(arguments, "arguments");
        requireNotStarted();
        return runningJava(List.of("-jar", copied(jar, 0)), arguments);
    }

    /**
     * Says to run a class of this virtual machine's own class path: that of the tests, in a test.
     *
     * @param main the class with the main method: any that {@code java} starts
     * @param arguments of it
     * @return this
     * @throws IllegalArgumentException if it has none
     * @throws IllegalStateException if the class is not of the class path, or this container has been started
     */
    public SoftRoceContainer runningMain(Class<?> main, String... arguments) {
        Objects.requireNonNull(main, "main");
        Words.complete(arguments, "arguments");
        requireNotStarted();
        MainClass.requireMain(main);
        List<Path> classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty()) // it would be the working directory, with all that lies there
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        MainClass.requireOn(classPath, main);
        return runningCopies(classPath, main.getName(), arguments);
    }

    /**
     * Says to run a class.
     *
     * @param classPath jars and directories on this machine; they are copied
     * @param main name of the class with the main method
     * @param arguments of it
     * @return this
     * @throws IllegalArgumentException if there is no class path, an entry of it is not there, or the class is not in it
     * @throws IllegalStateException if this container has been started
     */
    public SoftRoceContainer runningMain(List<Path> classPath, String main, String... arguments) {
        List<Path> entries = Words.complete(classPath, "classPath");
        Objects.requireNonNull(main, "main");
        Words.complete(arguments, "arguments");
        requireNotStarted();
        entries.forEach(SoftRoceContainer::requireThere);
        MainClass.requireIn(entries, main);
        return runningCopies(entries, main, arguments);
    }

    private SoftRoceContainer runningCopies(List<Path> classPath, String main, String... arguments) {
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
        List<String> added = Words.complete(options, "options");
        requireNotStarted();
        javaOptions.addAll(added);
        return this;
    }

    /**
     * Starts the container and waits until its command has ended, for five minutes.
     *
     * @return how it ended
     * @throws IllegalStateException if the container has been started already, or as in {@link #start} and
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
     * @throws IllegalStateException if nothing was said to run, there is no container engine, or the image is of no registry
     *     and not here
     */
    @Override
    public void start() {
        if (javaProgram.isEmpty() && getCommandParts().length == 0) { // the image would run something of its own
            throw new IllegalStateException(
                    "nothing was said to run: running(...), runningJar(...) or runningMain(...) first");
        }
        if (!isStarted()) {
            Engine.require(getDockerClient());
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
        Objects.requireNonNull(patience, "patience");
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
        requireAddressesOfItsOwn();
        if (!machineOptions.isEmpty()) {
            withEnv(OPTIONS, allOptions());
            machineOptions.clear(); // a start that failed may be repeated
        }
        withStartupCheckStrategy(new StartedOnce());
        if (!javaProgram.isEmpty() && getCommandParts().length == 0) {
            withCommand(Stream.of(List.of("java"), javaOptions, javaProgram)
                    .flatMap(List::stream)
                    .toArray(String[]::new));
        }
    }

    private String allOptions() {
        return (getEnvMap().getOrDefault(OPTIONS, "") + " " + String.join(" ", machineOptions)).strip();
    }

    /** At the start, since addresses may be given after the cable: to its own address a machine talks by itself. */
    private void requireAddressesOfItsOwn() {
        if (peer != null) {
            Set<String> both = new TreeSet<>(MachineOption.addresses(allOptions()));
            both.retainAll(MachineOption.addresses(peer.allOptions()));
            if (!both.isEmpty()) {
                throw new IllegalStateException("both ends of the cable have the address " + String.join(", ", both)
                        + ": say withAddress(...) of each, as 10.9.0.1/24 and 10.9.0.2/24");
            }
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

    private static IllegalStateException twoNetworks() {
        return new IllegalStateException(
                "the machine's option --network and connectedTo(...) or pair(...) exclude each other:"
                        + " a cable is the machine's network, so say one of them");
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
        requireThere(file);
        String copy = FILES + number + "-" + file.toAbsolutePath().normalize().getFileName();
        withCopyFileToContainer(MountableFile.forHostPath(file), copy);
        return copy;
    }

    private static void requireThere(Path file) {
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("there is no " + file.toAbsolutePath() + " to run");
        }
    }
}
