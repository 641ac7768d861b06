package io.github.verbs4j.host;

/** Where a kernel module is. */
public enum ModuleState {
    /** Loaded. */
    LOADED,
    /** Compiled into the kernel. */
    BUILT_IN,
    /** On disk for the running kernel, not loaded: {@code modprobe} would load it. */
    INSTALLED,
    /** Neither loaded nor on disk for the running kernel. */
    ABSENT,
    /** Not loaded; the modules on disk are not visible from here, as in most containers. */
    NOT_LOADED;

    /** {@return whether the kernel has the module's code running} */
    public boolean isPresent() {
        return this == LOADED || this == BUILT_IN;
    }
}
