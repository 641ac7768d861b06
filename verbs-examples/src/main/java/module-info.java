/** Programs to read and to begin with. */
module io.github.verbs4j.examples {
    requires io.github.verbs4j;

    exports io.github.verbs4j.examples;
}
