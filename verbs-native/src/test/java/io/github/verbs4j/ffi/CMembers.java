package io.github.verbs4j.ffi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The members of C's structs, as the compiler describes them to a debugger. */
final class CMembers {
    private static final Pattern ENTRY =
            Pattern.compile(" <(\\d+)><([0-9a-f]+)>: Abbrev Number: \\d+ \\(DW_TAG_(\\w+)\\)");
    private static final Pattern ATTRIBUTE = Pattern.compile("    <[0-9a-f]+>\\s+DW_AT_(\\w+)\\s*: (.*)");

    private final Map<String, Entry> byAddress = new HashMap<>();

    private CMembers() {}

    /** The debugger's view of all headers. */
    static CMembers ofHeaders() {
        Path source = CNumbers.write("members", List.of());
        CMembers members = new CMembers();
        members.read(CCompiler.host().debugEntries(source));
        return members;
    }

    /** Every named member of the struct or union, with the nested ones as paths; bit fields are marked. */
    List<String> of(String name) {
        for (Entry entry : byAddress.values()) {
            if (entry.isGroup() && name.equals(entry.name()) && !entry.members.isEmpty()) {
                List<String> paths = new ArrayList<>();
                collect(entry, "", paths);
                return paths;
            }
            if (entry.tag.equals("typedef") && name.equals(entry.name())) {
                Entry group = byAddress.get(entry.attributes.get("type"));
                if (group != null && group.isGroup()) {
                    List<String> paths = new ArrayList<>();
                    collect(group, "", paths);
                    return paths;
                }
            }
        }
        throw new AssertionError("C has no struct " + name);
    }

    private void collect(Entry group, String path, List<String> paths) {
        for (Entry member : group.members) {
            Entry type = byAddress.get(member.attributes.get("type"));
            boolean inner = type != null && type.isGroup() && type.name() == null;
            if (member.name() == null) {
                collect(type, path, paths);
                continue;
            }
            String bits = member.attributes.containsKey("bit_size") ? ":" + member.attributes.get("bit_size") : "";
            paths.add(path + member.name() + bits);
            if (inner) {
                collect(type, path + member.name() + ".", paths);
            }
        }
    }

    private void read(String text) {
        List<Entry> open = new ArrayList<>();
        Entry current = null;
        for (String line : text.lines().toList()) {
            Matcher entry = ENTRY.matcher(line);
            Matcher attribute = ATTRIBUTE.matcher(line);
            if (entry.matches()) {
                int depth = Integer.parseInt(entry.group(1));
                current = new Entry(entry.group(3));
                byAddress.put("<0x" + entry.group(2) + ">", current);
                while (open.size() > depth) {
                    open.removeLast();
                }
                if (current.tag.equals("member") && !open.isEmpty()) {
                    open.getLast().members.add(current);
                }
                open.add(current);
            } else if (current != null && attribute.matches()) {
                current.attributes.put(attribute.group(1), value(attribute.group(2)));
            }
        }
    }

    /** A name may be preceded by where it is kept. */
    private static String value(String text) {
        return text.replaceFirst("^\\(indirect (line )?string, offset: 0x[0-9a-f]+\\): ", "")
                .strip();
    }

    private static final class Entry {
        private final String tag;
        private final Map<String, String> attributes = new HashMap<>();
        private final List<Entry> members = new ArrayList<>();

        private Entry(String tag) {
            this.tag = tag;
        }

        private String name() {
            return attributes.get("name");
        }

        private boolean isGroup() {
            return tag.equals("structure_type") || tag.equals("union_type");
        }
    }
}
