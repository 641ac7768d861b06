package io.github.verbs4j.bench.report;

import io.github.verbs4j.bench.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page and its pictures, which are kept beside it. */
final class Report {
    private static final String PAGE = "results.md";

    private final Page page = new Page("Results");
    private final Map<String, String> pictures = new LinkedHashMap<>();

    Page page() {
        return page;
    }

    /**
     * Draws a picture and shows it on the page.
     *
     * @param name of its file, without the ending
     * @param picture what is drawn
     */
    void show(String name, Picture picture) {
        String file = name + ".svg";
        pictures.put(file, picture.svg());
        page.picture(file, picture.title());
    }

    /** {@return the files that were written, the page first} */
    List<Path> writeTo(Path directory) {
        List<Path> files = new ArrayList<>();
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new BenchFailure("cannot write the report to '" + directory + "': it is a file, not a directory");
        }
        try {
            Files.createDirectories(directory);
            files.add(Files.writeString(directory.resolve(PAGE), page.toString()));
            for (Map.Entry<String, String> picture : pictures.entrySet()) {
                files.add(Files.writeString(directory.resolve(picture.getKey()), picture.getValue()));
            }
        } catch (IOException e) {
            throw new BenchFailure("cannot write the report to '" + directory + "': " + e, e);
        }
        return files;
    }
}
