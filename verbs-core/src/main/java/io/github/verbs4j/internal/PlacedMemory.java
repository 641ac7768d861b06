package io.github.verbs4j.internal;

import io.github.verbs4j.attr.PageKind;
import io.github.verbs4j.attr.Placement;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.Explanations;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CapturedErrno;
import io.github.verbs4j.ffi.NodeMemory;
import io.github.verbs4j.ffi.PageMemory;
import io.github.verbs4j.host.CpuSet;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.NumaNode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/** Fresh pages where a {@link Placement} wants them. Every one is there afterwards, where the kernel can see to it. */
public final class PlacedMemory {
    /** No page is smaller. */
    private static final long SMALLEST_PAGE = 4096;

    private final Host host;
    private final Placement placement;
    private final OptionalInt node;
    private final CapturedErrno errno = CapturedErrno.create();

    private PlacedMemory(Host host, Placement placement, OptionalInt node) {
        this.host = host;
        this.placement = placement;
        this.node = node;
    }

    /**
     * {@return fresh pages}
     *
     * @param placement where
     * @param deviceNode the device's node, if the machine tells
     * @param bytes how many; of huge pages rounded up to whole ones
     * @param arena whose closing unmaps them
     * @throws IllegalArgumentException if the node that is asked for does not exist
     * @throws VerbsException if the kernel has no such pages
     */
    public static MemorySegment map(Placement placement, OptionalInt deviceNode, long bytes, Arena arena) {
        Host host = Host.local();
        placement.node().ifPresent(node -> requireNode(host, node));
        OptionalInt node = placement.node().isPresent() ? placement.node() : deviceNode;
        return new PlacedMemory(host, placement, node).map(bytes, arena);
    }

    private static void requireNode(Host host, int number) {
        var numbers = host.numaNodes().stream().map(NumaNode::number).toList();
        if (!numbers.contains(number)) {
            throw new IllegalArgumentException("node=" + number + " is not one of this machine: " + numbers);
        }
    }

    private MemorySegment map(long bytes, Arena arena) {
        MemorySegment memory = switch (placement.pages()) {
            case ORDINARY -> mapOrdinary(bytes, arena);
            case TRANSPARENT_HUGE -> mapAligned(bytes, arena);
            case HUGE -> mapHuge(bytes, arena);
        };
        boolean refused = node.isPresent() && NodeMemory.prefer(errno, memory, node.getAsInt()) != 0;
        if (refused) {
            populateFromNode(memory);
        } else if (placement.pages() != PageKind.ORDINARY) {
            populate(memory);
        }
        return memory;
    }

    private MemorySegment mapOrdinary(long bytes, Arena arena) {
        MemorySegment memory = PageMemory.map(errno, bytes, arena);
        if (memory.address() == 0) {
            throw refused("mmap", bytes, Explanations.registration(new Errno(errno.value()), bytes));
        }
        return memory;
    }

    /** A huge page must start at a multiple of its size; what is mapped before and behind is never touched. */
    private MemorySegment mapAligned(long bytes, Arena arena) {
        long huge = host.defaultHugePageBytes().orElse(SMALLEST_PAGE);
        if (bytes > Long.MAX_VALUE - huge) {
            return mapOrdinary(bytes, arena); // which is refused
        }
        MemorySegment room = mapOrdinary(bytes + huge, arena);
        MemorySegment memory = room.asSlice(-room.address() & huge - 1, bytes);
        PageMemory.wishHuge(errno, memory); // a wish: a kernel without them says EINVAL
        return memory;
    }

    private MemorySegment mapHuge(long bytes, Arena arena) {
        long page = placement.pageBytes();
        if (bytes > Long.MAX_VALUE - page) {
            throw new IllegalArgumentException("bytes=" + bytes + " is more than there are addresses");
        }
        long rounded = (bytes + page - 1) & -page;
        MemorySegment memory = PageMemory.mapHuge(errno, rounded, page, arena);
        if (memory.address() == 0) {
            throw refused("mmap", rounded, Explanations.hugePages(page, rounded / page));
        }
        return memory;
    }

    /**
     * Without this the first touch of a huge page that a control group or a node withholds would be a SIGBUS, which ends the
     * virtual machine. A kernel before 5.14 cannot; there the registration, which pins every page, finds out.
     */
    private void populate(MemorySegment memory) {
        if (PageMemory.populate(errno, memory) != 0 && errno.value() != Errno.EINVAL.number()) {
            throw refused(
                    "madvise(MADV_POPULATE_WRITE)",
                    memory.byteSize(),
                    placement.pages() == PageKind.HUGE
                            ? Explanations.hugePagesWithheld(placement.pageBytes())
                            : Explanations.registration(Errno.ENOMEM, memory.byteSize()));
        }
    }

    /**
     * The other way to a node, where a container does not allow mbind: the kernel takes a page from the node of the processor
     * that touches it first. No lock is taken on the way, so a virtual thread stays on its carrier.
     */
    private void populateFromNode(MemorySegment memory) {
        CpuSet former = Affinity.current();
        CpuSet there = former.and(cpusOfNode());
        try {
            if (!there.isEmpty()) {
                Affinity.set(there);
            }
            populate(memory);
        } finally {
            Affinity.set(former);
        }
    }

    private CpuSet cpusOfNode() {
        return host.numaNodes().stream()
                .filter(found -> found.number() == node.getAsInt())
                .findFirst()
                .map(NumaNode::cpus)
                .orElse(CpuSet.NONE);
    }

    private VerbsException refused(String operation, long bytes, Explanation explanation) {
        return VerbsException.of(operation)
                .errno(errno.value())
                .argument("bytes", bytes)
                .argument("placement", placement)
                .explain(explanation)
                .build();
    }
}
