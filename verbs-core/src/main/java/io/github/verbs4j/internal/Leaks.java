package io.github.verbs4j.internal;

import io.github.verbs4j.attr.CreationPlace;
import io.github.verbs4j.attr.OpenResource;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was never closed. */
public final class Leaks {
    /** System property: {@code true} remembers places from the start, and reports what is open when the virtual machine ends. */
    public static final String PROPERTY = "io.github.verbs4j.leaks";

    private static final String UNKNOWN_PLACE = "made where is not known: start with -D" + PROPERTY + "=true";

    private Leaks() {}

    /** Whether the user asked for it; if so, the report follows. */
    static boolean areReported() {
        if (!Boolean.getBoolean(PROPERTY)) {
            return false;
        }
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(Leaks::print, "verbs4j-leaks"));
        } catch (IllegalStateException endsAlready) {
            // then what is opened now is nobody's leak
        }
        return true;
    }

    private static void print() {
        String report = report();
        if (!report.isEmpty()) {
            System.err.println("Verbs4J: " + report);
        }
    }

    /** {@return everything that is open, with the places where it was made; empty if nothing is} */
    public static String report() {
        List<OpenResource> all =
                Inventory.open().stream().flatMap(Inventory::all).toList();
        return all.isEmpty()
                ? ""
                : all.size() + (all.size() == 1 ? " resource was" : " resources were") + " never closed:\n"
                        + all.stream().map(Leaks::leak).collect(Collectors.joining("\n"));
    }

    private static String leak(OpenResource leaked) {
        String place = leaked.place().map(CreationPlace::toString).orElse(UNKNOWN_PLACE);
        return Stream.concat(Stream.of(leaked.name()), place.lines().map("  "::concat))
                .collect(Collectors.joining("\n"));
    }
}
