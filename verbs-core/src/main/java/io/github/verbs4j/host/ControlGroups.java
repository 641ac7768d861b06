package io.github.verbs4j.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The control groups of this process: where they are mounted in either version, and what they say. */
final class ControlGroups {

    private static final String MOUNT = "/sys/fs/cgroup";
    /** Version 1 says unlimited with the largest multiple of the page size. */
    private static final long NO_LIMIT = 1L << 60;

    private ControlGroups() {}

    static ByteLimit memoryLimit(Tree tree) {
        ByteLimit smallest = ByteLimit.UNKNOWN;
        for (String directory : directories(tree, "memory")) {
            Optional<String> text =
                    tree.line(directory + "/memory.max").or(() -> tree.line(directory + "/memory.limit_in_bytes"));
            ByteLimit limit = text.map(ControlGroups::limit).orElse(ByteLimit.UNKNOWN);
            if (limit.isKnown() && (!smallest.isKnown() || limit.bytes() < smallest.bytes())) {
                smallest = limit;
            }
        }
        return smallest;
    }

    /** Of the groups that count on the device, from the process's own upwards: one that is full, else the first. */
    static Optional<RdmaControlGroup> rdma(Tree tree, String device) {
        List<RdmaControlGroup> groups = directories(tree, "rdma").stream()
                .flatMap(directory -> rdma(tree, directory, device).stream())
                .toList();
        return groups.stream()
                .filter(RdmaControlGroup::isFull)
                .findFirst()
                .or(() -> groups.stream().findFirst());
    }

    private static Optional<RdmaControlGroup> rdma(Tree tree, String directory, String device) {
        Optional<String> current = deviceLine(tree, directory + "/rdma.current", device);
        Optional<String> max = deviceLine(tree, directory + "/rdma.max", device);
        return current.isEmpty() && max.isEmpty()
                ? Optional.empty()
                : Optional.of(new RdmaControlGroup(
                        directory,
                        value(current, "hca_object"),
                        value(current, "hca_handle"),
                        value(max, "hca_object"),
                        value(max, "hca_handle")));
    }

    /** The directories to look in: the process's own group first, then those above it. */
    private static List<String> directories(Tree tree, String controller) {
        List<String> directories = new ArrayList<>();
        for (String line : tree.lines("/proc/self/cgroup")) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                climb(MOUNT, parts[2], directories);
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains(controller)) {
                climb(MOUNT + "/" + controller, parts[2], directories);
            }
        }
        return directories;
    }

    private static void climb(String mount, String group, List<String> directories) {
        for (String rest = group; rest.length() > 1; rest = rest.substring(0, Math.max(0, rest.lastIndexOf('/')))) {
            directories.add(mount + rest);
        }
        directories.add(mount);
    }

    private static ByteLimit limit(String text) {
        OptionalLong bytes = Tree.parse(text);
        if (text.equals("max") || bytes.orElse(0) >= NO_LIMIT) {
            return ByteLimit.UNLIMITED;
        }
        return bytes.orElse(-1) < 0 ? ByteLimit.UNKNOWN : new ByteLimit(bytes.getAsLong());
    }

    private static Optional<String> deviceLine(Tree tree, String file, String device) {
        return tree.lines(file).stream()
                .filter(line -> line.startsWith(device + " "))
                .findFirst();
    }

    private static OptionalLong value(Optional<String> line, String key) {
        for (String word : line.orElse("").split(" ")) {
            if (word.startsWith(key + "=")) {
                return Tree.parse(word.substring(key.length() + 1));
            }
        }
        return OptionalLong.empty();
    }
}
