package io.github.verbs4j.internal;

/** Reading back what was just given: the proof, on this very machine, that structs lie where we think they do. */
public final class Abi {
    private Abi() {}

    /**
     * Goes on if a field reads back as it was given.
     *
     * @param struct the C name
     * @param field the C name
     * @param holds whether it does
     * @throws IllegalStateException if not
     */
    public static void check(String struct, String field, boolean holds) {
        if (!holds) {
            throw new IllegalStateException(struct + "." + field
                    + " does not read back as it was given: the installed libibverbs has another layout than Verbs4J knows;"
                    + " refusing to go on. Use the libibverbs.so.1 of rdma-core, and report its version");
        }
    }
}
