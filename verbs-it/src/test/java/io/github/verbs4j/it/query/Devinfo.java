package io.github.verbs4j.it.query;

import io.github.verbs4j.it.rdma.Rdma;
import io.github.verbs4j.it.rdma.Shell;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code ibv_devinfo -v} of rdma-core says of the device and the port. */
final class Devinfo {
    private final String text;

    Devinfo() {
        text = Shell.output("ibv_devinfo", "-v", "-d", Rdma.device().name(), "-i", Integer.toString(Rdma.port()));
    }

    /** The first word of a line. */
    String word(String name) {
        Matcher matcher = Pattern.compile("(?m)^\\s*" + name + ":\\s+(\\S+)").matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("ibv_devinfo does not tell " + name + ":\n" + text);
        }
        return matcher.group(1);
    }

    /** A number, decimal or hexadecimal. */
    long number(String name) {
        String word = word(name);
        return word.startsWith("0x") ? Long.parseUnsignedLong(word.substring(2), 16) : Long.parseLong(word);
    }

    /** A GUID. */
    long guid(String name) {
        return Long.parseUnsignedLong(word(name).replace(":", ""), 16);
    }

    /** The number in brackets behind a word. */
    int code(String name) {
        Matcher matcher =
                Pattern.compile("(?m)^\\s*" + name + ":\\s+.*\\((\\d+)\\)$").matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("ibv_devinfo does not tell the number of " + name + ":\n" + text);
        }
        return Integer.parseInt(matcher.group(1));
    }
}
