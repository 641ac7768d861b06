package io.github.verbs4j.testkit;

import io.github.verbs4j.error.VerbsException;

/** The device of a run, or why there is none. */
final class Choice {
    private final TestDevice device; // null: there is none
    private final VerbsException refusal; // null: there is one
    private final boolean required;

    private Choice(TestDevice device, VerbsException refusal, boolean required) {
        this.device = device;
        this.refusal = refusal;
        this.required = required;
    }

    /** Chooses, and tells what people will ask first when a test fails or was skipped. */
    static Choice announced(Settings settings) {
        Choice choice = of(settings);
        System.out.println(choice);
        return choice;
    }

    static Choice of(Settings settings) {
        boolean required = settings.isRequired();
        try {
            return new Choice(settings.device().map(TestDevice::named).orElseGet(TestDevice::first), null, required);
        } catch (VerbsException e) {
            return new Choice(null, e, required);
        }
    }

    boolean isSkipped() {
        return device == null && !required;
    }

    /** The device; the reason why there is none is thrown anew each time, so that its stack trace is that of the test. */
    TestDevice required() {
        if (device == null) {
            throw new IllegalStateException(toString(), refusal);
        }
        return device;
    }

    @Override
    public String toString() {
        return device != null
                ? "RDMA tests run on " + device
                : "RDMA tests " + (required ? "fail" : "are skipped") + ": " + refusal.getMessage()
                        + "\n  in a build: verbs-testkit brings a java that has a device, see docs/testing.md";
    }
}
