package io.github.verbs4j.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The release of rdma-core that a library is from, as the name of its file tells: {@code libibverbs.so.1.14.44.0} is of
 * release 44. For members behind the end of a struct that an older library makes shorter: no size tells, and what lies
 * there would be called.
 */
final class Release {
    /** {@code ibv_wr_atomic_write} came with it. */
    static final int ATOMIC_WRITE = 44;

    /** {@code ibv_wr_flush} came with it. */
    static final int FLUSH = 45;

    private static final String LIBIBVERBS = "libibverbs";
    private static final String LIBRDMACM = "librdmacm";
    private static final OptionalInt LOADED = loaded(LIBIBVERBS);

    private Release() {}

    /** Refuses a function of a release that the library is known to be older than. */
    static void require(String function, int release) {
        require(function, release, LOADED);
    }

    /** An exported function that came with a release. */
    static MemorySegment function(String name, int release) {
        return NativeLibrary.libibverbs().find(name).orElseThrow(() -> missing(name, LIBIBVERBS, release, LOADED));
    }

    /** An exported function of librdmacm that came with a release. */
    static MemorySegment ofLibrdmacm(String name, int release) {
        return NativeLibrary.librdmacm()
                .find(name)
                .orElseThrow(() -> missing(name, LIBRDMACM, release, loaded(LIBRDMACM)));
    }

    private static UnsupportedOperationException missing(
            String function, String library, int release, OptionalInt loaded) {
        return new UnsupportedOperationException(needs(function, library, release) + "; the library in use "
                + (loaded.isPresent() ? "is of release " + loaded.getAsInt() : "has none of that name"));
    }

    private static String needs(String function, String library, int release) {
        return function + " needs " + library + " of rdma-core " + release + " or newer";
    }

    static void require(String function, int release, OptionalInt loaded) {
        if (loaded.isPresent() && loaded.getAsInt() < release) {
            throw new UnsupportedOperationException(
                    needs(function, LIBIBVERBS, release) + "; the library in use is of release " + loaded.getAsInt());
        }
    }

    /** Empty if the file has another name, as one that the user gave may have. */
    static OptionalInt of(String library, String file) {
        Matcher name = Pattern.compile("/" + library + "\\.so\\.\\d+\\.\\d+\\.(\\d+)\\.\\d+$")
                .matcher(file);
        return name.find() ? OptionalInt.of(Integer.parseInt(name.group(1))) : OptionalInt.empty();
    }

    private static OptionalInt loaded(String library) {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.map(line -> of(library, line))
                    .filter(OptionalInt::isPresent)
                    .findFirst()
                    .orElse(OptionalInt.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
