package io.github.verbs4j.testkit.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.containers.Network;

class MachineOptionTest {
    /** The machine's own list: what its help tells, and what it reads. */
    @Test
    void shouldBeTheOptionsOfTheMachine() throws IOException {
        String script = Files.readString(Path.of("..", "softroce", "lib", "options.sh"));
        Set<String> known = new TreeSet<>(MachineOption.NAMES);
        assertEquals(named("(?m)^  (--[a-z-]+) [A-Z]", script), known, "in the help");
        assertEquals(named("(?m)^ +(--[a-z-]+)\\) .*\\$2", script), known, "read with a value");
    }

    private static Set<String> named(String pattern, String script) {
        return Pattern.compile(pattern)
                .matcher(script)
                .results()
                .map((MatchResult result) -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nonsense", "--memroy", "memory", "--memory=2G", "--verbose", "--prepare", ""})
    void shouldRefuseOthersWithTheList(String option) {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class, () -> new SoftRoceContainer().withMachineOption(option, "x"));
        assertTrue(
                refusal.getMessage()
                        .startsWith(
                                "the machine has no option '" + option + "' with a value; it has --address --network "),
                refusal::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2G --verbose", "", " ", "2G\n"})
    void shouldRefuseAValueThatIsNotOneWord(String value) {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class, () -> new SoftRoceContainer().withMachineOption("--memory", value));
        assertEquals("the value of --memory is one word, without blanks, not '" + value + "'", refusal.getMessage());
    }

    @Test
    void shouldCheckAnAddressAsWithAddressDoes() {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class,
                () -> new SoftRoceContainer().withMachineOption("--address", "10.9.0.1/99"));
        assertTrue(refusal.getMessage().startsWith("address '10.9.0.1/99': "), refusal::getMessage);
    }

    @Test
    void shouldNotHaveANetworkBesidesTheCable() {
        try (Network network = Network.newNetwork();
                Pair pair = SoftRoceContainer.pair(network);
                SoftRoceContainer one = new SoftRoceContainer().withNetwork(network);
                SoftRoceContainer other = new SoftRoceContainer().withNetwork(network)) {
            String spec = "socket,listen=127.0.0.1:4711";
            one.withMachineOption("--network", spec);
            assertThrows(IllegalStateException.class, () -> pair.left().withMachineOption("--network", spec));
            assertThrows(IllegalStateException.class, () -> one.connectedTo(other));
            IllegalStateException refusal = assertThrows(IllegalStateException.class, () -> other.connectedTo(one));
            assertTrue(refusal.getMessage().startsWith("the machine's option --network and "), refusal::getMessage);
        }
    }

    @Test
    void shouldNotStartBothEndsOfACableWithOneAddress() {
        try (Network network = Network.newNetwork();
                SoftRoceContainer one = new SoftRoceContainer().withNetwork(network);
                SoftRoceContainer other = new SoftRoceContainer().withNetwork(network)) {
            one.connectedTo(other);
            assertOneAddress("10.9.0.1, fd09::1", one, other);
            one.withAddress("10.9.0.2/24");
            one.configure();
            other.withEnv("SOFTROCE_OPTIONS", "--verbose --address=10.9.0.2/16 --address FD09::7/64");
            assertOneAddress("10.9.0.2", other, one);
            one.withAddress("fd09::7/64");
            assertOneAddress("10.9.0.2, fd09::7", one, other);
            other.withEnv("SOFTROCE_OPTIONS", "--address 10.9.0.3/24");
            one.configure();
            other.configure();
        }
    }

    private static void assertOneAddress(String address, SoftRoceContainer... ends) {
        for (SoftRoceContainer end : ends) {
            assertEquals(
                    "both ends of the cable have the address " + address
                            + ": say withAddress(...) of each, as 10.9.0.1/24 and 10.9.0.2/24",
                    assertThrows(IllegalStateException.class, end::configure).getMessage());
        }
    }
}
