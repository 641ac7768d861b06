package io.github.verbs4j.testkit.container;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

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
}
