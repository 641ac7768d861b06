package io.github.verbs4j.doctor;

/** How much a finding matters. */
public enum Severity {
    /** Worth knowing; nothing is wrong. */
    INFO,
    /** It works, but not as well, or not as much, as it could. */
    WARNING,
    /** It does not work: the machine is not fit. */
    ERROR
}
