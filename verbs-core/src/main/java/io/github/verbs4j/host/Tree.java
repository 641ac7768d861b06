package io.github.verbs4j.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
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

    /** Far longer than any file that we look for: a device in its place, say, has no end. */
    private static final int LONGEST = 1 << 26;

    Path path(String absolute) {
        return root.resolve(absolute.startsWith("/") ? absolute.substring(1) : absolute);
    }

    Optional<String> text(String absolute) {
        return text(absolute, StandardCharsets.UTF_8);
    }

    Optional<String> text(String absolute, Charset charset) {
        try {
            return Optional.of(new String(read(path(absolute)), charset));
        } catch (IOException | InvalidPathException _) {
            return Optional.empty();
        }
    }

    /**
     * In large pieces: the kernel's numbers (/proc/sys) claim a size of 0 and end behind the first read, however short it
     * was, so that Files.readAllBytes gets their first digit only.
     */
    private static byte[] read(Path file) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] piece = new byte[1 << 16];
            for (int count = in.read(piece); count >= 0 && content.size() < LONGEST; count = in.read(piece)) {
                content.write(piece, 0, count);
            }
        }
        return content.toByteArray();
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
