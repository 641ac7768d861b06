package io.github.verbs4j.testkit.container;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Options of the machine that take a value. A test holds them against {@code softroce/lib/options.sh}. */
final class MachineOption {
    static final String ADDRESS = "--address";
    static final String MEMLOCK = "--memlock";
    static final String NETWORK = "--network";

    static final List<String> NAMES = List.of(
            ADDRESS,
            NETWORK,
            MEMLOCK,
            "--cpus",
            "--memory",
            "--numa",
            "--kernel",
            "--root",
            "--accelerator",
            "--writable",
            "--readable",
            "--disk",
            "--user",
            "--timeout",
            "--boot-timeout");

    /** What the machine takes if it is told no address. */
    private static final Set<String> USUAL_ADDRESSES = Set.of("10.9.0.1", "fd09::1");

    private static final Pattern ADDRESS_GIVEN = Pattern.compile("(?<!\\S)" + ADDRESS + "[=\\s]\\s*([^\\s/]+)");
    private static final Pattern WORD = Pattern.compile("\\S+");

    private MachineOption() {}

    /** Refuses what the machine would refuse or, where there is a blank in it, take for something else. */
    static void require(String option, String value) {
        Objects.requireNonNull(option, "option");
        Objects.requireNonNull(value, "value");
        if (!NAMES.contains(option)) {
            throw new IllegalArgumentException("the machine has no option '" + option + "' with a value; it has "
                    + String.join(" ", NAMES) + "; one without a value, as --verbose, is said by withEnv(\""
                    + SoftRoceContainer.OPTIONS + "\", ...)");
        }
        if (!WORD.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "the value of " + option + " is one word, without blanks, not '" + value + "'");
        }
        if (option.equals(ADDRESS)) {
            Cidr.require(value);
        }
    }

    /** The addresses of a machine with these options, without the lengths of their prefixes. */
    static Set<String> addresses(String options) {
        Set<String> given = ADDRESS_GIVEN
                .matcher(options)
                .results()
                .map(found -> found.group(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        return given.isEmpty() ? USUAL_ADDRESSES : given;
    }
}
