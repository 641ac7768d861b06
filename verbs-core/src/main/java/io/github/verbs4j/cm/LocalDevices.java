package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CmIdVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.ffi.ibv_device;
import io.github.verbs4j.ffi.rdmacm_h;
import io.github.verbs4j.internal.Call;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What librdmacm knows of this machine: its devices, and which of its addresses one is behind. */
final class LocalDevices {
    private LocalDevices() {}

    /** {@code rdma_get_devices}. */
    static List<String> names() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            MemorySegment contexts = Call.on("librdmacm", () -> VerbsException.of("rdma_get_devices"))
                    .pointer(
                            errno -> CmIdVerbs.rdma_get_devices(errno, count),
                            made -> count.get(JAVA_INT, 0) + " devices");
            try {
                MemorySegment all = Pointers.segment(contexts, count.get(JAVA_INT, 0) * ADDRESS.byteSize());
                List<String> names = new ArrayList<>();
                for (long i = 0; i < all.byteSize() / ADDRESS.byteSize(); i++) {
                    names.add(name(all.getAtIndex(ADDRESS, i)));
                }
                return List.copyOf(names);
            } finally {
                rdmacm_h.rdma_free_devices(contexts);
            }
        }
    }

    /** Of a {@code struct ibv_context *} of librdmacm's own. */
    static String name(MemorySegment verbs) {
        MemorySegment device = ibv_context.device(Pointers.segment(verbs, ibv_context.sizeof()));
        MemorySegment name = ibv_device.name(Pointers.segment(device, ibv_device.sizeof()));
        return Pointers.string(name, (int) name.byteSize());
    }

    /** Those of our addresses that the function knows a device for. */
    static List<DeviceAddress> addresses(Function<InetAddress, Optional<String>> device) {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .flatMap(address -> device.apply(address).map(name -> new DeviceAddress(name, address)).stream())
                    .toList();
        } catch (SocketException e) {
            throw new UncheckedIOException("the interfaces of this machine cannot be listed", e);
        }
    }
}
