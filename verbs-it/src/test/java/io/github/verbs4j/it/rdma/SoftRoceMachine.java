package io.github.verbs4j.it.rdma;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A test that needs root and changes the machine, so that it runs in the throw-away one only. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SoftRoceMachine.Condition.class)
public @interface SoftRoceMachine {
    /** Asks where we are. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Rdma.isSoftRoceMachine()) {
                return ConditionEvaluationResult.enabled("in the Soft-RoCE machine");
            }
            String reason =
                    "it changes limits or namespaces of the machine, which only the Soft-RoCE machine may suffer";
            AllowedSkips.require(context, reason);
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
