package io.github.verbs4j.testkit;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What was asked for, in JUnit's configuration or else in the environment. What is blank was not asked for. */
final class Settings {
    private final Function<String, Optional<String>> configuration;
    private final Function<String, Optional<String>> environment;

    Settings(ExtensionContext context) {
        Objects.requireNonNull(context, "context");
        this(context::getConfigurationParameter, name -> Optional.ofNullable(System.getenv(name)));
    }

    Settings(Function<String, Optional<String>> configuration, Function<String, Optional<String>> environment) {
        this.configuration = Objects.requireNonNull(configuration, "configuration");
        this.environment = Objects.requireNonNull(environment, "environment");
    }

    /** The name of the device. */
    Optional<String> device() {
        return value("verbs.device", "VERBS_DEVICE");
    }

    /** Whether tests fail where there is no device. Who names one does not want to hear nothing when it is not there. */
    boolean isRequired() {
        return value("verbs.required", "VERBS_REQUIRED").map(Settings::truth).orElse(device().isPresent());
    }

    private Optional<String> value(String parameter, String variable) {
        return given(configuration, parameter).or(() -> given(environment, variable));
    }

    private static Optional<String> given(Function<String, Optional<String>> source, String name) {
        return source.apply(name).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new IllegalArgumentException("verbs.required (or the variable VERBS_REQUIRED) is '" + text
                        + "': say true, to fail where there is no RDMA device, or false, to skip");
        };
    }
}
