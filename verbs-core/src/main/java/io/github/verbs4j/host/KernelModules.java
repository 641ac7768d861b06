package io.github.verbs4j.host;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * The modules of the running kernel. Names are written with underscores.
 *
 * @param loaded what {@code /proc/modules} lists
 * @param builtIn what is compiled in, as far as {@code /sys/module} and {@code modules.builtin} tell
 * @param installed what {@code modules.dep} of the running kernel lists
 * @param diskVisible whether {@code modules.dep} of the running kernel could be read
 */
public record KernelModules(Set<String> loaded, Set<String> builtIn, Set<String> installed, boolean diskVisible) {

    /** Keeps copies of the sets. */
    public KernelModules {
        loaded = Set.copyOf(Objects.requireNonNull(loaded, "loaded"));
        builtIn = Set.copyOf(Objects.requireNonNull(builtIn, "builtIn"));
        installed = Set.copyOf(Objects.requireNonNull(installed, "installed"));
    }

    /**
     * Tells where a module is.
     *
     * @param name the module, with underscores or dashes, for example {@code ib_uverbs}
     * @return its state
     */
    public ModuleState state(String name) {
        Objects.requireNonNull(name, "name");
        String normal = name.replace('-', '_');
        if (loaded.contains(normal)) {
            return ModuleState.LOADED;
        }
        if (builtIn.contains(normal)) {
            return ModuleState.BUILT_IN;
        }
        if (installed.contains(normal)) {
            return ModuleState.INSTALLED;
        }
        return diskVisible ? ModuleState.ABSENT : ModuleState.NOT_LOADED;
    }

    static KernelModules read(Tree tree, String release) {
        String disk = "/lib/modules/" + release;
        Set<String> loaded = new HashSet<>();
        tree.lines("/proc/modules").forEach(line -> loaded.add(line.split(" ", 2)[0]));
        Set<String> builtIn = new HashSet<>(tree.names("/sys/module"));
        tree.lines(disk + "/modules.builtin").forEach(line -> builtIn.add(moduleName(line)));
        builtIn.removeAll(loaded);
        Set<String> installed = new HashSet<>();
        tree.lines(disk + "/modules.dep").forEach(line -> installed.add(moduleName(line.split(":", 2)[0])));
        return new KernelModules(loaded, builtIn, installed, tree.exists(disk + "/modules.dep"));
    }

    private static String moduleName(String path) {
        String file = path.substring(path.lastIndexOf('/') + 1);
        int end = file.indexOf(".ko");
        return (end < 0 ? file : file.substring(0, end)).replace('-', '_');
    }
}
