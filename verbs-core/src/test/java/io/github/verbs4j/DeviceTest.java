package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.NodeType;
import io.github.verbs4j.attr.TransportType;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(FakeVerbs.Reset.class)
class DeviceTest {
    private static final int EMFILE = 24;
    private static final Device FAKE0 = new Device(
            "fake0", 0x505400fffe123400L, NodeType.CHANNEL_ADAPTER, TransportType.INFINIBAND, "uverbs_fake0");
    private static final Device FAKE1 = new Device(
            "fake1", 0x505400fffe123401L, NodeType.CHANNEL_ADAPTER, TransportType.INFINIBAND, "uverbs_fake1");

    @Test
    void shouldListTheDevices() {
        assertEquals(List.of(FAKE0), Device.list());

        FakeVerbs.devices(2);
        assertEquals(List.of(FAKE0, FAKE1), Device.list());
        assertEquals("fake1", FAKE1.toString());

        FakeVerbs.devices(0);
        assertEquals(List.of(), Device.list());
    }

    @Test
    void shouldTakeTheFirst() {
        FakeVerbs.devices(2);

        assertEquals(FAKE0, Device.first());
    }

    @Test
    void shouldExplainThatThereIsNoDevice() {
        FakeVerbs.devices(0);

        for (VerbsException thrown : List.of(
                assertThrows(VerbsException.class, Device::first),
                assertThrows(VerbsException.class, () -> Device.named("mlx5_0")))) {
            assertEquals("ibv_get_device_list", thrown.operation());
            assertTrue(thrown.is(Errno.ENODEV));
            assertTrue(thrown.likelyCause().isPresent(), thrown::getMessage);
            assertTrue(thrown.nextStep().isPresent(), thrown::getMessage);
            assertTrue(thrown.getMessage().contains("/sys/class/infiniband"), thrown::getMessage);
        }
    }

    @Test
    void shouldFindByName() {
        FakeVerbs.devices(2);

        assertEquals(FAKE1, Device.named("fake1"));
    }

    @Test
    void shouldNameTheDevicesThereAreWhenANameIsNotFound() {
        FakeVerbs.devices(2);

        VerbsException thrown = assertThrows(VerbsException.class, () -> Device.named("mlx5_0"));
        assertTrue(thrown.is(Errno.ENODEV));
        assertEquals("mlx5_0", thrown.arguments().get("name"));
        assertTrue(
                thrown.getMessage().startsWith("there is no RDMA device of that name: ENODEV (19"), thrown::getMessage);
        assertEquals("use one of fake0, fake1", thrown.nextStep().orElseThrow());
    }

    @Test
    void shouldShowNoMoreOfAWrongNameThanCanBeRead() {
        FakeVerbs.devices(1);

        VerbsException thrown =
                assertThrows(VerbsException.class, () -> Device.named("\0\u001b" + "x".repeat(100_000)));
        assertTrue(thrown.getMessage().contains("name=\\u0000\\u001bxxx"), thrown::getMessage);
        assertTrue(thrown.getMessage().contains("(100002 characters)"), thrown::getMessage);
        assertTrue(thrown.getMessage().length() < 1000, thrown::getMessage);
    }

    @Test
    void shouldNotTakeNullForAName() {
        assertThrows(NullPointerException.class, () -> Device.named(null));
    }

    @Test
    void shouldExplainAListThatCannotBeRead() {
        FakeVerbs.failNext("ibv_get_device_list", EMFILE);

        VerbsException thrown = assertThrows(VerbsException.class, Device::list);
        assertTrue(thrown.is(new Errno(EMFILE)));
        assertTrue(thrown.getMessage().startsWith("ibv_get_device_list failed: EMFILE"), thrown::getMessage);
    }

    @Test
    void shouldListNothingWhenTheKernelHasNoRdma() {
        FakeVerbs.failNext("ibv_get_device_list", Errno.ENOSYS.number());

        assertEquals(List.of(), Device.list());
    }

    @Test
    void shouldOpenTheOneOfThatName() {
        FakeVerbs.devices(2);

        try (DeviceContext context = FAKE1.open()) {
            assertEquals(FAKE1, context.device());
            assertEquals(FAKE1.guid(), context.attributes().nodeGuid());
            assertEquals("DeviceContext of fake1", context.toString());
        }
    }

    @Test
    void shouldOpenTheSameDeviceTwice() {
        try (DeviceContext first = FAKE0.open();
                DeviceContext second = FAKE0.open()) {
            assertFalse(first.handle().equals(second.handle()));
        }
    }

    @Test
    void shouldExplainAnOpeningThatFails() {
        FakeVerbs.failNext("ibv_open_device", FakeDevice.EACCES);

        VerbsException thrown = assertThrows(VerbsException.class, FAKE0::open);
        assertEquals("ibv_open_device", thrown.operation());
        assertEquals("fake0", thrown.device().orElseThrow());
        assertTrue(thrown.is(Errno.EACCES));
        assertTrue(thrown.likelyCause().isPresent(), thrown::getMessage);
    }

    @Test
    void shouldExplainThatADeviceIsGone() {
        FakeVerbs.devices(2);
        Device device = Device.named("fake1");
        FakeVerbs.devices(1);

        VerbsException thrown = assertThrows(VerbsException.class, device::open);
        assertTrue(thrown.is(Errno.ENODEV));
        assertEquals("use one of fake0", thrown.nextStep().orElseThrow());
    }

    @Test
    void shouldCloseADeviceThatDoesNotAnswer() {
        FakeVerbs.failNext("ibv_query_device", FakeDevice.EIO);

        VerbsException thrown = assertThrows(VerbsException.class, FAKE0::open);
        assertEquals("ibv_query_device", thrown.operation());
        assertTrue(thrown.is(new Errno(FakeDevice.EIO)));
        assertEquals(1, FakeVerbs.calls("ibv_close_device"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"post_send", "post_recv", "poll_cq"})
    void shouldRefuseAProviderWithoutADataPath(String operation) {
        FakeVerbs.removeOperation(operation);

        VerbsException thrown = assertThrows(VerbsException.class, FAKE0::open);
        assertEquals(
                "the provider library of this device has no " + operation,
                thrown.likelyCause().orElseThrow());
        assertEquals(1, FakeVerbs.calls("ibv_close_device"));
    }
}
