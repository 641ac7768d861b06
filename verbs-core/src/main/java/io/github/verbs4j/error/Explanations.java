package io.github.verbs4j.error;

import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaPort;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What the machine has to do with a failure, read at the moment of it. Nothing here throws; what cannot be read is left
 * out. Each explanation comes in two forms: of the machine that this program runs on, and of any {@link Host}.
 */
public final class Explanations {

    private Explanations() {}

    /**
     * Explains why memory could not be registered for want of memory ({@code ENOMEM}).
     *
     * @param bytes how many bytes were to be registered
     * @return the explanation
     */
    public static Explanation registration(long bytes) {
        return registration(Host.local(), Errno.ENOMEM, bytes);
    }

    /**
     * Explains why memory could not be registered.
     *
     * @param errno the error number
     * @param bytes how many bytes were to be registered
     * @return the explanation
     */
    public static Explanation registration(Errno errno, long bytes) {
        return registration(Host.local(), errno, bytes);
    }

    /**
     * Explains why memory could not be registered.
     *
     * @param host the machine
     * @param errno the error number
     * @param bytes how many bytes were to be registered
     * @return the explanation
     */
    public static Explanation registration(Host host, Errno errno, long bytes) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(errno, "errno");
        return MemoryExplanations.registration(host, errno, bytes);
    }

    /**
     * Explains why a device did not register memory.
     *
     * @param device the name of the device
     * @param errno the error number
     * @param bytes how many bytes were to be registered
     * @return the explanation
     */
    public static Explanation registration(String device, Errno errno, long bytes) {
        return registration(Host.local(), device, errno, bytes);
    }

    /**
     * Explains why a device did not register memory.
     *
     * @param host the machine
     * @param device the name of the device
     * @param errno the error number
     * @param bytes how many bytes were to be registered
     * @return the explanation
     */
    public static Explanation registration(Host host, String device, Errno errno, long bytes) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(errno, "errno");
        return MemoryExplanations.registration(host, device, errno, bytes);
    }

    /**
     * Explains why huge pages could not be had.
     *
     * @param pageBytes the size of a page
     * @param pages how many were asked for
     * @return the explanation
     */
    public static Explanation hugePages(long pageBytes, long pages) {
        return hugePages(Host.local(), pageBytes, pages);
    }

    /**
     * Explains why huge pages could not be had.
     *
     * @param host the machine
     * @param pageBytes the size of a page
     * @param pages how many were asked for
     * @return the explanation
     */
    public static Explanation hugePages(Host host, long pageBytes, long pages) {
        Objects.requireNonNull(host, "host");
        return HugePageExplanation.of(host, pageBytes, pages);
    }

    /**
     * Explains why huge pages that the pool has may not be used.
     *
     * @param pageBytes the size of a page
     * @return the explanation
     */
    public static Explanation hugePagesWithheld(long pageBytes) {
        return HugePageExplanation.withheld(pageBytes);
    }

    /** {@return why the library lists no device} */
    public static Explanation noDevice() {
        return noDevice(Host.local());
    }

    /**
     * Explains why the library lists no device.
     *
     * @param host the machine
     * @return the explanation
     */
    public static Explanation noDevice(Host host) {
        return NoDeviceExplanation.of(Objects.requireNonNull(host, "host"));
    }

    /**
     * Explains why a device could not be opened.
     *
     * @param errno the error number
     * @param deviceName the device, for example {@code mlx5_0}
     * @return the explanation
     */
    public static Explanation open(Errno errno, String deviceName) {
        return open(Host.local(), errno, deviceName);
    }

    /**
     * Explains why a device could not be opened.
     *
     * @param host the machine
     * @param errno the error number
     * @param deviceName the device, for example {@code mlx5_0}
     * @return the explanation
     */
    public static Explanation open(Host host, Errno errno, String deviceName) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(errno, "errno");
        Objects.requireNonNull(deviceName, "deviceName");
        return DeviceExplanations.open(host, errno, deviceName);
    }

    /**
     * Explains why a device cannot be opened that nobody has tried to open.
     *
     * @param host the machine
     * @param deviceName the device, for example {@code mlx5_0}
     * @return the explanation
     */
    public static Explanation open(Host host, String deviceName) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(deviceName, "deviceName");
        return DeviceExplanations.open(host, DeviceExplanations.NOT_TRIED, deviceName);
    }

    /**
     * Explains why something could not be created for want of memory ({@code ENOMEM}).
     *
     * @param deviceName the device, for example {@code mlx5_0}
     * @param objects how many objects there are on the device already, against how many it can have
     * @param depths the depths that were asked for, in entries: of the completion queue, or of the send queue and the
     *     receive queue
     * @return the explanation
     */
    public static Explanation creationOutOfMemory(String deviceName, List<Limit> objects, long... depths) {
        return creationOutOfMemory(Host.local(), deviceName, objects, depths);
    }

    /**
     * Explains why something could not be created for want of memory ({@code ENOMEM}).
     *
     * @param host the machine
     * @param deviceName the device, for example {@code mlx5_0}
     * @param objects how many objects there are on the device already, against how many it can have
     * @param depths the depths that were asked for, in entries
     * @return the explanation
     */
    public static Explanation creationOutOfMemory(Host host, String deviceName, List<Limit> objects, long... depths) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(deviceName, "deviceName");
        Objects.requireNonNull(depths, "depths");
        requireNoNull(objects);
        return CreationExplanations.outOfMemory(host, deviceName, objects, depths);
    }

    /**
     * Explains why something could not be created for want of memory ({@code ENOMEM}), where its objects were not counted.
     *
     * @param host the machine
     * @param deviceName the device, for example {@code mlx5_0}
     * @param depths the depths that were asked for, in entries
     * @return the explanation
     */
    public static Explanation creationOutOfMemory(Host host, String deviceName, long... depths) {
        return creationOutOfMemory(host, deviceName, List.of(), depths);
    }

    /**
     * Tells how many objects there are on a device, and whether it can have more.
     *
     * @param deviceName the device, for example {@code mlx5_0}
     * @param objects how many objects there are already, against how many it can have; empty if they were not counted
     * @return the counts, with a cause if there are as many of a kind as it can have
     */
    public static Explanation objects(String deviceName, List<Limit> objects) {
        Objects.requireNonNull(deviceName, "deviceName");
        requireNoNull(objects);
        return CreationExplanations.objects(deviceName, objects);
    }

    /**
     * Explains an error number where nothing else is known: what the machine has to do with it, and what to look at.
     *
     * @param errno the error number
     * @param deviceName the device, for example {@code mlx5_0}; empty if there is none
     * @return the explanation; {@link Explanation#NONE} if the number tells nothing
     */
    public static Explanation refusal(Errno errno, String deviceName) {
        return refusal(Host.local(), errno, deviceName);
    }

    /**
     * Explains an error number where nothing else is known: what the machine has to do with it, and what to look at.
     *
     * @param host the machine
     * @param errno the error number
     * @param deviceName the device, for example {@code mlx5_0}; empty if there is none
     * @return the explanation; {@link Explanation#NONE} if the number tells nothing
     */
    public static Explanation refusal(Host host, Errno errno, String deviceName) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(errno, "errno");
        Objects.requireNonNull(deviceName, "deviceName");
        return RefusalExplanations.of(host, errno, deviceName);
    }

    /**
     * Explains why a library could not be loaded.
     *
     * @param soname the library, for example {@code libibverbs.so.1}
     * @param details what the loader said; empty if nothing
     * @return the explanation
     */
    public static Explanation libraryMissing(String soname, String details) {
        return libraryMissing(Host.local(), soname, details);
    }

    /**
     * Explains why a library could not be loaded.
     *
     * @param host the machine
     * @param soname the library, for example {@code libibverbs.so.1}
     * @param details what the loader said; empty if nothing
     * @return the explanation
     */
    public static Explanation libraryMissing(Host host, String soname, String details) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(soname, "soname");
        Objects.requireNonNull(details, "details");
        return LibraryExplanations.missing(host, soname, details);
    }

    /**
     * Explains why the library does not list a device that the kernel has, and that has a node: its provider.
     *
     * @param host the machine
     * @param deviceName the device, for example {@code mlx5_0}
     * @return the explanation
     */
    public static Explanation provider(Host host, String deviceName) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(deviceName, "deviceName");
        return ProviderExplanation.of(host, host.rdmaDevice(deviceName).stream().toList());
    }

    /**
     * Explains why the kernel's connection manager could not be opened.
     *
     * @param errno the error number
     * @return the explanation
     */
    public static Explanation connectionManager(Errno errno) {
        Objects.requireNonNull(errno, "errno");
        return DeviceExplanations.isNotOfTheNode(errno) ? refusal(errno, "") : connectionManager(Host.local());
    }

    /**
     * Explains why the kernel's connection manager cannot be reached.
     *
     * @param host the machine
     * @return the explanation
     */
    public static Explanation connectionManager(Host host) {
        return ConnectionManagerExplanation.of(Objects.requireNonNull(host, "host"));
    }

    /**
     * Explains why a port carries nothing.
     *
     * @param host the machine
     * @param deviceName the device, for example {@code mlx5_0}
     * @param port as the kernel has it
     * @return the explanation; {@link Explanation#NONE} of a port that is active
     */
    public static Explanation port(Host host, String deviceName, RdmaPort port) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(deviceName, "deviceName");
        Objects.requireNonNull(port, "port");
        return PortExplanations.state(host, deviceName, port);
    }

    /**
     * Explains which addresses an Ethernet port lacks.
     *
     * @param port as the kernel has it
     * @param gids its GID table
     * @return the explanation; {@link Explanation#NONE} of a port with an IPv4 address, or not of Ethernet
     */
    public static Explanation addresses(RdmaPort port, GidTable gids) {
        Objects.requireNonNull(port, "port");
        Objects.requireNonNull(gids, "gids");
        return PortExplanations.addresses(port, gids);
    }

    /**
     * Tells beforehand whether memory could be registered, as far as the machine's limits go.
     *
     * @param host the machine
     * @param bytes how many bytes
     * @return why not; empty if no limit stands against it
     */
    public static Optional<Explanation> registrationRefused(Host host, long bytes) {
        Objects.requireNonNull(host, "host");
        return MemoryExplanations.refused(host, bytes);
    }

    private static void requireNoNull(List<Limit> objects) {
        for (Limit limit : Objects.requireNonNull(objects, "objects")) {
            Objects.requireNonNull(limit, "objects contain null");
        }
    }
}
