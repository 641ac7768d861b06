package io.github.verbs4j.host;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A provider: the user-space driver of one kind of device, a library that libibverbs loads.
 *
 * @param name for example {@code mlx5}
 * @param path of the library
 * @param version of the interface between libibverbs and its providers; the two must agree
 */
public record ProviderLibrary(String name, String path, int version) {
    /** Refuses null. */
    public ProviderLibrary {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(path, "path");
    }

    private static final Pattern FILE = Pattern.compile("lib(.+)-rdmav(\\d{1,9})\\.so");

    static Optional<ProviderLibrary> of(String directory, String file) {
        Matcher matcher = FILE.matcher(file);
        return matcher.matches()
                ? Optional.of(new ProviderLibrary(
                        matcher.group(1), directory + "/" + file, Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }
}
