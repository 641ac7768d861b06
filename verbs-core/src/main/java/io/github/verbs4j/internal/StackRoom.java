package io.github.verbs4j.internal;

import java.lang.invoke.MethodHandles;

/**
 * Room on the stack, made sure of before the section of a provider's lock: a StackOverflowError in the middle would leave the
 * lock held, for the call that ends the section may overflow too.
 *
 * <p>A section is deep while its code is young, when the virtual machine still links and interprets it, and shallow later.
 */
final class StackRoom {
    private static final int DEEP = 4_000;
    private static final int SHALLOW = 50;

    private int young = 1_000;

    /**
     * Initializes classes that the section needs now: one whose initialization overflows can never be used again.
     *
     * @param classes public ones
     */
    static void initialize(Class<?>... classes) {
        try {
            for (Class<?> one : classes) {
                MethodHandles.lookup().ensureInitialized(one);
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Throws StackOverflowError here and now rather than in the section that follows. */
    void require() {
        reach(young > 0 ? DEEP : SHALLOW);
    }

    /** As {@link #require}, for sections that are too frequent for it and as deep at their end as at their start. */
    void requireWhileYoung() {
        if (young > 0) {
            reach(DEEP);
        }
    }

    /** Notes that a section has gone its whole way. */
    void passed() {
        if (young > 0) {
            young--;
        }
    }

    private static int reach(int levels) {
        return levels == 0 ? 0 : reach(levels - 1) + 1;
    }
}
