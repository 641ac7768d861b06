package io.github.verbs4j.bench;

import io.github.verbs4j.bench.build.CProgram;
import io.github.verbs4j.host.Host;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a result was measured on. */
public final class Environment {
    private Environment() {}

    /** {@return names and values, in the order in which they are shown} */
    public static Map<String, Object> describe() {
        Map<String, Object> environment = new LinkedHashMap<>();
        environment.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        environment.put("processor", processor());
        environment.put("kernel", Host.local().kernelRelease().orElse("unknown"));
        environment.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
        environment.put("gcc", firstLine("gcc", "--version") + ", " + CProgram.FLAGS);
        return environment;
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                            .filter(line -> line.startsWith("model name"))
                            .map(line -> line.substring(line.indexOf(':') + 1).strip())
                            .findFirst()
                            .orElse(System.getProperty("os.arch"))
                    + ", " + Runtime.getRuntime().availableProcessors() + " in use";
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static String firstLine(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().findFirst().orElse("unknown");
        } catch (IOException e) {
            return "not installed";
        }
    }
}
