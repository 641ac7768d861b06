package io.github.verbs4j.error;

import io.github.verbs4j.host.Host;

/** Libraries that are not there. */
final class LibraryExplanations {
    private LibraryExplanations() {}

    static Explanation missing(Host host, String soname, String details) {
        return Explanation.NONE;
    }
}
