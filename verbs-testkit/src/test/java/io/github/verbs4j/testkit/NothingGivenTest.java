package io.github.verbs4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.function.Executable;

/** Each parameter, when it is null, is named. */
class NothingGivenTest {
    private final RdmaExtension extension = new RdmaExtension();
    private final ParameterContext parameter = (ParameterContext) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {ParameterContext.class}, (self, method, arguments) -> null);

    @BeforeEach
    void setUp() throws Throwable {
        FakeMachine.withDevices(1);
    }

    @Test
    void shouldBeNamed() {
        TestDevice device = TestDevice.first();
        Map<String, List<Executable>> calls = Map.of(
                "device", List.of(() -> new TestDevice(null, device.gid())),
                "gid", List.of(() -> new TestDevice(device.device(), null)),
                "name", List.of(() -> TestDevice.named(null)),
                "settings", List.of(() -> Choice.of(null), () -> Choice.announced(null)),
                "configuration", List.of(() -> new Settings(null, name -> Optional.empty())),
                "environment", List.of(() -> new Settings(name -> Optional.empty(), null)),
                "context",
                        List.of(
                                () -> new Settings(null),
                                () -> extension.evaluateExecutionCondition(null),
                                () -> extension.beforeAll(null),
                                () -> extension.beforeEach(null),
                                () -> extension.supportsParameter(parameter, null),
                                () -> extension.resolveParameter(parameter, null)),
                "parameter",
                        List.of(
                                () -> extension.supportsParameter(null, null),
                                () -> extension.resolveParameter(null, null)));
        calls.forEach((name, each) -> each.forEach(call -> assertEquals(
                name, assertThrows(NullPointerException.class, call).getMessage())));
    }
}
