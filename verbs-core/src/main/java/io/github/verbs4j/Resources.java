package io.github.verbs4j;

import io.github.verbs4j.attr.OpenResource;
import io.github.verbs4j.internal.Inventory;
import io.github.verbs4j.internal.Leaks;
import io.github.verbs4j.internal.Places;
import java.util.List;

/**
 * What this process has open, at any time: devices and what was made on them, connection managers and what was made with them.
 *
 * <pre>{@code
 * System.out.println(Resources.tree());
 * }</pre>
 *
 * <p>To find what was never closed, start the program with {@code -Dio.github.verbs4j.leaks=true}: the places where resources are made are
 * remembered, and when the virtual machine ends, {@link #leaks()} is printed on the standard error, unless it is empty. Nothing here closes
 * anything.
 *
 * <p>Thread-safe; what other threads open and close meanwhile may be in the answer or not.
 */
public final class Resources {
    private Resources() {}

    /** {@return what is open and belongs to nothing else: open devices, and connection managers; the oldest first} */
    public static List<OpenResource> open() {
        return Inventory.open();
    }

    /** {@return everything that is open, one line each, indented below what it belongs to; empty if nothing is open} */
    public static String tree() {
        return Inventory.tree();
    }

    /**
     * Remembers where resources are made that are made from now on, or no longer. It costs a stack trace for each, so nothing is
     * remembered unless this, or {@code -Dio.github.verbs4j.leaks=true}, asks for it.
     *
     * @param remember whether to
     */
    public static void rememberPlaces(boolean remember) {
        Places.remember(remember);
    }

    /**
     * {@return a report of everything that is open, each with the place where it was made, as far as that was remembered; empty if nothing
     * is open} At the end of a program, or of a test, all of it should have been closed.
     */
    public static String leaks() {
        return Leaks.report();
    }
}
