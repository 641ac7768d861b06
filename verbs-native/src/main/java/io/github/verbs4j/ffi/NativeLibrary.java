package io.github.verbs4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The shared libraries, found by their soname or under a path that the user gives.
 *
 * <p>A library is opened once and stays open. When that fails, every later use repeats the reason. The generated classes
 * open the same soname; the loader answers with the library that is open already, so a path given here holds for them
 * too.
 *
 * <p>Thread-safe.
 */
public final class NativeLibrary {
    /** System property with the path of another libibverbs; its soname must be {@code libibverbs.so.1}. */
    public static final String LIBIBVERBS_PROPERTY = "io.github.verbs4j.libibverbs";

    /** System property with the path of another librdmacm; its soname must be {@code librdmacm.so.1}. */
    public static final String LIBRDMACM_PROPERTY = "io.github.verbs4j.librdmacm";

    private static final NativeLibrary LIBIBVERBS = new NativeLibrary(
            "libibverbs.so.1", LIBIBVERBS_PROPERTY, "libibverbs1 ibverbs-providers", "libibverbs", "ibv_open_device");
    private static final NativeLibrary LIBRDMACM =
            new NativeLibrary("librdmacm.so.1", LIBRDMACM_PROPERTY, "librdmacm1", "librdmacm", "rdma_create_id");

    private final String soname;
    private final String property;
    private final String debianPackages;
    private final String rhelPackages;
    private final String landmark;
    private SymbolLookup symbols;
    private LibraryUnavailableException failure;

    NativeLibrary(String soname, String property, String debianPackages, String rhelPackages, String landmark) {
        this.soname = soname;
        this.property = property;
        this.debianPackages = debianPackages;
        this.rhelPackages = rhelPackages;
        this.landmark = landmark;
    }

    /** {@return {@code libibverbs.so.1}, which need not be open yet} */
    public static NativeLibrary libibverbs() {
        return LIBIBVERBS;
    }

    /** {@return {@code librdmacm.so.1}, which need not be open yet} */
    public static NativeLibrary librdmacm() {
        return LIBRDMACM;
    }

    /**
     * Opens the library if it is not open.
     *
     * @return this
     * @throws LibraryUnavailableException if it cannot be opened
     */
    public synchronized NativeLibrary open() {
        if (symbols != null) {
            return this;
        }
        if (failure != null) {
            throw new LibraryUnavailableException(failure.library(), failure.getMessage(), failure);
        }
        try {
            symbols = load();
            return this;
        } catch (LibraryUnavailableException e) {
            failure = e;
            throw e;
        }
    }

    /**
     * {@return the address of an exported function, empty if this version of the library has none of that name}
     *
     * @param function the C name
     * @throws LibraryUnavailableException if the library cannot be opened
     */
    public Optional<MemorySegment> find(String function) {
        return open().symbols.find(function);
    }

    /**
     * {@return the address of an exported function}
     *
     * @param function the C name
     * @throws LibraryUnavailableException if the library cannot be opened or lacks the function
     */
    public MemorySegment require(String function) {
        return find(function)
                .orElseThrow(() -> new LibraryUnavailableException(
                        soname,
                        soname + " has no function " + function + ": this version of rdma-core is too old; update it ("
                                + packages() + ")",
                        null));
    }

    @SuppressWarnings("restricted")
    private SymbolLookup load() {
        Architecture.requireSupported();
        if (this == LIBRDMACM) {
            // it would bring the libibverbs of the system, whatever path is given for that
            LIBIBVERBS.open();
        }
        String path = System.getProperty(property);
        String asked = path == null ? soname : path;
        SymbolLookup found;
        try {
            found = path == null
                    ? SymbolLookup.libraryLookup(soname, Arena.global())
                    : SymbolLookup.libraryLookup(Path.of(path).toAbsolutePath(), Arena.global());
        } catch (IllegalCallerException e) {
            throw new LibraryUnavailableException(asked, nativeAccessDenied(), e);
        } catch (IllegalArgumentException e) {
            throw new LibraryUnavailableException(asked, path == null ? notInstalled() : notAtPath(path), e);
        }
        if (path != null) {
            requireSoname(path, found);
        }
        return found;
    }

    /** The generated code asks for the soname; it must get this very library. */
    @SuppressWarnings("restricted")
    private void requireSoname(String path, SymbolLookup found) {
        Optional<MemorySegment> here = found.find(landmark);
        Optional<MemorySegment> there;
        try {
            there = SymbolLookup.libraryLookup(soname, Arena.global()).find(landmark);
        } catch (IllegalArgumentException e) {
            there = Optional.empty();
        }
        if (here.isEmpty() || !here.equals(there)) {
            throw new LibraryUnavailableException(
                    path,
                    path + ", given by -D" + property + ", is not usable as " + soname + ": "
                            + (here.isEmpty()
                                    ? "it has no function " + landmark
                                    : "its soname is another one, or another library of that name was loaded before")
                            + "; give the path of a library built with -Wl,-soname," + soname,
                    null);
        }
    }

    private String notInstalled() {
        return soname + ", or a library that it needs, is not installed on this machine: install " + packages()
                + ", or give the path of the library by " + "-D" + property + "=/path/to/" + soname;
    }

    private String notAtPath(String path) {
        return path + ", given by -D" + property + ", "
                + (Files.exists(Path.of(path))
                        ? "is not a shared library for this machine, or needs one that is missing (see 'ldd " + path
                                + "')"
                        : "does not exist")
                + ": correct the path, or remove the property and install " + packages();
    }

    private String packages() {
        return "with 'apt-get install " + debianPackages + "' (Debian, Ubuntu) or 'dnf install " + rhelPackages
                + "' (RHEL, Fedora)";
    }

    private static String nativeAccessDenied() {
        Module module = NativeLibrary.class.getModule();
        String flag = "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
        return "native access is denied to Verbs4J: start java with " + flag
                + (module.isNamed() ? "" : " (Verbs4J is on the class path, so it has no module name)");
    }

    @Override
    public String toString() {
        return soname;
    }
}
