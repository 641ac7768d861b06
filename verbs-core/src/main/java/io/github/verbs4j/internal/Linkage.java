package io.github.verbs4j.internal;

import io.github.verbs4j.host.Host;
import java.util.Set;

/**
 * Which calls of the data path are linked critically ({@code Linker.Option.critical}): some nanoseconds cheaper, but no
 * garbage is collected while one runs, so it must neither enter the kernel nor wait. Decided once for each open device, by
 * the library that its functions lie in.
 *
 * @param provider short name of the provider, as {@code mlx5}; empty if it cannot be told
 * @param criticalPost whether posting is
 * @param criticalPoll whether polling is
 */
public record Linkage(String provider, boolean criticalPost, boolean criticalPoll) {
    /** The system property that overrides the choice: {@code auto}, {@code none}, or one or both of {@code post,poll}. */
    public static final String PROPERTY = "io.github.verbs4j.critical";

    /**
     * Providers that post and poll in user space, without a system call, a sleep or a lock that is held over one: read in
     * their sources (rdma-core of August 2026).
     */
    private static final Set<String> IN_USER_SPACE = Set.of("mlx4", "mlx5", "efa", "irdma");

    /** Polling takes the lock of the send queue, which a section of builders holds over several calls. */
    private static final String POLLS_UNDER_THE_LOCK_OF_SENDS = "efa";

    /** Soft-RoCE polls in user space but posts by a system call, which carries the whole packet: measured. */
    private static final String SOFT_ROCE = "rxe";

    /**
     * {@return the linkage of an open device}
     *
     * @param function address of one of its functions
     * @throws IllegalArgumentException if the property has a value that is not allowed
     */
    public static Linkage of(long function) {
        return of(
                Host.local().fileAt(function).map(Linkage::providerName).orElse(""),
                System.getProperty(PROPERTY, "auto"));
    }

    static Linkage of(String provider, String choice) {
        return switch (choice) {
            case "auto" -> {
                boolean userSpace = IN_USER_SPACE.contains(provider);
                boolean poll = userSpace && !provider.equals(POLLS_UNDER_THE_LOCK_OF_SENDS);
                yield new Linkage(provider, userSpace, poll || provider.equals(SOFT_ROCE));
            }
            case "none" -> new Linkage(provider, false, false);
            case "post" -> new Linkage(provider, true, false);
            case "poll" -> new Linkage(provider, false, true);
            case "post,poll", "poll,post" -> new Linkage(provider, true, true);
            default ->
                throw new IllegalArgumentException("-D" + PROPERTY + "=" + choice
                        + " is none of auto, none, post, poll, and post,poll: which calls of the data path neither enter the"
                        + " kernel nor wait");
        };
    }

    /** The file is called libmlx5.so.1.24.44.0 or libmlx5-rdmav34.so. */
    static String providerName(String library) {
        String file = library.substring(library.lastIndexOf('/') + 1);
        return file.startsWith("lib") ? file.substring(3).split("[-.]", 2)[0] : "";
    }
}
