package io.github.verbs4j.error;

import io.github.verbs4j.host.Host;

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
}
