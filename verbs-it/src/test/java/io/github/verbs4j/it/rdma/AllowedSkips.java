package io.github.verbs4j.it.rdma;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * Watches over every test: a skip that is not in {@code allowed-skips.txt} is a failure. That file has a test class a
 * line, then the reason.
 */
public final class AllowedSkips
        implements ExecutionCondition, TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    private static final String LIST = "/allowed-skips.txt";

    /** Made by JUnit. */
    public AllowedSkips() {}

    /**
     * Fails unless a test may be skipped.
     *
     * @param context of the test
     * @param reason why it would be
     */
    static void require(ExtensionContext context, String reason) {
        String test = context.getRequiredTestClass().getSimpleName();
        if (!list().lines().anyMatch(line -> line.startsWith(test + " "))) {
            throw new AssertionError(test + " would be skipped (" + reason + "), which " + LIST + " does not allow");
        }
    }

    private static String list() {
        try (InputStream list = AllowedSkips.class.getResourceAsStream(LIST)) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(LIST + " cannot be read", e);
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<Disabled> disabled = AnnotationSupport.findAnnotation(context.getElement(), Disabled.class);
        disabled.ifPresent(annotation -> require(context, annotation.value()));
        return ConditionEvaluationResult.enabled("not disabled");
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        check(context, thrown);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        check(context, thrown);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        check(context, thrown);
    }

    private static void check(ExtensionContext context, Throwable thrown) throws Throwable {
        if (thrown instanceof TestAbortedException) {
            require(context, thrown.getMessage());
        }
        throw thrown;
    }
}
