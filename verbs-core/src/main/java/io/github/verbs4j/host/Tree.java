package io.github.verbs4j.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Total reads below a root: whatever cannot be read is empty. */
record Tree(Path root) {

    Path path(String absolute) {
        return root.resolve(absolute.startsWith("/") ? absolute.substring(1) : absolute);
    }

    Optional<String> text(String absolute) {
        try {
            return Optional.of(new String(Files.readAllBytes(path(absolute)), StandardCharsets.UTF_8));
        } catch (IOException | InvalidPathException _) {
            return Optional.empty();
        }
    }

    /** The first line, stripped; empty when the file is missing or blank. */
    Optional<String> line(String absolute) {
        return text(absolute)
                .flatMap(content -> content.lines().findFirst())
                .map(String::strip)
                .filter(line -> !line.isEmpty());
    }

    List<String> lines(String absolute) {
        return text(absolute).map(content -> content.lines().toList()).orElse(List.of());
    }

    OptionalLong number(String absolute) {
        return line(absolute).map(Tree::parse).orElse(OptionalLong.empty());
    }

    boolean exists(String absolute) {
        try {
            return Files.exists(path(absolute));
        } catch (InvalidPathException _) {
            return false;
        }
    }

    /** The names in a directory, sorted. */
    List<String> names(String absolute) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(absolute))) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException | InvalidPathException _) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    /** The last name in the target of a symbolic link. */
    Optional<String> linkName(String absolute) {
        try {
            return Optional.of(
                    Files.readSymbolicLink(path(absolute)).getFileName().toString());
        } catch (IOException | InvalidPathException | UnsupportedOperationException _) {
            return Optional.empty();
        }
    }

    static OptionalLong parse(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text.strip()));
        } catch (NumberFormatException _) {
            return OptionalLong.empty();
        }
    }
}
