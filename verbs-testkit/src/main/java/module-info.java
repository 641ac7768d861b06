/** An RDMA device for tests: a JUnit 5 extension over {@link io.github.verbs4j}. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Testcontainers has no module descriptors
module io.github.verbs4j.testkit {
    requires transitive io.github.verbs4j;
    requires transitive org.junit.jupiter.api;
    requires static com.fasterxml.jackson.annotation; // of Docker's classes
    requires static transitive com.github.dockerjava.api;
    requires static transitive testcontainers;

    exports io.github.verbs4j.testkit;
    exports io.github.verbs4j.testkit.container;
}
