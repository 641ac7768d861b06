package io.github.verbs4j.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A node in {@code /dev/infiniband}.
 *
 * @param name the name, for example {@code uverbs0} or {@code rdma_cm}
 * @param permissions the mode, for example {@code rw-rw----}; empty if unknown
 * @param owner the owning user, by name or number; empty if unknown
 * @param group the owning group, by name or number; empty if unknown
 * @param readable whether this process may open it for reading, as the kernel says
 * @param writable whether this process may open it for writing, as the kernel says; the device rules of the process's
 *     control group have their say in both
 */
public record DeviceNode(
        String name, String permissions, String owner, String group, boolean readable, boolean writable) {
    /** Refuses null. */
    public DeviceNode {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(permissions, "permissions");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(group, "group");
    }

    /** The directory of the nodes. */
    public static final String DIRECTORY = "/dev/infiniband";

    /** {@return the absolute path, for example {@code /dev/infiniband/uverbs0}} */
    public String path() {
        return DIRECTORY + "/" + name;
    }

    /** {@return whether this process may open it for reading and writing, which verbs need} */
    public boolean isAccessible() {
        return readable && writable;
    }

    /** {@return whether every user may read and write it, as far as its mode goes} */
    public boolean isOpenToAll() {
        return permissions.endsWith("rw-") || permissions.endsWith("rwx");
    }

    static List<DeviceNode> readAll(Tree tree) {
        return tree.names(DIRECTORY).stream()
                .flatMap(name -> read(tree.path(DIRECTORY).resolve(name)))
                .toList();
    }

    static Optional<String> openRefusal(Tree tree, String name) {
        try (FileChannel _ = FileChannel.open(
                tree.path(DIRECTORY).resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.of("No such file or directory");
        } catch (AccessDeniedException _) {
            return Optional.of("Permission denied");
        } catch (FileSystemException e) {
            return Optional.of(e.getReason() == null ? "unknown reason" : e.getReason());
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Stream<DeviceNode> read(Path path) {
        if (Files.isDirectory(path)) {
            return Stream.empty();
        }
        Optional<PosixFileAttributes> attributes = attributes(path);
        return Stream.of(new DeviceNode(
                path.getFileName().toString(),
                attributes
                        .map(a -> PosixFilePermissions.toString(a.permissions()))
                        .orElse(""),
                attributes.map(a -> a.owner().getName()).orElse(""),
                attributes.map(a -> a.group().getName()).orElse(""),
                Files.isReadable(path),
                Files.isWritable(path)));
    }

    private static Optional<PosixFileAttributes> attributes(Path path) {
        try {
            return Optional.of(Files.readAttributes(path, PosixFileAttributes.class));
        } catch (IOException | UnsupportedOperationException _) {
            return Optional.empty();
        }
    }
}
