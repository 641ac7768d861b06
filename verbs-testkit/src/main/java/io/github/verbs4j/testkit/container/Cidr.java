package io.github.verbs4j.testkit.container;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** An address with the length of its prefix, as the machine gives it to {@code ip addr add}. No name is looked up. */
final class Cidr {
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,2}"); // ip reads 010 as 8
    private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]+"); // no zone, no brackets

    private Cidr() {}

    /**
     * Refuses what the machine would not take.
     *
     * @throws IllegalArgumentException with each part that is wrong, and what it may be
     */
    static void require(String text) {
        Objects.requireNonNull(text, "address");
        String[] parts = text.split("/", -1);
        boolean six = parts[0].contains(":");
        List<String> wrong = new ArrayList<>();
        if (six) {
            checkIpv6(parts[0], wrong);
        } else {
            checkIpv4(parts[0], wrong);
        }
        if (parts.length == 1) {
            wrong.add("it has no length of its prefix behind it, such as " + (six ? "/64" : "/24"));
        } else if (parts.length > 2) {
            wrong.add("it has more than one /");
        } else if (!isNumberUpTo(six ? 128 : 32, parts[1])) {
            wrong.add("the length of the prefix is a number from 0 to " + (six ? "128 with IPv6" : "32 with IPv4")
                    + ", not '" + parts[1] + "'");
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("address '" + text + "': " + String.join("; ", wrong)
                    + " (an address is as 10.9.0.2/24 or fd09::2/64)");
        }
    }

    private static void checkIpv4(String host, List<String> wrong) {
        String[] numbers = host.split("\\.", -1);
        if (numbers.length != 4) {
            wrong.add("'" + host
                    + "' is neither IPv4, four numbers with dots between, nor IPv6; a name is not looked up");
            return;
        }
        for (String number : numbers) {
            if (!isNumberUpTo(255, number)) {
                wrong.add(
                        "a number of an IPv4 address is from 0 to 255, without zeros before it, not '" + number + "'");
            }
        }
    }

    private static void checkIpv6(String host, List<String> wrong) {
        int before = wrong.size();
        for (String group : host.split(":", -1)) {
            boolean dotted = group.contains(".") && host.endsWith(":" + group); // IPv4 at the end is as well
            if (dotted) {
                checkIpv4(group, wrong);
            } else if (!group.isEmpty() && !GROUP.matcher(group).matches()) {
                wrong.add("a group of an IPv6 address is one to four hexadecimal digits, not '" + group + "'");
            }
        }
        if (wrong.size() == before && !isLiteral(host)) {
            wrong.add("an IPv6 address is eight groups, or fewer and :: once, not '" + host + "'");
        }
    }

    private static boolean isLiteral(String host) {
        try {
            InetAddress.ofLiteral(host);
            return IPV6.matcher(host).matches();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isNumberUpTo(int most, String text) {
        return NUMBER.matcher(text).matches() && Integer.parseInt(text) <= most;
    }
}
