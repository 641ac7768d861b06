/**
 * The C API of libibverbs and librdmacm, complete and without opinions.
 *
 * <p>Everything here is as unsafe as C. It is the one module that calls restricted methods of the Foreign Function and
 * Memory API: an application starts with {@code --enable-native-access=io.github.verbs4j.ffi}, or, on the class path,
 * with {@code --enable-native-access=ALL-UNNAMED}.
 */
module io.github.verbs4j.ffi {
    exports io.github.verbs4j.ffi;
}
