package io.github.verbs4j.host;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The Linux distribution, from {@code os-release}. In a container it is the image's.
 *
 * @param id {@code ID}, for example {@code ubuntu}; empty if unknown
 * @param like {@code ID_LIKE}, for example {@code debian}
 * @param title {@code PRETTY_NAME}, for example {@code Ubuntu 24.04.1 LTS}; empty if unknown
 * @param family which package names to use
 */
public record Distribution(String id, List<String> like, String title, Family family) {

    /** Keeps a copy of the list. */
    public Distribution {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(family, "family");
        like = List.copyOf(Objects.requireNonNull(like, "like"));
    }

    static Distribution read(Tree tree) {
        List<String> lines = tree.lines("/etc/os-release");
        if (lines.isEmpty()) {
            lines = tree.lines("/usr/lib/os-release");
        }
        Map<String, String> values = new HashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(
                        line.substring(0, equals).strip(),
                        unquote(line.substring(equals + 1).strip()));
            }
        }
        String id = values.getOrDefault("ID", "");
        List<String> like = Arrays.stream(values.getOrDefault("ID_LIKE", "").split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
        return new Distribution(id, like, values.getOrDefault("PRETTY_NAME", id), family(id, like));
    }

    private static String unquote(String value) {
        boolean quoted = value.length() >= 2
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(value.length() - 1) == value.charAt(0);
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static Family family(String id, List<String> like) {
        return Stream.concat(Stream.of(id), like.stream())
                .map(Distribution::familyOf)
                .filter(family -> family != Family.OTHER)
                .findFirst()
                .orElse(Family.OTHER);
    }

    private static Family familyOf(String id) {
        return switch (id) {
            case "debian", "ubuntu" -> Family.DEBIAN;
            case "rhel", "fedora", "centos", "rocky", "almalinux", "ol", "amzn" -> Family.RHEL;
            case "suse", "sles", "opensuse", "opensuse-leap", "opensuse-tumbleweed" -> Family.SUSE;
            default -> Family.OTHER;
        };
    }
}
