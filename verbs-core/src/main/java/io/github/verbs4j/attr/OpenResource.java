package io.github.verbs4j.attr;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that was open at one moment, with what was open on it: a node of {@code Resources.open()}. Immutable.
 *
 * @param name what messages call it, for example {@code RcQueuePair 17 of rxe0}
 * @param registeredBytes of a memory region its length, of everything else 0
 * @param uses what else it is built on, by name: the completion queues of a queue pair, for example
 * @param place where it was made; empty unless places were remembered then
 * @param children what is open on it, the oldest first; what is built on several things is in here once, with the domain or device that
 *     it belongs to
 */
public record OpenResource(
        String name,
        long registeredBytes,
        List<String> uses,
        Optional<CreationPlace> place,
        List<OpenResource> children) {
    /** Keeps copies of the lists. */
    public OpenResource {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(place, "place");
        uses = List.copyOf(Objects.requireNonNull(uses, "uses"));
        children = List.copyOf(Objects.requireNonNull(children, "children"));
    }

    /** {@return what it is, without what distinguishes it from others of its kind, for example {@code RcQueuePair}} */
    public String kind() {
        int end = name.indexOf(' ');
        return end < 0 ? name : name.substring(0, end);
    }
}
