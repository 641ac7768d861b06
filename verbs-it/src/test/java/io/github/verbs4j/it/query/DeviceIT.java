package io.github.verbs4j.it.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.it.rdma.Rdma;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeviceIT {
    @Test
    void shouldListTheDevicesOfTheKernel() throws IOException {
        try (Stream<Path> kernel = Files.list(Path.of("/sys/class/infiniband"))) {
            List<String> names =
                    kernel.map(path -> path.getFileName().toString()).sorted().toList();
            assertEquals(
                    names, Device.list().stream().map(Device::name).sorted().toList());
        }
        assertEquals(Device.list().getFirst(), Device.first());
    }

    @Test
    void shouldTellNameGuidAndNode() throws IOException {
        Device device = Rdma.device();
        Path directory = Path.of("/sys/class/infiniband", device.name());
        String guid = Files.readString(directory.resolve("node_guid")).strip().replace(":", "");
        assertEquals(Long.parseUnsignedLong(guid, 16), device.guid());
        assertEquals(
                device.name(),
                Files.readString(Path.of("/sys/class/infiniband_verbs", device.nodeName(), "ibdev"))
                        .strip());
        assertEquals(device, Device.named(device.name()));
    }

    @Test
    void shouldNameTheDevicesThereAreWhenAskedForAnother() {
        VerbsException thrown = assertThrows(VerbsException.class, () -> Device.named("nonsense0"));
        assertTrue(thrown.is(Errno.ENODEV), thrown::getMessage);
        assertTrue(thrown.getMessage().contains("name=nonsense0"), thrown::getMessage);
        assertTrue(thrown.getMessage().contains("use one of"), thrown::getMessage);
        assertTrue(thrown.getMessage().contains(Rdma.device().name()), thrown::getMessage);
    }

    @Test
    void shouldOpenADeviceManyTimesAtOnce() {
        try (DeviceContext one = Rdma.open();
                DeviceContext other = Rdma.open()) {
            assertEquals(one.attributes(), other.attributes());
            assertEquals(one.device(), other.device());
        }
    }
}
