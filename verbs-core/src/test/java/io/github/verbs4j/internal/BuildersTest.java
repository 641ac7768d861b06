package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.SendOperation;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** What becomes of a batch is seen on the device; here, what is refused of one before. */
class BuildersTest {
    private final SendRequests requests = new SendRequests(4, 2, 0);

    private static Builders of(String provider) {
        return new Builders(MemorySegment.NULL, EnumSet.allOf(SendOperation.class), false, provider);
    }

    @Test
    void shouldNotPostWhatCanOnlyBeBuilt() {
        requests.write(0, 1, SendOperation.ATOMIC_WRITE.opcode(), 0, 0, 0);
        requests.write(1, 2, SendOperation.SEND.opcode(), 64, 8, 1);
        assertDoesNotThrow(() -> of("rxe").requireOperations(requests, 2, "pair"));
        requests.append(1, 128, 8, 1);

        UnsupportedOperationException refused = assertThrows(
                UnsupportedOperationException.class, () -> of("rxe").requireOperations(requests, 2, "pair"));
        assertTrue(
                refused.getMessage().startsWith("request 0 is a ATOMIC_WRITE, in a batch with a request of"),
                refused::getMessage);
        assertDoesNotThrow(() -> of("mlx5").requireOperations(requests, 2, "pair"));
    }
}
