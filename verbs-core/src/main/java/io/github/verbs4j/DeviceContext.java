package io.github.verbs4j;

import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.ExtendedDeviceAttributes;
import io.github.verbs4j.attr.GidTable;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.ContextOps;
import io.github.verbs4j.ffi.DataPath;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.internal.Abi;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.ContextEvents;
import io.github.verbs4j.internal.ExtendedQueries;
import io.github.verbs4j.internal.Lifetime;
import io.github.verbs4j.internal.Linkage;
import io.github.verbs4j.internal.ObjectCounts;
import io.github.verbs4j.internal.Queries;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * {@code ibv_context}: an open device, the root of everything made on it.
 *
 * <p>Thread-safe.
 */
public final class DeviceContext extends Resource {
    private final Device device;
    private final MemorySegment handle;
    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final MemorySegment poll;
    private final Linkage linkage;
    private final DeviceAttributes attributes;
    private final int completionVectors;
    private final ContextEvents events;

    DeviceContext(Device device, MemorySegment handle, MemorySegment devicePointer) {
        this.device = device;
        this.handle = handle;
        boolean opened = false;
        try {
            Abi.check("ibv_context", "abi_compat", ContextOps.isExtended(handle));
            Abi.check(
                    "ibv_context",
                    "device",
                    ibv_context
                                    .device(Pointers.segment(handle, ibv_context.sizeof()))
                                    .address()
                            == devicePointer.address());
            this.postSend = required(device, DataPath.postSend(handle), "post_send");
            this.postReceive = required(device, DataPath.postReceive(handle), "post_recv");
            MemorySegment poll = required(device, DataPath.pollCompletionQueue(handle), "poll_cq");
            this.poll = poll;
            this.linkage = Linkage.of(poll.address());
            this.attributes = Queries.device(handle, device.name());
            this.completionVectors = ibv_context.num_comp_vectors(Pointers.segment(handle, ibv_context.sizeof()));
            this.events = new ContextEvents(handle, device.name());
            opened = true;
        } finally {
            if (!opened) {
                closing(device)
                        .tryNotNegative(CapturedErrno.create(), errno -> ErrnoVerbs.ibv_close_device(errno, handle));
            }
        }
        super(new Lifetime(name(device), null));
    }

    static String name(Device device) {
        return "DeviceContext of " + device.name();
    }

    private static Call closing(Device device) {
        return Call.on(name(device), () -> VerbsException.of("ibv_close_device").device(device.name()));
    }

    private static MemorySegment required(Device device, MemorySegment function, String name) {
        if (function.address() == 0) {
            throw VerbsException.of("ibv_open_device")
                    .device(device.name())
                    .cause("the provider library of this device has no " + name)
                    .next("update the provider package (ibverbs-providers, or libibverbs on RHEL)")
                    .build();
        }
        return function;
    }

    /** {@return the device that is open} */
    public Device device() {
        return device;
    }

    /** {@return what the device is and allows ({@code ibv_query_device}), as read when it was opened} */
    public DeviceAttributes attributes() {
        return attributes;
    }

    /**
     * {@return what the device can do beyond its {@link #attributes} ({@code ibv_query_device_ex})}
     *
     * @throws VerbsException if the device does not answer
     */
    public ExtendedDeviceAttributes extendedAttributes() {
        return lifetime().whileOpen("extendedAttributes", () -> ExtendedQueries.device(handle, device.name()));
    }

    /**
     * {@return the provider library that drives the device, by its short name as {@code mlx5} or {@code rxe}; empty if it
     * cannot be told}
     */
    public String provider() {
        return linkage.provider();
    }

    /**
     * {@return the present state of a port ({@code ibv_query_port})}
     *
     * @param number from 1
     * @throws IllegalArgumentException if there is no such port
     * @throws VerbsException if the device does not answer
     */
    public PortAttributes port(int number) {
        requirePort(number);
        return lifetime().whileOpen("port", () -> Queries.port(handle, device.name(), number));
    }

    /**
     * {@return the filled rows of a port's GID table ({@code ibv_query_gid_table})}
     *
     * @param port from 1
     * @throws IllegalArgumentException if there is no such port
     * @throws VerbsException if the device does not answer
     */
    public GidTable gids(int port) {
        requirePort(port);
        return lifetime().whileOpen("gids", () -> {
            int rows = IntStream.rangeClosed(1, attributes.portCount())
                    .map(number -> Queries.port(handle, device.name(), number).gidTableLength())
                    .sum();
            return Queries.gids(handle, device.name(), port, rows);
        });
    }

    /**
     * {@return a row of a port's P_Key table ({@code ibv_query_pkey}), 16 bits}
     *
     * @param port from 1
     * @param index row, from 0
     * @throws IllegalArgumentException if there is no such port, or the row is negative
     * @throws VerbsException if there is no such row
     */
    public int partitionKey(int port, int index) {
        requirePort(port);
        if (index < 0) {
            throw new IllegalArgumentException("index=" + index + " is negative: rows of P_Key tables count from 0");
        }
        return lifetime().whileOpen("partitionKey", () -> Queries.partitionKey(handle, device.name(), port, index));
    }

    void requirePort(int number) {
        if (number < 1 || number > attributes.portCount()) {
            throw new IllegalArgumentException(
                    "port=" + number + " is not in 1.." + attributes.portCount() + " of " + device.name());
        }
    }

    /**
     * {@return a new protection domain ({@code ibv_alloc_pd})}
     *
     * @throws VerbsException if the device refuses
     */
    public ProtectionDomain allocateProtectionDomain() {
        return Lifetime.create(
                "allocateProtectionDomain",
                () -> {
                    MemorySegment pd = Call.on(
                                    this,
                                    () -> VerbsException.of("ibv_alloc_pd").device(device.name()))
                            .explained((failure, number) -> failure.explain(creation(number)))
                            .pointer(
                                    errno -> ErrnoVerbs.ibv_alloc_pd(errno, handle),
                                    made -> ProtectionDomain.name(made, device));
                    return new ProtectionDomain(this, pd);
                },
                lifetime());
    }

    /**
     * {@return a new completion queue ({@code ibv_create_cq})}
     *
     * @param entries completions that it must hold, 1 to {@link DeviceAttributes#maxCompletions}; it may hold more
     * @throws IllegalArgumentException if it is less than 1
     * @throws VerbsException if the device refuses
     */
    public CompletionQueue createCompletionQueue(int entries) {
        return createCompletionQueue(CompletionQueueOptions.entries(entries));
    }

    /**
     * {@return a new completion queue ({@code ibv_create_cq}, {@code ibv_create_cq_ex})}
     *
     * @param options how many completions it must hold, and more
     * @throws IllegalArgumentException if there is no such completion vector
     * @throws UnsupportedCapabilityException if an extended queue is asked for, and the device has none with these fields
     * @throws VerbsException if the device refuses
     */
    public CompletionQueue createCompletionQueue(CompletionQueueOptions options) {
        Objects.requireNonNull(options, "options");
        return CompletionQueueCreation.create(this, options);
    }

    /** {@return how many completion vectors there are to choose from ({@code num_comp_vectors})} */
    public int completionVectors() {
        return completionVectors;
    }

    /**
     * {@return the asynchronous events of the device ({@code ibv_get_async_event}), from now on} A daemon thread takes them.
     * Once it runs, it is the only one that does: leave {@code async_fd} to it.
     *
     * @throws VerbsException if the thread cannot start, or has given up because the device is gone
     */
    public AsyncEvents openAsyncEvents() {
        return AsyncEvents.open(this);
    }

    /** What there is to say of a creation that failed, beside its error number. */
    Explanation creation(int errno, long... depths) {
        return errno == Errno.ENOMEM.number()
                ? Explanations.creationOutOfMemory(device.name(), ObjectCounts.of(device.name(), attributes()), depths)
                : Explanation.NONE;
    }

    /** What there is to say of the number of objects, where something did not fit. */
    Explanation fullness(int errno) {
        return errno == Errno.ENOMEM.number()
                ? Explanations.objects(device.name(), ObjectCounts.of(device.name(), attributes()))
                : Explanation.NONE;
    }

    /** What the device, the kernel or the provider does not have. */
    UnsupportedCapabilityException unsupported(String operation, String capability, String reason) {
        return UnsupportedCapabilityException.of(operation, capability, device.name(), provider(), reason);
    }

    /**
     * {@return {@code struct ibv_context *}, which is as unsafe as C: do not use it after this is closed}
     *
     * @throws IllegalStateException if it is closed
     */
    public MemorySegment handle() {
        return lifetime().open("handle", handle);
    }

    /**
     * Closes the device ({@code ibv_close_device}). Closing twice is harmless.
     *
     * @throws IllegalStateException if something made on it is still open
     */
    @Override
    public void close() {
        lifetime().close(() -> {
            events.close();
            closing(device).notNegative(errno -> ErrnoVerbs.ibv_close_device(errno, handle));
        });
    }

    Linkage linkage() {
        return linkage;
    }

    ContextEvents events() {
        return events;
    }

    MemorySegment postSend() {
        return postSend;
    }

    MemorySegment postReceive() {
        return postReceive;
    }

    MemorySegment poll() {
        return poll;
    }
}
