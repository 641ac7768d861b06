package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LifetimeTest {
    private final List<String> log = new ArrayList<>();
    private final Lifetime root = new Lifetime("root", null);

    private Lifetime child(String name, Lifetime... parents) {
        return Lifetime.create("create", () -> new Lifetime(name, null, parents), parents);
    }

    private void close(Lifetime lifetime) {
        lifetime.close(() -> log.add(lifetime.toString()));
    }

    private static <T> FutureTask<T> start(Callable<T> task) {
        FutureTask<T> future = new FutureTask<>(task);
        Thread.ofPlatform().daemon().start(future);
        return future;
    }

    @Test
    void shouldCloseInReverseOrder() {
        Lifetime first = child("first", root);
        Lifetime second = child("second", root, first);

        close(second);
        close(first);
        close(root);
        assertEquals(List.of("second", "first", "root"), log);
        assertFalse(root.isOpen());
    }

    @Test
    void shouldNameWhatIsStillOpen() {
        Lifetime first = child("first", root);
        Lifetime second = child("second", root, first);

        assertEquals(
                "root cannot be closed: still open on it: first, second; close what was opened last first",
                assertThrows(IllegalStateException.class, () -> close(root)).getMessage());
        assertEquals(
                "first cannot be closed: still open on it: second; close what was opened last first",
                assertThrows(IllegalStateException.class, () -> close(first)).getMessage());
        assertTrue(root.isOpen() && first.isOpen() && second.isOpen());
        assertEquals(List.of(), log);
    }

    @Test
    void shouldDestroyOnce() {
        close(root);
        close(root);
        assertEquals(List.of("root"), log);
    }

    @Test
    void shouldStayOpenWhenTheDestructionFails() {
        Lifetime child = child("child", root);

        assertThrows(
                ArithmeticException.class,
                () -> child.close(() -> {
                    throw new ArithmeticException();
                }));
        assertTrue(child.isOpen());
        assertThrows(IllegalStateException.class, () -> close(root));
        close(child);
        close(root);
        assertEquals(List.of("child", "root"), log);
    }

    @Test
    void shouldRefuseUseAfterClose() {
        close(root);

        assertEquals(
                "query: root is closed",
                assertThrows(IllegalStateException.class, () -> root.whileOpen("query", () -> 1))
                        .getMessage());
        assertEquals(
                "create: root is closed",
                assertThrows(IllegalStateException.class, () -> child("late", root))
                        .getMessage());
    }

    @Test
    void shouldRefuseToBuildOnAnyClosedParent() {
        Lifetime first = child("first", root);
        Lifetime second = child("second", root);
        close(second);

        assertThrows(IllegalStateException.class, () -> child("both", first, second));
        assertThrows(IllegalStateException.class, () -> child("both", second, first));
        close(first);
        close(root);
    }

    @Test
    void shouldBeFreeAgainWhenACreatorFails() {
        assertThrows(
                ArithmeticException.class,
                () -> Lifetime.create(
                        "create",
                        () -> {
                            throw new ArithmeticException();
                        },
                        root));
        close(root);
        assertFalse(root.isOpen());
    }

    @Test
    void shouldTakeTheSameParentTwice() {
        Lifetime child = child("child", root, root);

        assertEquals(
                "root cannot be closed: still open on it: child; close what was opened last first",
                assertThrows(IllegalStateException.class, () -> close(root)).getMessage());
        close(child);
        close(root);
    }

    @Test
    void shouldKeepAnObject() {
        Object kept = new Object();
        Lifetime keeper = new Lifetime("keeper", kept, root);

        assertSame(kept, keeper.kept());
        assertNull(root.kept());
        assertEquals("keeper", keeper.toString());
    }

    @Test
    void shouldRefuseToCloseFromWithinItsOwnOperation() {
        assertEquals(
                "root cannot be closed from within one of its own operations",
                assertThrows(
                                IllegalStateException.class,
                                () -> root.whileOpen("query", () -> {
                                    close(root);
                                    return 1;
                                }))
                        .getMessage());
        assertTrue(root.isOpen());
        close(root);
    }

    @Test
    void shouldWaitForAnOperationOfAnotherThread() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        FutureTask<Boolean> operation = start(() -> root.whileOpen("query", () -> {
            inside.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return root.isOpen();
        }));
        inside.await();
        FutureTask<Void> closing = start(() -> {
            close(root);
            return null;
        });
        Thread.sleep(50);
        assertTrue(root.isOpen(), "not closed under an operation");
        assertFalse(closing.isDone());

        leave.countDown();
        assertTrue(operation.get());
        closing.get();
        assertFalse(root.isOpen());
    }

    @Test
    void shouldNeverCreateOnAParentThatIsGone() throws Exception {
        for (int round = 0; round < 500; round++) {
            Lifetime parent = new Lifetime("parent", null);
            AtomicInteger children = new AtomicInteger();
            CountDownLatch go = new CountDownLatch(1);
            FutureTask<Lifetime> creating = start(() -> {
                go.await();
                return Lifetime.create(
                        "create",
                        () -> {
                            assertTrue(parent.isOpen());
                            children.incrementAndGet();
                            return new Lifetime("child", null, parent);
                        },
                        parent);
            });
            go.countDown();
            boolean closed = true;
            try {
                parent.close(() -> assertEquals(0, children.get()));
            } catch (IllegalStateException stillOpen) {
                closed = false;
            }
            if (closed) {
                assertInstanceOf(
                        IllegalStateException.class,
                        assertThrows(ExecutionException.class, creating::get).getCause());
            } else {
                creating.get().close(() -> {});
                parent.close(() -> {});
            }
        }
    }

    /** Each is in one of two parents, and wants the other one, which a third thread waits to close: what lies between keeps them there. */
    @Test
    void shouldCreateOnTwoParentsInEitherOrderWhileBothAreClosed() throws Exception {
        Lifetime first = child("first", root);
        Lifetime second = child("second", root);
        Lifetime behindFirst = child("behind first", root);
        Lifetime behindSecond = child("behind second", root);
        CountDownLatch refuse = new CountDownLatch(1);

        List<FutureTask<Void>> tasks = List.of(
                waiting(() -> refuseToClose(behindFirst, refuse)),
                waiting(() -> refuseToClose(behindSecond, refuse)),
                waiting(() -> Lifetime.create("create", () -> 1, first, behindFirst, second)),
                waiting(() -> Lifetime.create("create", () -> 1, second, behindSecond, first)),
                waiting(() -> first.close(() -> {})),
                waiting(() -> second.close(() -> {})));
        refuse.countDown();

        for (FutureTask<Void> task : tasks) {
            task.get(30, TimeUnit.SECONDS);
        }
        assertFalse(first.isOpen() || second.isOpen());
    }

    private static void refuseToClose(Lifetime lifetime, CountDownLatch when) {
        assertThrows(
                ArithmeticException.class,
                () -> lifetime.close(() -> {
                    try {
                        when.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    throw new ArithmeticException();
                }));
    }

    /** Started, and waiting for another thread. */
    private static FutureTask<Void> waiting(Runnable task) {
        FutureTask<Void> future = new FutureTask<>(task, null);
        Thread thread = Thread.ofPlatform().daemon().start(future);
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return future;
    }

    /** Who has seen a child closed may close its parent, whichever thread closed the child. */
    @Test
    void shouldLetTheParentCloseOnceTheChildIsSeenClosed() throws Exception {
        for (int round = 0; round < 500; round++) {
            Lifetime parent = new Lifetime("parent", null);
            Lifetime child = new Lifetime("child", null, parent);
            FutureTask<Void> closing = start(() -> {
                child.close(() -> {});
                return null;
            });
            while (child.isOpen()) {
                Thread.onSpinWait();
            }
            parent.close(() -> {});
            closing.get();
        }
    }
}
