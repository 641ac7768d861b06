package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.CmIdVerbs;
import io.github.verbs4j.internal.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** Finds the device that reaches an address, and the way to it, whatever is made of that then. */
record Resolution(Identifier identifier, InetSocketAddress target, Lifetime lifetime) {
    /** The device. */
    CompletableFuture<ConnectionEvent> findDevice(Deadline deadline) {
        return lifetime.whileOpen("resolve", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment address = SocketAddresses.write(arena, target);
                return identifier.start(
                        Step.RESOLVE_ADDRESS,
                        deadline,
                        target,
                        errno -> CmIdVerbs.rdma_resolve_addr(
                                errno,
                                identifier.pointer(),
                                MemorySegment.NULL,
                                address,
                                Waits.kernelMillis(deadline.left())));
            }
        });
    }

    /** The device and the way. */
    CompletableFuture<ConnectionEvent> findWay(Deadline deadline) {
        return findDevice(deadline).thenCompose(found -> findRoute(deadline));
    }

    /** The way, once the device is known. */
    CompletableFuture<ConnectionEvent> findRoute(Deadline deadline) {
        return lifetime.whileOpen("resolve", () -> {
            try {
                device(); // librdmacm would look into the context of none
            } catch (ConnectionException none) {
                return CompletableFuture.failedFuture(none);
            }
            return identifier.start(
                    Step.RESOLVE_ROUTE,
                    deadline,
                    target,
                    errno -> CmIdVerbs.rdma_resolve_route(
                            errno, identifier.pointer(), Waits.kernelMillis(deadline.left())));
        });
    }

    /** The name of the device that was found. */
    String device() {
        return lifetime.whileOpen("device", this::deviceOfOpen);
    }

    private String deviceOfOpen() {
        State state = identifier.state();
        if (state == State.NEW || state == State.RESOLVING_ADDRESS) {
            throw new IllegalStateException(lifetime + " does not know the device yet; resolve(timeout) finds it");
        }
        return identifier.device().orElseThrow(() -> new Failure(identifier, "rdma_resolve_addr", target).noDevice());
    }
}
