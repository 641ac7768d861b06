package io.github.verbs4j;

import io.github.verbs4j.fake.FakeVerbs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another virtual machine with our classes, for what ends one or may hang it: it is watched from here. */
final class ChildJvm {
    private static final int MINUTES = 2;
    private static final int DUMP_SECONDS = 5;

    /**
     * What it did.
     *
     * @param status exit status
     * @param output both streams
     */
    record Result(int status, String output) {}

    private ChildJvm() {}

    /** Runs a program that has a main method; one that does not end is killed, and the test fails with its threads. */
    static Result run(List<String> options, Class<?> program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                // if it stands still, it names the thread that is to blame
                "-XX:+SafepointTimeout",
                "-D" + FakeVerbs.LIBRARY_PROPERTY + "=" + System.getProperty(FakeVerbs.LIBRARY_PROPERTY),
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(program.getName());
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("child", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                kill(process);
                throw new AssertionError(program.getSimpleName() + " did not end in " + MINUTES + " minutes; it said:\n"
                        + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }

    /** Asks for a dump of its threads, which one that hangs may not be able to give, and ends it. */
    private static void kill(Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                .start()
                .waitFor();
        process.waitFor(DUMP_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
    }
}
