package io.github.verbs4j.error;

import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaPort;
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
        return MemoryExplanations.registration(host, errno, bytes);
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
        return HugePageExplanation.of(host, pageBytes, pages);
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
        return NoDeviceExplanation.of(host);
    }

    /**
     * Explains why a device could not be opened.
     *
     * @param deviceName the device, for example {@code mlx5_0}
     * @return the explanation
     */
    public static Explanation open(String deviceName) {
        return open(Host.local(), deviceName);
    }

    /**
     * Explains why a device could not be opened.
     *
     * @param host the machine
     * @param deviceName the device, for example {@code mlx5_0}
     * @return the explanation
     */
    public static Explanation open(Host host, String deviceName) {
        return DeviceExplanations.open(host, deviceName);
    }

    /**
     * Explains why a queue could not be created for want of memory ({@code ENOMEM}).
     *
     * @param deviceName the device, for example {@code mlx5_0}
     * @param depths the depths that were asked for, in entries: of the completion queue, or of the send queue and the
     *     receive queue
     * @return the explanation
     */
    public static Explanation creationOutOfMemory(String deviceName, long... depths) {
        return creationOutOfMemory(Host.local(), deviceName, depths);
    }

    /**
     * Explains why a queue could not be created for want of memory ({@code ENOMEM}).
     *
     * @param host the machine
     * @param deviceName the device, for example {@code mlx5_0}
     * @param depths the depths that were asked for, in entries
     * @return the explanation
     */
    public static Explanation creationOutOfMemory(Host host, String deviceName, long... depths) {
        return MemoryExplanations.creation(host, deviceName, depths);
    }

    /**
     * Tells how to find out what the kernel objected to ({@code EINVAL}).
     *
     * @param deviceName the device, for example {@code mlx5_0}
     * @return the explanation
     */
    public static Explanation invalidArgument(String deviceName) {
        return invalidArgument(Host.local(), deviceName);
    }

    /**
     * Tells how to find out what the kernel objected to ({@code EINVAL}).
     *
     * @param host the machine
     * @param deviceName the device, for example {@code mlx5_0}
     * @return the explanation
     */
    public static Explanation invalidArgument(Host host, String deviceName) {
        return DeviceExplanations.invalidArgument(host, deviceName);
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
        return ProviderExplanation.of(host, host.rdmaDevice(deviceName).stream().toList());
    }

    /** {@return why the kernel's connection manager cannot be reached} */
    public static Explanation connectionManager() {
        return connectionManager(Host.local());
    }

    /**
     * Explains why the kernel's connection manager cannot be reached.
     *
     * @param host the machine
     * @return the explanation
     */
    public static Explanation connectionManager(Host host) {
        return ConnectionManagerExplanation.of(host);
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
        return MemoryExplanations.refused(host, bytes);
    }
}
