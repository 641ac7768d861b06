package io.github.verbs4j.internal;

import io.github.verbs4j.attr.CreationPlace;
import java.lang.StackWalker.StackFrame;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Where resources are made. Remembered only if that was asked for: a stack trace costs more than many a resource. */
public final class Places {
    private static final int DEPTH = 16;
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static volatile boolean remembered = Leaks.areReported();

    private Places() {}

    /**
     * Remembers them from now on, or no longer.
     *
     * @param remember whether to
     */
    public static void remember(boolean remember) {
        remembered = remember;
    }

    /** Where the calling thread is; null unless it is to be remembered. */
    static CreationPlace here() {
        return remembered
                ? new CreationPlace(Instant.now(), Thread.currentThread().getName(), WALKER.walk(Places::outside))
                : null;
    }

    /** Without our own methods and those of the JDK in front; all of them in a thread of our own. */
    private static List<StackTraceElement> outside(Stream<StackFrame> frames) {
        List<StackFrame> all = frames.toList();
        List<StackFrame> users = all.stream().dropWhile(Places::isOurs).toList();
        return (users.isEmpty() ? all : users)
                .stream().limit(DEPTH).map(StackFrame::toStackTraceElement).toList();
    }

    private static boolean isOurs(StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        return type.getClassLoader() == null
                || Places.class.getProtectionDomain().equals(type.getProtectionDomain());
    }
}
