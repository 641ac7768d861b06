package io.github.verbs4j.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for libraries where the dynamic loader does. */
final class LibraryFiles {

    private static final String VERBS = "libibverbs.so.1";
    private static final String CONNECTION_MANAGER = "librdmacm.so.1";

    /** Where the loader looks unasked, the 64-bit directories first. */
    private static final List<String> STANDARD = List.of("/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib");

    /** The numbers of the interface, then the version of rdma-core: {@code libibverbs.so.1.14.44.0}. */
    private static final Pattern VERSIONED = Pattern.compile(".*\\.so\\.\\d+\\.\\d+\\.(\\d[\\d.]*)");

    /** The name of the version of symbols that providers link to. */
    private static final Pattern PROVIDER_INTERFACE = Pattern.compile("IBVERBS_PRIVATE_(\\d{1,9})");

    private final Tree tree;
    private final boolean local;

    private LibraryFiles(Tree tree) {
        this.tree = tree;
        this.local = tree.root().equals(Path.of("/"));
    }

    static Libraries read(Tree tree) {
        LibraryFiles files = new LibraryFiles(tree);
        Optional<String> verbs = files.find(VERBS);
        return new Libraries(
                verbs.map(files::describe),
                files.find(CONNECTION_MANAGER).map(files::describe),
                verbs.map(files::providerInterface).orElse(OptionalInt.empty()),
                verbs.map(files::providers).orElse(List.of()));
    }

    private Optional<String> find(String soname) {
        Optional<String> given = local ? Optional.ofNullable(System.getProperty(property(soname))) : Optional.empty();
        return given.isPresent()
                ? given.filter(tree::exists)
                : directories().stream()
                        .map(directory -> directory + "/" + soname)
                        .filter(tree::exists)
                        .findFirst();
    }

    /** Where users tell of a library elsewhere. */
    private static String property(String soname) {
        return "io.github.verbs4j." + soname.substring(0, soname.indexOf(".so"));
    }

    private Set<String> directories() {
        Set<String> directories = new LinkedHashSet<>();
        String path = local ? System.getenv("LD_LIBRARY_PATH") : null;
        if (path != null) {
            directories.addAll(List.of(path.split(":")));
        }
        for (String name : tree.names("/etc/ld.so.conf.d")) {
            tree.lines("/etc/ld.so.conf.d/" + name).stream().map(String::strip).forEach(directories::add);
        }
        String triplet = System.getProperty("os.arch").replace("amd64", "x86_64") + "-linux-gnu";
        directories.add("/lib/" + triplet);
        directories.add("/usr/lib/" + triplet);
        directories.addAll(STANDARD);
        directories.removeIf(directory -> !directory.startsWith("/"));
        return directories;
    }

    private LibraryFile describe(String path) {
        Matcher name = VERSIONED.matcher(target(path));
        return new LibraryFile(path, name.matches() ? Optional.of(name.group(1)) : Optional.empty());
    }

    private String target(String path) {
        try {
            return tree.path(path).toRealPath().getFileName().toString();
        } catch (IOException _) {
            return path;
        }
    }

    private OptionalInt providerInterface(String path) {
        Matcher matcher = PROVIDER_INTERFACE.matcher(
                tree.text(path, StandardCharsets.ISO_8859_1).orElse(""));
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    private List<ProviderLibrary> providers(String verbs) {
        List<ProviderLibrary> providers = new ArrayList<>();
        String directory = verbs.substring(0, verbs.lastIndexOf('/')) + "/libibverbs";
        for (String file : tree.names(directory)) {
            ProviderLibrary.of(directory, file)
                    .filter(library -> tree.exists(library.path()))
                    .ifPresent(providers::add);
        }
        return providers;
    }
}
