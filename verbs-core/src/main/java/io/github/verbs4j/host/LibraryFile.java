package io.github.verbs4j.host;

import java.util.Objects;
import java.util.Optional;

/**
 * A shared library on this machine's disk.
 *
 * @param path where it is, as the dynamic loader finds it
 * @param version of rdma-core, for example {@code 44.0}, as far as the file's name tells
 */
public record LibraryFile(String path, Optional<String> version) {
    /** Refuses null. */
    public LibraryFile {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(version, "version");
    }
}
