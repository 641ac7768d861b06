package io.github.verbs4j.bench;

import io.github.verbs4j.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a measurement was made on.
 *
 * @param processor its model
 * @param processors how many there are
 * @param kernel its release
 * @param rdmaCore version of the user-space libraries
 * @param java version of the virtual machine
 * @param compiler gcc and its version
 */
public record Machine(String processor, int processors, String kernel, String rdmaCore, String java, String compiler) {
    private static final String UNKNOWN = "unknown";
    private static final Pattern PROCESSOR = Pattern.compile("model name\\s*: (.*)");
    /** rdma-core writes its version into the file name of the library. */
    private static final Pattern LIBRARY = Pattern.compile(".*/libibverbs\\.so\\.1\\.\\d+\\.([0-9.]+)");

    /** {@return this machine} A device must have been opened: the library that this process has mapped tells its version. */
    public static Machine local() {
        return new Machine(
                firstMatch("/proc/cpuinfo", PROCESSOR).orElse(System.getProperty("os.arch")),
                Runtime.getRuntime().availableProcessors(),
                Host.local().kernelRelease().orElse(UNKNOWN),
                firstMatch("/proc/self/maps", LIBRARY).orElse(UNKNOWN),
                Runtime.version().toString(),
                compilerVersion());
    }

    private static Optional<String> firstMatch(String file, Pattern pattern) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.map(pattern::matcher)
                    .filter(Matcher::matches)
                    .map(match -> match.group(1))
                    .findFirst();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static String compilerVersion() {
        try {
            Process gcc = new ProcessBuilder("gcc", "--version").start();
            try (Stream<String> lines = gcc.inputReader().lines()) {
                return lines.findFirst().orElse(UNKNOWN);
            }
        } catch (IOException _) {
            return UNKNOWN;
        }
    }

    /** {@return whether the processor is emulated, which makes everything several times slower} */
    public boolean isEmulated() {
        return processor.contains("TCG");
    }

    /** {@return it in lines for people} */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("processor " + processor + ", " + processors + " of them");
        lines.add("kernel " + kernel + ", rdma-core " + rdmaCore);
        lines.add("java " + java);
        lines.add("c " + compiler);
        return lines;
    }

    /** {@return it as names and values} */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("processor", processor);
        map.put("processors", processors);
        map.put("emulated", isEmulated());
        map.put("kernel", kernel);
        map.put("rdma_core", rdmaCore);
        map.put("java", java);
        map.put("compiler", compiler);
        return map;
    }
}
