package io.github.verbs4j.testkit;

import io.github.verbs4j.error.VerbsException;
import java.util.Objects;

/** The device of a run, or why there is none. */
final class Choice {
    private static final String BUILD =
            "\n  in a build: verbs-testkit brings a java that has a device, see Verbs4J's docs/testing.md";

    /** What is wrong is the machine, not a line of code, and dozens of frames would bury what to do about it. */
    private static final StackTraceElement[] NO_FRAMES = {};

    private final String wanted;
    private final TestDevice device; // null: there is none
    private final VerbsException refusal; // null: there is one
    private final boolean required;

    private Choice(String wanted, TestDevice device, VerbsException refusal, boolean required) {
        this.wanted = wanted;
        this.device = device;
        this.refusal = refusal;
        this.required = required;
    }

    /** Chooses, and tells what people ask first when a test fails or was skipped. */
    static Choice announced(Settings settings) {
        Choice choice = of(settings);
        if (choice.device != null || choice.isSkipped()) { // else the failures tell it
            System.out.println(choice);
        }
        return choice;
    }

    static Choice of(Settings settings) {
        Objects.requireNonNull(settings, "settings");
        boolean required = settings.isRequired();
        String wanted = settings.device()
                .map(name -> "the RDMA device " + name + " (verbs.device)")
                .orElse("an RDMA device");
        try {
            return new Choice(
                    wanted, settings.device().map(TestDevice::named).orElseGet(TestDevice::first), null, required);
        } catch (VerbsException e) {
            e.setStackTrace(NO_FRAMES);
            return new Choice(wanted, null, e, required);
        }
    }

    boolean isSkipped() {
        return device == null && !required;
    }

    /** The device; the exception is made anew each time, as JUnit may add to it what fails after it. */
    TestDevice required() {
        if (device == null) {
            IllegalStateException failure = new IllegalStateException(toString(), refusal);
            failure.setStackTrace(NO_FRAMES);
            throw failure;
        }
        return device;
    }

    /** In one line where the exception has the whole reason as its cause. */
    @Override
    public String toString() {
        if (device != null) {
            return "RDMA tests run on " + device;
        }
        return required
                ? "tests require " + wanted + ": " + refusal.likelyCause().orElse("there is none") + BUILD
                : "RDMA tests are skipped: " + refusal.getMessage() + BUILD;
    }
}
