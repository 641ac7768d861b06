package io.github.verbs4j.testkit;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.error.VerbsException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** {@link RequiresRdma}, over the fake libibverbs. */
class RequiresRdmaTest {
    private static final List<Object> given = new ArrayList<>();

    private final PrintStream console = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void setUp() throws Throwable {
        FakeMachine.withDevices(1);
        given.clear();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void everythingIsClosed() throws Throwable {
        System.setOut(console);
        assertEquals(0, FakeMachine.openContexts());
    }

    // ---- a machine with a device ----

    @RequiresRdma
    static class Parameters {
        @Test
        void all(TestDevice chosen, Device device, DeviceContext context, GidEntry entry, Gid gid) {
            given.addAll(List.of(chosen, device, context, entry, gid));
            assertEquals(1, context.gids(chosen.port()).preferred().port(), "open");
        }

        @Test
        void none() {}
    }

    @Test
    void shouldGiveDeviceAndAddress() {
        run(Parameters.class, "").testEvents().assertStatistics(tests -> tests.succeeded(2));

        TestDevice chosen = (TestDevice) given.getFirst();
        assertAll(
                () -> assertEquals("fake0", chosen.device().name()),
                () -> assertEquals("::ffff:10.9.0.1", chosen.gid().gid().toString()),
                () -> assertEquals(1, chosen.port()),
                () -> assertEquals(chosen.device(), given.get(1)),
                () -> assertEquals(chosen.device(), ((DeviceContext) given.get(2)).device()),
                () -> assertEquals(chosen.gid(), given.get(3)),
                () -> assertEquals(chosen.gid().gid(), given.get(4)));
    }

    @Test
    void shouldTellTheDeviceOnce() {
        run(Parameters.class, "");

        assertEquals(
                List.of("RDMA tests run on fake0, GID ::ffff:10.9.0.1 (ROCE_V2, index 1 of port 1)"),
                printed.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @RequiresRdma
    static class Shared {
        @BeforeAll
        static void open(DeviceContext context) {
            given.add(context);
        }

        @Test
        void one(DeviceContext context) {
            given.add(context);
        }

        @Test
        void other(DeviceContext context) {
            given.add(context);
        }

        @AfterAll
        static void stillOpen(DeviceContext context) {
            context.allocateProtectionDomain().close();
        }
    }

    @Test
    void shouldKeepOpenForTheClassWhatItWasGiven() {
        EngineExecutionResults results = run(Shared.class, "");

        results.testEvents().assertStatistics(tests -> tests.succeeded(2));
        results.containerEvents().assertStatistics(classes -> classes.failed(0));
        assertEquals(1, given.stream().distinct().count());
    }

    @RequiresRdma
    static class Outer {
        Outer(DeviceContext context) {
            given.add(context);
        }

        @Nested
        class Inner {
            @Test
            void one(DeviceContext context) {
                given.add(context);
            }

            @Test
            void other(DeviceContext context) {
                given.add(context);
            }
        }
    }

    @Test
    void shouldShareWithNestedClassesWhatTheConstructorWasGiven() {
        run(Outer.class, "").testEvents().assertStatistics(tests -> tests.succeeded(2));

        assertEquals(4, given.size());
        assertEquals(1, given.stream().distinct().count());
    }

    @RequiresRdma
    static class Separate {
        @Test
        void one(DeviceContext context) {
            given.add(context);
        }

        @Test
        void other(DeviceContext context) {
            given.add(context);
        }
    }

    @Test
    void shouldOpenAnewForEachTest() {
        run(Separate.class, "").testEvents().assertStatistics(tests -> tests.succeeded(2));

        assertEquals(2, given.stream().distinct().count());
    }

    @RequiresRdma
    static class Forgetful {
        @Test
        void leavesADomain(DeviceContext context) {
            given.add(context);
            given.add(context.allocateProtectionDomain());
        }
    }

    @Test
    void shouldFailTestsThatLeaveSomethingOpen() throws Exception {
        Throwable failure =
                onlyFailure(run(Forgetful.class, "").testEvents().failed().list());
        for (Object open : given.reversed()) {
            ((AutoCloseable) open).close();
        }

        assertTellsTheDomain(failure);
    }

    /** JUnit says that it failed to close, and why in the cause. */
    private static void assertTellsTheDomain(Throwable failure) {
        String reason = failure.getCause().getMessage();
        assertTrue(reason.contains("still open on it: ProtectionDomain"), reason);
    }

    @RequiresRdma
    static class ForgetfulAndWrong {
        @Test
        void leavesADomain(DeviceContext context) {
            given.add(context);
            given.add(context.allocateProtectionDomain());
            throw new AssertionError("of the test");
        }
    }

    @Test
    void shouldTellTheFailureOfTheTestBeforeWhatItLeftOpen() throws Exception {
        Throwable failure = onlyFailure(
                run(ForgetfulAndWrong.class, "").testEvents().failed().list());
        for (Object open : given.reversed()) {
            ((AutoCloseable) open).close();
        }

        assertEquals("of the test", failure.getMessage());
        assertTellsTheDomain(failure.getSuppressed()[0]);
    }

    @RequiresRdma
    static class ForgetfulClass {
        @BeforeAll
        static void leaveADomain(DeviceContext context) {
            given.add(context);
            given.add(context.allocateProtectionDomain());
        }

        @Test
        void isNotToBlame(DeviceContext context) {
            context.allocateProtectionDomain().close();
        }
    }

    @Test
    void shouldFailClassesThatLeaveSomethingOpen() throws Exception {
        EngineExecutionResults results = run(ForgetfulClass.class, "");
        for (Object open : given.reversed()) {
            ((AutoCloseable) open).close();
        }

        results.testEvents().assertStatistics(tests -> tests.succeeded(1));
        Throwable failure = onlyFailure(results.containerEvents().failed().list());
        assertTellsTheDomain(failure);
    }

    @RequiresRdma
    static class ClosedByJUnit {
        @AutoClose
        ProtectionDomain ofTheTest;

        @Test
        void one(DeviceContext context) {
            ofTheTest = context.allocateProtectionDomain();
        }

        @Test
        void other(DeviceContext context) throws Throwable {
            ofTheTest = context.allocateProtectionDomain();
            given.add(FakeMachine.openContexts());
        }
    }

    /** With a device of the class, all of them have that one. */
    static class ClosedByJUnitWithTheClass extends ClosedByJUnit {
        @AutoClose
        static ProtectionDomain ofTheClass;

        @BeforeAll
        static void open(DeviceContext context) {
            ofTheClass = context.allocateProtectionDomain();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ClosedByJUnit.class, ClosedByJUnitWithTheClass.class})
    void shouldCloseTheDeviceAfterFieldsThatJUnitCloses(Class<?> tests) {
        EngineExecutionResults results = run(tests, "");

        results.testEvents().assertStatistics(each -> each.succeeded(2));
        results.containerEvents().assertStatistics(each -> each.failed(0));
        assertEquals(List.of(1), given, "open at once");
    }

    @RequiresRdma
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class Unmade {
        Unmade(DeviceContext context) {
            given.add(context);
            throw new AssertionError("of the constructor");
        }

        @Test
        void none() {}
    }

    @Test
    void shouldCloseTheDeviceOfAConstructorThatThrows() throws Throwable {
        Throwable failure =
                onlyFailure(run(Unmade.class, "").containerEvents().failed().list());

        assertEquals("of the constructor", failure.getMessage());
        assertEquals(1, given.size());
        assertEquals(0, FakeMachine.openContexts());
    }

    // ---- the choice ----

    @Test
    void shouldUseTheDeviceThatIsNamed() throws Throwable {
        FakeMachine.withDevices(2);

        run(Parameters.class, "fake1");

        assertEquals("fake1", ((Device) given.get(1)).name());
    }

    @Test
    void shouldPassOverADeviceWithoutAnActivePort() throws Throwable {
        FakeMachine.withDevices(2);
        FakeMachine.portState(0, FakeMachine.PORT_DOWN);

        run(Parameters.class, "");

        assertEquals("fake1", ((Device) given.get(1)).name());
    }

    @Test
    void shouldFailWithTheNamesThereAre() {
        Throwable failure = onlyFailure(
                run(Parameters.class, "mlx5_7").containerEvents().failed().list());

        String reason = failure.getCause().getMessage();
        assertTrue(reason.contains("name=mlx5_7"), reason);
        assertTrue(reason.contains("use one of fake0"), reason);
    }

    // ---- a machine without ----

    static class Mixed {
        @Test
        @RequiresRdma
        void needsADevice(DeviceContext context) {
            given.add(context);
        }

        @Test
        void needsNone() {}
    }

    @Test
    void shouldSkipWithTheReason() throws Throwable {
        FakeMachine.withDevices(0);

        EngineExecutionResults results = run(Mixed.class, "");

        results.testEvents().assertStatistics(tests -> tests.skipped(1).succeeded(1));
        String reason = results.testEvents()
                .skipped()
                .map(event -> event.getRequiredPayload(String.class))
                .findFirst()
                .orElseThrow();
        assertTrue(reason.startsWith("RDMA tests are skipped: ibv_get_device_list failed: ENODEV"), reason);
        assertTrue(reason.contains("\n  cause:    "), reason);
        assertTrue(reason.contains("\n  next:     "), reason);
        assertTrue(printed.toString(StandardCharsets.UTF_8).contains(reason), printed::toString);
    }

    @Test
    void shouldSkipAWholeClass() throws Throwable {
        FakeMachine.withDevices(0);

        EngineExecutionResults results = run(Parameters.class, "");

        results.containerEvents().assertStatistics(classes -> classes.skipped(1));
        results.testEvents().assertStatistics(tests -> tests.started(0));
    }

    @Test
    void shouldSkipWhereNoPortIsActive() throws Throwable {
        FakeMachine.portState(0, FakeMachine.PORT_DOWN);

        String reason = run(Parameters.class, "")
                .containerEvents()
                .skipped()
                .map(event -> event.getRequiredPayload(String.class))
                .findFirst()
                .orElseThrow();

        assertTrue(reason.contains("fake0: port 1 is DOWN"), reason);
    }

    @Test
    void shouldFailATestWhereADeviceIsRequired() throws Throwable {
        FakeMachine.withDevices(0);

        EngineExecutionResults results = run(Mixed.class, "", "true");

        results.testEvents().assertStatistics(tests -> tests.failed(1).succeeded(1));
        assertIsReason(onlyFailure(results.testEvents().failed().list()));
    }

    @Test
    void shouldFailAWholeClassWhereADeviceIsRequired() throws Throwable {
        FakeMachine.withDevices(0);

        assertIsReason(onlyFailure(
                run(Parameters.class, "", "true").containerEvents().failed().list()));
    }

    @Test
    void shouldNameTheDeviceThatWasNamedWhereThereIsNone() throws Throwable {
        FakeMachine.withDevices(0);

        Throwable failure = onlyFailure(run(Parameters.class, "mlx5_9", "true")
                .containerEvents()
                .failed()
                .list());

        assertTrue(
                failure.getMessage().startsWith("tests require the RDMA device mlx5_9 (verbs.device): "),
                failure::getMessage);
    }

    /** Said once: in the cause. */
    private void assertIsReason(Throwable failure) {
        assertTrue(failure.getMessage().startsWith("tests require an RDMA device: "), failure::getMessage);
        assertEquals(VerbsException.class, failure.getCause().getClass());
        assertTrue(failure.getCause().getMessage().startsWith("ibv_get_device_list failed"), failure::toString);
        assertEquals("", printed.toString(StandardCharsets.UTF_8));
        assertEquals(0, failure.getStackTrace().length + failure.getCause().getStackTrace().length, "frames");
    }

    private static EngineExecutionResults run(Class<?> tests, String device) {
        return run(tests, device, "");
    }

    private static EngineExecutionResults run(Class<?> tests, String device, String required) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .configurationParameter("verbs.device", device)
                .configurationParameter("verbs.required", required)
                .execute();
    }

    private static Throwable onlyFailure(List<Event> failures) {
        assertEquals(1, failures.size(), failures::toString);
        return failures.getFirst()
                .getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
    }
}
