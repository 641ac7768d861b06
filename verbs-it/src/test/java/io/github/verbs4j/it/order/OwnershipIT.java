package io.github.verbs4j.it.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Completions;
import io.github.verbs4j.ReceiveQueue;
import io.github.verbs4j.SendQueue;
import io.github.verbs4j.it.rdma.Link;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OwnershipIT {
    /** What a task on another thread, which has ended by then, threw. */
    private static Throwable elsewhere(Runnable task) throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().name("elsewhere").start(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                thrown.set(e);
            }
        });
        thread.join(60_000);
        assertFalse(thread.isAlive(), "still running");
        return thrown.get();
    }

    private static void requireWrongThread(Runnable task) throws InterruptedException {
        Throwable thrown = elsewhere(task);
        assertInstanceOf(WrongThreadException.class, thrown);
        assertTrue(thrown.getMessage().contains(Thread.currentThread().toString()), thrown::getMessage);
        assertTrue(thrown.getMessage().contains("release()"), thrown::getMessage);
    }

    @Test
    void shouldRefuseASecondThread() throws InterruptedException {
        try (Link link = Link.connected()) {
            requireWrongThread(() -> link.client().sends().send(1, link.client().memory(), 0, 8));
            requireWrongThread(link.client().sends()::post);
            requireWrongThread(
                    () -> link.client().receives().receive(1, link.client().memory(), 0, 8));
            requireWrongThread(link.client().receives()::post);
            requireWrongThread(link.client().completions()::poll);
            requireWrongThread(link.client().completions()::next);
            requireWrongThread(link.client().sends()::close);
            assertEquals(0, link.client().sends().staged());
        }
    }

    @Test
    void shouldRefuseASecondWorkObjectNamingTheOwner() {
        try (Link link = Link.connected()) {
            String owner = Thread.currentThread().toString();
            for (var over : new Runnable[] {
                () -> SendQueue.over(link.client().queuePair()),
                () -> ReceiveQueue.over(link.client().queuePair()),
                () -> Completions.over(link.client().sendQueue(), 4)
            }) {
                var thrown = assertThrows(IllegalStateException.class, over::run);
                assertTrue(thrown.getMessage().contains("owned by " + owner), thrown::getMessage);
            }
        }
    }

    @Test
    void shouldHandOver() throws InterruptedException {
        try (Link link = Link.connected()) {
            SendQueue sends = link.client().sends();
            sends.release();
            assertThrows(WrongThreadException.class, sends::post);
            Throwable thrown = elsewhere(() -> {
                sends.acquire();
                sends.write(
                                5,
                                link.client().memory(),
                                0,
                                8,
                                link.server().memory().remote(),
                                0)
                        .signaled();
                sends.post();
                sends.release();
            });
            assertEquals(null, thrown);
            sends.acquire();
            assertEquals(5, link.client().await().id());
        }
    }

    @Test
    void shouldLetAnyoneCloseWhatADeadThreadOwned() throws InterruptedException {
        try (Link link = Link.connected()) {
            SendQueue sends = link.client().sends();
            sends.release();
            assertEquals(null, elsewhere(sends::acquire));
            assertThrows(WrongThreadException.class, sends::post);
            sends.close();
            assertFalse(sends.isOpen());
        }
    }
}
