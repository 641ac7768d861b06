package io.github.verbs4j.internal;

import io.github.verbs4j.attr.CreationPlace;
import io.github.verbs4j.attr.OpenResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is open, as a tree of values: each thing once, with the first of its parents. */
public final class Inventory {
    /** What the name of an open device begins with. */
    private static final String DEVICE = "DeviceContext of ";

    private Inventory() {}

    /** {@return what belongs to nothing else} */
    public static List<OpenResource> open() {
        return Lifetime.roots().stream().map(Inventory::copy).toList();
    }

    private static OpenResource copy(Lifetime life) {
        List<OpenResource> children = new ArrayList<>();
        for (Object child : life.children()) {
            if (!(child instanceof Lifetime node)) {
                Optional<CreationPlace> place =
                        child instanceof Leaf leaf ? Optional.of(leaf.place()) : Optional.empty();
                children.add(new OpenResource(child.toString(), 0, List.of(), place, List.of()));
            } else if (node.parents().getFirst() == life) {
                children.add(copy(node));
            }
        }
        List<String> uses =
                life.parents().stream().skip(1).map(Lifetime::toString).toList();
        return new OpenResource(life.toString(), life.bytes(), uses, Optional.ofNullable(life.place()), children);
    }

    /**
     * {@return it, and everything that is open on it}
     *
     * @param root where to begin
     */
    public static Stream<OpenResource> all(OpenResource root) {
        return Stream.concat(Stream.of(root), root.children().stream().flatMap(Inventory::all));
    }

    /** {@return one line each, indented below what it belongs to} */
    public static String tree() {
        return open().stream().flatMap(root -> lines(root, "")).collect(Collectors.joining("\n"));
    }

    private static Stream<String> lines(OpenResource node, String indent) {
        String uses = node.uses().isEmpty() ? "" : ", with " + String.join(", ", node.uses());
        return Stream.concat(
                Stream.of(indent + node.name() + uses),
                node.children().stream().flatMap(child -> lines(child, indent + "  ")));
    }

    /** The names of the devices that are open. */
    static List<String> devices() {
        return open().stream()
                .filter(root -> root.name().startsWith(DEVICE))
                .map(root -> root.name().substring(DEVICE.length()))
                .distinct()
                .toList();
    }

    /** How many are open of each kind. */
    static Map<String, Long> countByKind() {
        return open().stream()
                .flatMap(Inventory::all)
                .collect(Collectors.groupingBy(OpenResource::kind, TreeMap::new, Collectors.counting()));
    }
}
