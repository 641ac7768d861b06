package io.github.verbs4j.testkit;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What {@link RequiresRdma} does. Made by JUnit; it keeps what it knows in JUnit's store. */
public final class RdmaExtension
        implements ExecutionCondition, BeforeAllCallback, BeforeEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(RdmaExtension.class);

    private static final Map<Class<?>, Function<ExtensionContext, Object>> PARAMETERS = Map.of(
            TestDevice.class, RdmaExtension::device,
            Device.class, context -> device(context).device(),
            GidEntry.class, context -> device(context).gid(),
            Gid.class, context -> device(context).gid().gid(),
            DeviceContext.class, RdmaExtension::open);

    /** Made by JUnit. */
    public RdmaExtension() {}

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Objects.requireNonNull(context, "context");
        Choice choice = choice(context);
        return choice.isSkipped()
                ? ConditionEvaluationResult.disabled(choice.toString())
                : ConditionEvaluationResult.enabled(choice.toString());
    }

    // A condition that throws would hide the reason behind JUnit's own words, so what is required is required here.

    @Override
    public void beforeAll(ExtensionContext context) {
        Objects.requireNonNull(context, "context");
        device(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Objects.requireNonNull(context, "context");
        device(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Objects.requireNonNull(parameter, "parameter");
        Objects.requireNonNull(context, "context");
        return PARAMETERS.containsKey(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Objects.requireNonNull(parameter, "parameter");
        Objects.requireNonNull(context, "context");
        return PARAMETERS.get(parameter.getParameter().getType()).apply(context);
    }

    private static Choice choice(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(Choice.class, key -> Choice.announced(new Settings(context)), Choice.class);
    }

    private static TestDevice device(ExtensionContext context) {
        return choice(context).required();
    }

    /** A test finds what its class has open. */
    private static DeviceContext open(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        Opened.class, key -> new Opened(device(context).device().open()), Opened.class)
                .context();
    }

    /**
     * Closed by JUnit's store with the test or class that it was opened for: after all callbacks, so after what
     * {@code @AutoClose} closes. JUnit before 5.13 closes a {@code CloseableResource} only, later ones want an
     * {@code AutoCloseable}.
     */
    @SuppressWarnings("deprecation") // CloseableResource, since 5.13
    private record Opened(DeviceContext context) implements CloseableResource, AutoCloseable {
        @Override
        public void close() {
            context.close();
        }
    }
}
