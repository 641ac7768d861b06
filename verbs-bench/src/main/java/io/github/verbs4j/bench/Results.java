package io.github.verbs4j.bench;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Where results are kept for {@code ./verbs bench report}: a JSON file for each command. An option group of the commands. */
public final class Results {
    private static final JSON WRITER = JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT);

    @Option(
            names = "--results",
            paramLabel = "DIRECTORY",
            converter = DirectoryName.class,
            defaultValue = "${sys:io.github.verbs4j.bench.results}",
            description =
                    "Keep the results there too, for 'bench report'. Default of ./verbs: target/bench, if the whole is measured.")
    private Path directory;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Nothing is kept unless the option is given. */
    public Results() {}

    /**
     * {@return the JSON text of a result}
     *
     * @param result names and values
     */
    public static String json(Map<String, Object> result) {
        try {
            return WRITER.asString(result);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes the directory, so that a long measurement does not end with a path that cannot be written.
     *
     * @throws BenchFailure if it cannot be made
     */
    public void prepare() {
        if (directory == null) {
            return;
        }
        try {
            Files.createDirectories(directory);
            if (!Files.isWritable(directory)) {
                throw new AccessDeniedException(directory.toString());
            }
        } catch (IOException e) {
            throw new BenchFailure("no results can be kept in '" + directory + "' (--results): " + e, e);
        }
    }

    /**
     * Keeps a result, if it is to be kept: one that shows less than the report does would replace it there, so it is kept only where
     * {@code --results} asks for it.
     *
     * @param name of the command
     * @param result names and values
     * @param narrowing options of the command that make it measure something else than the report shows
     */
    public void keep(String name, Map<String, Object> result, String... narrowing) {
        if (directory == null) {
            return;
        }
        ParseResult given = command.commandLine().getParseResult();
        Optional<String> narrowed =
                Stream.of(narrowing).filter(given::hasMatchedOption).findFirst();
        if (narrowed.isPresent() && !given.hasMatchedOption("--results")) {
            PrintWriter err = command.commandLine().getErr();
            err.println("not kept for the report, because of " + narrowed.get() + "; --results DIRECTORY keeps it");
            err.flush();
            return;
        }
        Path file = directory.resolve(name + ".json");
        try {
            Files.writeString(file, json(result) + "\n");
        } catch (IOException e) {
            throw new BenchFailure("cannot keep the results in " + file + ": " + e, e);
        }
    }
}
