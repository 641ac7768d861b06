/** An RDMA device for tests: a JUnit 5 extension over {@link io.github.verbs4j}. */
module io.github.verbs4j.testkit {
    requires transitive io.github.verbs4j;
    requires transitive org.junit.jupiter.api;

    exports io.github.verbs4j.testkit;
}
