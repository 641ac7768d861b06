package io.github.verbs4j.ffi;

/** What differs between processors: the size of the pthread mutex that some structs embed, and numbers of system calls. */
final class Architecture {
    /** Size of pthread_mutex_t in the headers that the bindings were generated from (x86-64, glibc). */
    private static final long GENERATED_MUTEX_BYTES = 40;

    private Architecture() {}

    static void requireSupported() {
        mutexGrowth();
    }

    /**
     * Bytes by which a field behind an embedded pthread mutex lies further than in the generated layouts.
     *
     * @throws LibraryUnavailableException on a processor that nobody has checked
     */
    static long mutexGrowth() {
        return mutexGrowth(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /**
     * {@return the number of the system call {@code mbind}}
     *
     * @param mutexGrowth which tells the processor
     */
    static long mbindNumber(long mutexGrowth) {
        return mutexGrowth == 0 ? 237 : 235;
    }

    static long mutexGrowth(String system, String architecture) {
        if (!system.equals("Linux")) {
            throw new LibraryUnavailableException(
                    "libibverbs.so.1", "RDMA verbs exist on Linux only, this is " + system, null);
        }
        return switch (architecture) {
            case "amd64" -> 0;
            case "aarch64" -> 48 - GENERATED_MUTEX_BYTES;
            default ->
                throw new LibraryUnavailableException(
                        "libibverbs.so.1",
                        "the layouts of rdma-core are verified for amd64 and aarch64, not for " + architecture
                                + ": refusing to guess",
                        null);
        };
    }
}
