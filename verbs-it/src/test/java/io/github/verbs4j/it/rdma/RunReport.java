package io.github.verbs4j.it.rdma;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Prints what the tests run on, once, and how many there were. */
public final class RunReport implements TestExecutionListener {
    private final int[] counts = new int[TestExecutionResult.Status.values().length];
    private final List<String> skips = new ArrayList<>();
    private long start;

    /** Made by JUnit. */
    public RunReport() {}

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        start = System.nanoTime();
        try {
            System.out.println("Integration tests on " + Rdma.describe());
        } catch (RuntimeException e) {
            System.out.println("Integration tests have no device: " + e.getMessage());
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skips.add(test.getDisplayName() + ": " + reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            skips.add(test.getDisplayName() + ": "
                    + result.getThrowable().map(Throwable::getMessage).orElse("no reason"));
        } else if (test.isTest() || result.getStatus() == TestExecutionResult.Status.FAILED) {
            counts[result.getStatus().ordinal()]++;
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        System.out.println("Integration tests: " + counts[TestExecutionResult.Status.SUCCESSFUL.ordinal()] + " passed, "
                + counts[TestExecutionResult.Status.FAILED.ordinal()] + " failed, " + skips.size() + " skipped, in "
                + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + " s");
        skips.forEach(skip -> System.out.println("  skipped " + skip));
    }
}
