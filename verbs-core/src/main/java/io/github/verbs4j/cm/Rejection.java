package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.ffi.CapturedErrno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@code rdma_reject} or {@code rdma_reject_ece}. */
@FunctionalInterface
interface Rejection {
    int call(CapturedErrno errno, MemorySegment id, MemorySegment privateData, byte length);

    /** Rejects a request. */
    default void reject(Identifier identifier, String operation, byte[] privateData) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocateFrom(JAVA_BYTE, privateData);
            identifier.call(
                    operation,
                    State.REQUESTED,
                    State.REJECTED,
                    new Failure(identifier, operation, null),
                    errno -> call(errno, identifier.pointer(), data, (byte) privateData.length));
        }
    }
}
