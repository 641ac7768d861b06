/**
 * RDMA for the JVM: libibverbs from plain Java over the Foreign Function and Memory API.
 *
 * <p>Start with {@link io.github.verbs4j.Device#list()}. Native access is needed by one module only:
 * {@code --enable-native-access=io.github.verbs4j.ffi}, or {@code ALL-UNNAMED} on the class path.
 */
module io.github.verbs4j {
    requires transitive io.github.verbs4j.ffi;
    requires jdk.jfr;

    exports io.github.verbs4j;
    exports io.github.verbs4j.attr;
    exports io.github.verbs4j.cm;
    exports io.github.verbs4j.doctor;
    exports io.github.verbs4j.error;
    exports io.github.verbs4j.host;
}
