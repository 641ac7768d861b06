package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.attr.ForkStatus;
import io.github.verbs4j.attr.NodeType;
import io.github.verbs4j.attr.TransportType;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.LibraryUnavailableException;
import io.github.verbs4j.ffi.NativeLibrary;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_device;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.host.Counters;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.NumaNode;
import io.github.verbs4j.host.RdmaDevice;
import io.github.verbs4j.internal.Call;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * {@code ibv_device}: an RDMA device of this machine, as a value; nothing is open yet.
 *
 * @param name the name under {@code /sys/class/infiniband}, {@code mlx5_0} for example
 * @param guid node GUID, as a big-endian number
 * @param nodeType what kind of adapter it is
 * @param transport what it speaks
 * @param nodeName its character device, {@code uverbs0} for example
 */
public record Device(String name, long guid, NodeType nodeType, TransportType transport, String nodeName) {
    /** Refuses null. */
    public Device {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(nodeType, "nodeType");
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(nodeName, "nodeName");
    }

    /**
     * {@return the devices that this process can see ({@code ibv_get_device_list}), maybe none}
     *
     * @throws VerbsException if libibverbs is missing or the list cannot be read
     */
    public static List<Device> list() {
        return withList(pointers -> pointers.stream().map(Device::of).toList());
    }

    /**
     * {@return what becomes of registered memory when the process forks ({@code ibv_is_fork_initialized})} Starting other
     * programs ({@code ProcessBuilder}) is harmless either way; only native code that forks and goes on is not.
     *
     * @throws VerbsException if libibverbs is missing
     */
    public static ForkStatus forkStatus() {
        requireLibrary();
        return ForkStatus.ofCode(verbs_h.ibv_is_fork_initialized());
    }

    /**
     * Keeps memory that is registered from now on safe when the process forks ({@code ibv_fork_init}); does nothing where
     * the kernel does so by itself.
     *
     * @throws VerbsException if memory was registered already where it is needed, or libibverbs is missing
     */
    public static void initializeFork() {
        requireLibrary();
        Call call = Call.on("libibverbs", () -> VerbsException.of("ibv_fork_init"))
                .explained((failure, errno) -> failure.cause(
                                "memory is registered already, or the kernel cannot keep pages out of a child")
                        .next("call it before the first registration of the process"));
        int result = call.tryReturned(verbs_h::ibv_fork_init);
        // the library may say that it is too late, where there is nothing to be late for
        if (result != 0 && forkStatus() != ForkStatus.UNNEEDED) {
            throw call.failed(result);
        }
    }

    /**
     * {@return the first device of the list}
     *
     * @throws VerbsException if there is none, with what this machine lacks; or as {@link #list}
     */
    public static Device first() {
        List<Device> devices = list();
        if (devices.isEmpty()) {
            throw VerbsException.of("ibv_get_device_list")
                    .explain(Explanations.noDevice())
                    .errno(Errno.ENODEV.number())
                    .build();
        }
        return devices.getFirst();
    }

    /**
     * {@return the device of a name}
     *
     * @param name as in {@link #name()}
     * @throws VerbsException if there is none of that name, with those there are; or as {@link #list}
     */
    public static Device named(String name) {
        Objects.requireNonNull(name, "name");
        List<Device> devices = list();
        return devices.stream()
                .filter(device -> device.name.equals(name))
                .findFirst()
                .orElseThrow(() -> notFound(name, devices));
    }

    private static VerbsException notFound(String name, List<Device> devices) {
        VerbsException.Builder failure =
                VerbsException.of("ibv_get_device_list").argument("name", name).errno(Errno.ENODEV.number());
        return devices.isEmpty()
                ? failure.explain(Explanations.noDevice()).build()
                : failure.headline("there is no RDMA device of that name: " + Errno.ENODEV)
                        .next("use one of " + devices.stream().map(Device::name).collect(Collectors.joining(", ")))
                        .build();
    }

    /**
     * {@return what a port counts: traffic, retransmissions, receivers that were not ready, whatever the hardware knows} The
     * port need not be open, nor be this process's own: all that goes through it is counted. What cannot be read is left out.
     *
     * @param port from 1; 0 for what the device counts as a whole
     * @throws IllegalArgumentException if the device has no such port
     */
    public Counters counters(int port) {
        Host host = Host.local();
        int ports = host.rdmaDevice(name).map(device -> device.ports().size()).orElse(Integer.MAX_VALUE);
        if (port < 0 || port > ports) {
            throw new IllegalArgumentException("port=" + port + " is not in 1.." + ports + " of " + name
                    + ", nor 0, which is the device as a whole");
        }
        return host.counters(name, port);
    }

    /**
     * {@return the NUMA node that the device is on: as the kernel tells, or the only one of this machine; empty if there are
     * several and the kernel does not tell, as of Soft-RoCE}
     */
    public OptionalInt numaNode() {
        return numaNode(Host.local(), name);
    }

    static OptionalInt numaNode(Host host, String name) {
        Optional<RdmaDevice> known =
                host.rdmaDevice(name).filter(device -> device.numaNode().isPresent());
        List<NumaNode> nodes = host.numaNodes();
        return known.isPresent() || nodes.size() != 1
                ? known.map(RdmaDevice::numaNode).orElse(OptionalInt.empty())
                : OptionalInt.of(nodes.getFirst().number());
    }

    /**
     * {@return a pin of this thread to the processors of the device's node; of a device whose node nobody knows, to those that
     * the thread has already}
     *
     * @throws IllegalStateException if this is a virtual thread
     * @throws VerbsException if the thread may run on none of them
     */
    public ThreadPin pinThread() {
        OptionalInt node = numaNode();
        return node.isPresent() ? ThreadPin.toNode(node.getAsInt()) : ThreadPin.toAll();
    }

    /**
     * {@return the opened device ({@code ibv_open_device})}
     *
     * @throws VerbsException if it cannot be opened or is gone
     */
    public DeviceContext open() {
        return withList(pointers -> {
            for (MemorySegment pointer : pointers) {
                if (nameOf(pointer).equals(name)) {
                    return open(pointer);
                }
            }
            throw notFound(name, pointers.stream().map(Device::of).toList());
        });
    }

    private DeviceContext open(MemorySegment pointer) {
        MemorySegment context = Call.on(
                        this, () -> VerbsException.of("ibv_open_device").device(name))
                .explained((failure, errno) -> failure.explain(Explanations.open(new Errno(errno), name)))
                .pointer(errno -> ErrnoVerbs.ibv_open_device(errno, pointer), made -> DeviceContext.name(this));
        return new DeviceContext(this, context, pointer);
    }

    private static <T> T withList(Function<List<MemorySegment>, T> use) {
        requireLibrary();
        try (Arena arena = Arena.ofConfined()) {
            CapturedErrno errno = new CapturedErrno(arena);
            MemorySegment count = arena.allocate(JAVA_INT);
            Call call = Call.on("libibverbs", () -> VerbsException.of("ibv_get_device_list"))
                    .explained((failure, number) -> failure.explain(Explanations.noDevice()));
            MemorySegment list = call.tryPointer(
                    errno,
                    captured -> ErrnoVerbs.ibv_get_device_list(captured, count),
                    made -> count.get(JAVA_INT, 0) + " devices");
            if (list.address() == 0 && errno.value() == Errno.ENOSYS.number()) {
                return use.apply(List.of()); // the kernel has no RDMA at all, so it has no device either
            }
            if (list.address() == 0) {
                throw call.failed(errno.value());
            }
            try {
                MemorySegment array = Pointers.segment(list, ADDRESS.byteSize() * count.get(JAVA_INT, 0));
                List<MemorySegment> pointers = new ArrayList<>();
                for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
                    pointers.add(Pointers.segment(array.getAtIndex(ADDRESS, i), ibv_device.sizeof()));
                }
                return use.apply(pointers);
            } finally {
                verbs_h.ibv_free_device_list(list);
            }
        }
    }

    private static void requireLibrary() {
        try {
            NativeLibrary.libibverbs().open();
        } catch (LibraryUnavailableException e) {
            throw VerbsException.of("dlopen")
                    .headline("RDMA is not usable here: " + e.library() + " could not be opened")
                    .cause(e.getMessage())
                    .thrown(e)
                    .build();
        }
    }

    private static Device of(MemorySegment pointer) {
        return new Device(
                nameOf(pointer),
                Long.reverseBytes(verbs_h.ibv_get_device_guid(pointer)),
                NodeType.ofCode(ibv_device.node_type(pointer)),
                TransportType.ofCode(ibv_device.transport_type(pointer)),
                Pointers.string(ibv_device.dev_name(pointer), (int)
                        ibv_device.dev_name(pointer).byteSize()));
    }

    private static String nameOf(MemorySegment pointer) {
        return Pointers.string(
                ibv_device.name(pointer), (int) ibv_device.name(pointer).byteSize());
    }

    @Override
    public String toString() {
        return name;
    }
}
