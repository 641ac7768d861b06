package io.github.verbs4j.tools;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C (SIGINT), or SIGTERM, interrupts what runs here, and the virtual machine ends when that has closed what it had open: the
 * peer hears of it as of any other end.
 */
final class Interruptible {
    private static final int SECONDS = 10;

    private Interruptible() {}

    static void run(Runnable work) {
        Thread worker = Thread.currentThread();
        CountDownLatch done = new CountDownLatch(1);
        Thread hook = new Thread(() -> end(worker, done), "verbs-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            work.run();
        } finally {
            done.countDown();
            remove(hook);
        }
    }

    private static void end(Thread worker, CountDownLatch done) {
        worker.interrupt();
        try {
            done.await(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            // it ends anyway
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // it is this hook that ended the work
        }
    }
}
