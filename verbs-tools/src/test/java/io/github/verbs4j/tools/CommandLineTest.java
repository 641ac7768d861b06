package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no device. */
class CommandLineTest {
    @ParameterizedTest
    @ValueSource(strings = {"--version", "doctor --help"})
    void shouldNotSaySuccessIfNobodyGotTheOutput(String arguments, @TempDir Path directory) throws Exception {
        Path errors = directory.resolve("errors");
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments.split(" ")));

        int status = new ProcessBuilder(command)
                .redirectOutput(new File("/dev/full"))
                .redirectError(errors.toFile())
                .start()
                .waitFor();

        assertEquals(1, status);
        assertTrue(Files.readString(errors).contains("standard output could not be written"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "frobnicate",
                "--frobnicate",
                "devices extra",
                "devinfo --frobnicate",
                "devinfo -i one",
                "devinfo -d",
                "pingpong",
                "pingpong xx",
                "pingpong rc -s big",
                "pingpong rc -n 1.5",
                "pingpong rc one two",
                "demo -g x",
                "pingpong rc -s 0",
                "pingpong rc -s -1",
                "pingpong rc -n 0",
                "pingpong rc -r 0",
                "pingpong rc -m 1000",
                "pingpong rc -i 0",
                "pingpong rc -p 65536",
                "pingpong rc -p 0 server",
                "pingpong rc --patience 0",
                "pingpong uc -m 1000",
                "pingpong uc -q 2",
                "pingpong ud -s 0",
                "pingpong ud -m 1024",
                "pingpong srq -q 0",
                "pingpong srq -q 257",
                "pingpong srq -q 5 -r 4",
                "pingpong srq --validate",
                "devinfo -i 0",
                "doctor extra",
                "doctor --bytes",
                "doctor --bytes 0",
                "doctor --bytes -1",
                "doctor --bytes many",
                "doctor --bytes 99999999t",
                "doctor --device",
                "doctor --device=",
                "devinfo -d=",
                "counters -d=",
                "pingpong rc -d=",
                "demo -d=",
                "demo -i 0",
                "demo -i -1",
                "demo -g -1",
                "pingpong rc -g -1",
                "pingpong uc -g -1",
                "pingpong ud -g -1",
                "pingpong srq -g -1",
                "pingpong rc -i -1",
                "pingpong rc -n -1",
                "pingpong rc -r -1",
                "pingpong rc -p -1",
                "pingpong rc -m -1",
                "pingpong rc --patience -1",
                "pingpong rc --wait -1",
                "pingpong srq -q -1",
                "devinfo -i -1",
                "devinfo -i 256",
                "counters -i -1",
                "counters --watch -1",
                "counters --watch 1 --times -1",
                "rping -s -p -1",
                "rping -s -S -1",
                "rping -s --patience -1",
                "rping -s --wait -1",
                "cmtime -c -1",
                "cmtime -p -1",
                "cmtime -t -1",
                "cmtime --patience -1",
                "rping -s -a=",
                "rping -c -a=",
                "rping -c -a 10.9.0.1 -I=",
                "cmtime -s=",
                "cmtime -b=",
                "cmtime -s 10.9.0.1 -b=",
                "doctor --json --quiet",
                "counters -i 0",
                "counters --watch 0",
                "counters --times 2",
                "counters --watch 1 --times 0",
                "counters --watch 1 --json",
                "counters extra",
                "rping",
                "rping -s -c -a 10.9.0.1",
                "rping -c",
                "rping -c -a 10.9.0.1 -P",
                "rping -c -a 10.9.0.1 -p 0",
                "rping -s -p 65536",
                "rping -s -S 25",
                "rping -s -S 65536",
                "rping -s -C -1",
                "rping -s --patience 0",
                "rping -s extra",
                "rping -s -I 10.9.0.1",
                "cmtime -c 0",
                "cmtime -p 65536",
                "cmtime -s 10.9.0.1 -c 0",
                "cmtime -s 10.9.0.1 -p 0",
                "cmtime -t 0",
                "trace",
                "trace one.jfr two.jfr",
                "trace --frobnicate one.jfr",
            })
    void wrongUsageIsOneLineAndStatus2(String line) {
        Run run = Run.of(line.isEmpty() ? new String[0] : line.split(" "));
        assertEquals(2, run.status());
        assertEquals("", run.out());
        assertTrue(run.reason().startsWith("verbs"), run.err());
        assertTrue(run.reason().endsWith("--help'"), run.err());
    }

    /** Java takes an empty name for this machine: 127.0.0.1. */
    @ParameterizedTest
    @CsvSource({
        "pingpong rc, HOST",
        "pingpong uc, HOST",
        "pingpong ud, HOST",
        "pingpong srq, HOST",
        "rping -c -a, -a",
        "rping -s -a, -a",
        "rping -c -a 10.9.0.1 -I, -I",
        "cmtime -s, -s",
        "cmtime -b, -b"
    })
    void noHostIsNotThisMachine(String line, String option) {
        for (String host : List.of("", "  ")) {
            List<String> command = new ArrayList<>(List.of(line.split(" ")));
            command.add(host);
            Run run = Run.of(command.toArray(String[]::new));
            assertEquals(2, run.status(), run.err());
            assertTrue(run.reason().contains(option), run.err());
            assertTrue(run.reason().contains("'" + host + "' is no name or IP address of a host;"), run.err());
        }
    }

    /** C's ping-pongs take -1 for no GID. */
    @Test
    void whoAsksForNoGidIsToldWhatTheOptionTakes() {
        String reason = "GID index (-g) -1: rows of the GID table are counted from 0, see devinfo; there is no RoCE"
                + " without a GID, and without -g it is the preferred one";
        assertEquals(
                "verbs pingpong rc: " + reason + "; see 'verbs pingpong rc --help'",
                Run.of("pingpong", "rc", "-g", "-1").reason());
        assertEquals(
                "verbs demo: " + reason + "; see 'verbs demo --help'",
                Run.of("demo", "--check-usage", "-g", "-1").reason());
    }

    @Test
    void aWrongNameIsAnsweredWithTheRightOnes() {
        assertEquals(
                "verbs: there is no command 'frobnicate' (devices, devinfo, doctor, counters, pingpong, rping, cmtime, trace, demo); see 'verbs --help'",
                Run.of("frobnicate").reason());
        assertEquals(
                "verbs pingpong: there is no transport 'xx' (rc, uc, ud, srq); see 'verbs pingpong --help'",
                Run.of("pingpong", "xx").reason());
    }

    @Test
    void everyCommandHasHelp() {
        for (List<String> command : List.of(
                List.<String>of(),
                List.of("devices"),
                List.of("devinfo"),
                List.of("doctor"),
                List.of("counters"),
                List.of("pingpong", "rc"),
                List.of("pingpong", "uc"),
                List.of("pingpong", "ud"),
                List.of("pingpong", "srq"),
                List.of("rping"),
                List.of("cmtime"),
                List.of("trace"),
                List.of("demo"))) {
            List<String> line = new java.util.ArrayList<>(command);
            line.add("--help");
            Run run = Run.of(line.toArray(String[]::new));
            assertEquals(0, run.status(), run.err());
            assertTrue(run.out().contains("Usage: verbs"), run.out());
            assertTrue(run.out().contains("Exit status"), run.out());
            assertFalse(run.out().contains("demo-peer"), run.out());
        }
    }

    @ParameterizedTest
    @CsvSource({"rc, 4096", "uc, 4096", "ud, 1024", "srq, 4096"})
    void messagesAreAsLongAsThoseOfTheCProgram(String transport, int size) {
        Run run = Run.of("pingpong", transport, "--help");
        assertTrue(run.out().contains("Size of a message (default: " + size + ")"), run.out());
    }

    /** {@code -V} validates, as in the C program, and is not the version there. */
    @Test
    void rpingTellsWhatItLacksBeforeItStarts() {
        assertEquals(
                "verbs rping: a client (-c) needs the server's address (-a); see 'verbs rping --help'",
                Run.of("rping", "-c", "-V").reason());
    }

    @Test
    void aNameWithoutAnAddressIsTold() {
        Run run = Run.of("rping", "-c", "-a", "no-such-host.invalid");
        assertEquals(1, run.status());
        assertEquals("verbs rping: unknown host: no-such-host.invalid", run.reason());
    }

    @Test
    void theVersionNamesProductAndJava() {
        Run run = Run.of("--version");
        assertEquals(0, run.status());
        assertTrue(run.out().startsWith("Verbs4J "), run.out());
        assertTrue(run.out().contains("Java " + Runtime.version()), run.out());
    }
}
