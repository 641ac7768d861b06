package io.github.verbs4j;

import io.github.verbs4j.internal.Lifetime;

/**
 * Something with a native life of its own: made on a device, used, closed.
 *
 * <p>It cannot be closed while something that was made on it is open, and whoever is closed first by mistake is told what.
 * Closing twice is harmless; if the device refuses to destroy it, it stays open.
 *
 * <p>Thread-safe.
 */
public abstract sealed class Resource implements AutoCloseable
        permits AddressHandle,
                CompletionQueue,
                DeviceContext,
                MemoryRegion,
                MemoryWindow,
                MulticastMembership,
                ProtectionDomain,
                QueuePair,
                SharedReceiveQueue {
    static {
        Lifetime.findBy(resource -> ((Resource) resource).lifetime);
    }

    private final Lifetime lifetime;

    Resource(Lifetime lifetime) {
        this.lifetime = lifetime;
    }

    /** {@return whether it is still open} */
    public final boolean isOpen() {
        return lifetime.isOpen();
    }

    @Override
    public abstract void close();

    final Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public final String toString() {
        return lifetime.toString();
    }
}
