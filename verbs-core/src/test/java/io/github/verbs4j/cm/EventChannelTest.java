package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeCm;
import io.github.verbs4j.ffi.NativeLibrary;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(FakeCm.Reset.class)
class EventChannelTest {
    /** Or somebody would wait for ever. */
    @Test
    void shouldTellWhoComesWhileItEndsOrRefuseHim() throws Exception {
        NativeLibrary.librdmacm().open();
        EventChannel former = EventChannel.create();
        for (int round = 0; round < 1_000; round++) {
            EventChannel channel = EventChannel.create();
            Identifier identifier = former.createIdentifier(PortSpace.RDMA_PS_TCP);
            AtomicInteger both = new AtomicInteger();
            ArithmeticException reason = new ArithmeticException();
            CompletableFuture<Void> ending = CompletableFuture.runAsync(() -> {
                meet(both);
                channel.end(reason);
            });
            boolean adopted = true;
            meet(both);
            for (int i = 0; i < round % 20; i++) {
                Thread.onSpinWait();
            }
            try {
                channel.adopt(identifier);
            } catch (VerbsException refused) {
                adopted = false;
            }
            ending.join();
            assertEquals(adopted ? State.FAILED : State.NEW, identifier.state(), "round " + round);
            identifier.destroy();
            channel.close();
        }
        former.close();
    }

    /** Both go on at the same moment: nobody has to be woken. */
    private static void meet(AtomicInteger both) {
        both.incrementAndGet();
        while (both.get() < 2) {
            Thread.onSpinWait();
        }
    }
}
