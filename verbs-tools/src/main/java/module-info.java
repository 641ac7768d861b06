/** Command line tools over {@link io.github.verbs4j}: devices, devinfo, doctor, counters, pingpong, rping, cmtime, trace, demo. */
@SuppressWarnings("requires-automatic") // HdrHistogram has no module descriptor
module io.github.verbs4j.tools {
    requires com.fasterxml.jackson.jr.ob;
    requires HdrHistogram;
    requires transitive info.picocli;
    requires io.github.verbs4j;
    requires jdk.jfr;

    exports io.github.verbs4j.tools;

    opens io.github.verbs4j.tools to
            info.picocli;
}
