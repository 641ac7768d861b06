package io.github.verbs4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link TestDevice}, over the fake libibverbs. */
class TestDeviceTest {
    @BeforeEach
    void setUp() throws Throwable {
        FakeMachine.withDevices(2);
        FakeMachine.portState(1, FakeMachine.PORT_DOWN);
    }

    @Test
    void shouldNameTheDeviceThatWasNamed() { // the other one has an active port
        String message = assertThrows(VerbsException.class, () -> TestDevice.named("fake1"))
                .getMessage();
        assertEquals(
                "RDMA device fake1 has no active port with an address",
                message.lines().findFirst().orElseThrow());
        assertTrue(message.contains("fake1: port 1 is DOWN"), message);
    }

    @Test
    void shouldTakeALaterPortWhereTheFirstHasNoAddress() throws Throwable {
        FakeMachine.ports(0, 2, 2);

        assertEquals(2, TestDevice.named("fake0").port());
    }

    @Test
    void shouldTellOfThePortWithoutAnAddress() throws Throwable {
        FakeMachine.ports(0, 1, 2);

        String message = assertThrows(VerbsException.class, TestDevice::first).getMessage();

        assertTrue(message.contains("fake0: port 1 has no GID: give its network interface an IP address"), message);
        assertTrue(message.contains("fake1: port 1 is DOWN"), message);
    }

    @Test
    void shouldTellOfTheDeviceThatCannotBeOpenedToo() throws Throwable {
        FakeMachine.failNext("ibv_open_device", Errno.EACCES.number());

        String message = assertThrows(VerbsException.class, TestDevice::first).getMessage();

        assertEquals(
                "no RDMA device of this machine has an active port with an address",
                message.lines().findFirst().orElseThrow());
        assertTrue(message.contains("fake1: port 1 is DOWN"), message);
        assertTrue(message.contains("ibv_open_device failed on fake0: EACCES"), message);
    }

    @Test
    void shouldTellTheRefusalAloneWhereThereIsNothingElse() throws Throwable {
        FakeMachine.failNext("ibv_open_device", Errno.EACCES.number());

        VerbsException refusal = assertThrows(VerbsException.class, () -> TestDevice.named("fake0"));

        assertEquals("ibv_open_device", refusal.operation());
    }
}
