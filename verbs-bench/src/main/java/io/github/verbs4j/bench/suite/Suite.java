package io.github.verbs4j.bench.suite;

import io.github.verbs4j.Device;
import io.github.verbs4j.error.VerbsException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * {@code java -jar benchmarks.jar}: JMH with the benchmarks of this package, unless others are named. A device that is not
 * there is told once and first, and not by every benchmark.
 */
public final class Suite {
    private Suite() {}

    /**
     * Runs JMH.
     *
     * @param arguments as of JMH, {@code -h} tells them
     * @throws IOException as JMH does
     */
    public static void main(String[] arguments) throws IOException {
        CommandLineOptions options;
        try {
            options = new CommandLineOptions(arguments);
        } catch (CommandLineOptionException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        Optional<String> obstacle = obstacle(options);
        if (obstacle.isPresent()) {
            System.err.println(obstacle.get());
            System.exit(1);
        }
        Main.main(options.getIncludes().isEmpty() ? withOurs(arguments) : arguments);
    }

    /** Why the benchmarks cannot run here, if they are to run and cannot. */
    static Optional<String> obstacle(CommandLineOptions options) {
        if (onlyTells(options)) {
            return Optional.empty();
        }
        Collection<String> devices = options.getParameter("device").orElse(List.of());
        try {
            if (devices.isEmpty()) {
                Device.first();
            }
            devices.forEach(Device::named);
            return Optional.empty();
        } catch (VerbsException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static boolean onlyTells(CommandLineOptions options) {
        return options.shouldHelp()
                || options.shouldList()
                || options.shouldListWithParams()
                || options.shouldListProfilers()
                || options.shouldListResultFormats();
    }

    private static String[] withOurs(String[] arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = Suite.class.getPackageName().replace(".", "\\.") + "\\.";
        return all;
    }
}
