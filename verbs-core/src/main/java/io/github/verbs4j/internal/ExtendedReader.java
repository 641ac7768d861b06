package io.github.verbs4j.internal;

import static io.github.verbs4j.ffi.RawMemory.getInt;
import static io.github.verbs4j.ffi.RawMemory.getLong;
import static io.github.verbs4j.ffi.RawMemory.putInt;
import static io.github.verbs4j.ffi.RawMemory.putLong;

import io.github.verbs4j.attr.CompletionField;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.ffi.ExtendedDataPath;
import io.github.verbs4j.ffi.ibv_cq_ex;
import io.github.verbs4j.ffi.ibv_poll_cq_attr;
import io.github.verbs4j.ffi.ibv_wc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * {@code ibv_start_poll} to {@code ibv_end_poll}: copies the completions of an extended queue, as {@code struct ibv_wc} and
 * a row of further values each, so that the lock of the queue is never held while other code runs. Nothing is allocated
 * after it is made.
 *
 * <p>Belongs to one thread at a time.
 */
public final class ExtendedReader {
    /** Bytes of the row of values: one value of 64 bits for each {@link CompletionField}, by its ordinal. */
    public static final long ROW_BYTES = CompletionField.values().length * 8L;

    private static final int NOTHING = Errno.ENOENT.number();

    /**
     * At the end of the queue {@code ibv_next_poll} of Soft-RoCE before rdma-core 59 ends the section already, so that {@code
     * ibv_end_poll} ends it twice and takes a completion that is not there: each completion has a section of its own there.
     */
    private static final String SPOILS_EMPTY_QUEUES = "rxe";

    private enum Width {
        BYTE,
        SHORT,
        INT,
        LONG
    }

    private final long queue;
    private final boolean oneByOne;
    private final CompletionField[] fields;
    private final MemorySegment[] readers;
    private final Width[] widths;
    private final MemorySegment attributes = ibv_poll_cq_attr.allocate(Arena.ofAuto());
    private final long id;
    private final long status;
    private final MemorySegment start;
    private final MemorySegment next;
    private final MemorySegment end;
    private final MemorySegment opcode;
    private final MemorySegment vendorError;
    private final MemorySegment flags;
    private final MemorySegment number;
    private final StackRoom room = new StackRoom();

    /**
     * Looks the functions up; {@link #missing} tells whether all are there.
     *
     * @param cq {@code struct ibv_cq_ex *}
     * @param asked what to read of each completion
     * @param provider short name of the provider
     */
    public ExtendedReader(MemorySegment cq, Set<CompletionField> asked, String provider) {
        StackRoom.initialize(ExtendedDataPath.class);
        this.queue = cq.address();
        this.oneByOne = provider.equals(SPOILS_EMPTY_QUEUES);
        this.fields = asked.toArray(CompletionField[]::new);
        this.readers = new MemorySegment[fields.length];
        this.widths = new Width[fields.length];
        for (int i = 0; i < fields.length; i++) {
            readers[i] = ExtendedDataPath.function(cq, member(fields[i]));
            widths[i] = width(fields[i]);
        }
        this.id = ExtendedDataPath.id(cq);
        this.status = ExtendedDataPath.status(cq);
        this.start = ExtendedDataPath.function(cq, ibv_cq_ex.start_poll$offset());
        this.next = ExtendedDataPath.function(cq, ibv_cq_ex.next_poll$offset());
        this.end = ExtendedDataPath.function(cq, ibv_cq_ex.end_poll$offset());
        this.opcode = ExtendedDataPath.function(cq, ibv_cq_ex.read_opcode$offset());
        this.vendorError = ExtendedDataPath.function(cq, ibv_cq_ex.read_vendor_err$offset());
        this.flags = ExtendedDataPath.function(cq, ibv_cq_ex.read_wc_flags$offset());
        this.number = ExtendedDataPath.function(cq, ibv_cq_ex.read_qp_num$offset());
    }

    private static long member(CompletionField field) {
        return switch (field) {
            case BYTE_LENGTH -> ibv_cq_ex.read_byte_len$offset();
            case IMMEDIATE -> ibv_cq_ex.read_imm_data$offset();
            case SOURCE_QUEUE_PAIR -> ibv_cq_ex.read_src_qp$offset();
            case SOURCE_LID -> ibv_cq_ex.read_slid$offset();
            case SERVICE_LEVEL -> ibv_cq_ex.read_sl$offset();
            case PATH_BITS -> ibv_cq_ex.read_dlid_path_bits$offset();
            case TIMESTAMP -> ibv_cq_ex.read_completion_ts$offset();
            case VLAN -> ibv_cq_ex.read_cvlan$offset();
            case FLOW_TAG -> ibv_cq_ex.read_flow_tag$offset();
            case WALL_CLOCK -> ibv_cq_ex.read_completion_wallclock_ns$offset();
        };
    }

    private static Width width(CompletionField field) {
        return switch (field) {
            case SERVICE_LEVEL, PATH_BITS -> Width.BYTE;
            case VLAN -> Width.SHORT;
            case BYTE_LENGTH, IMMEDIATE, SOURCE_QUEUE_PAIR, SOURCE_LID, FLOW_TAG -> Width.INT;
            case TIMESTAMP, WALL_CLOCK -> Width.LONG;
        };
    }

    /** {@return C's names of the functions that the provider left out although they were asked for; never call then} */
    public String missing() {
        StringBuilder names = new StringBuilder();
        note(names, start, "start_poll");
        note(names, next, "next_poll");
        note(names, end, "end_poll");
        note(names, opcode, "read_opcode");
        note(names, vendorError, "read_vendor_err");
        note(names, flags, "read_wc_flags");
        note(names, number, "read_qp_num");
        for (int i = 0; i < fields.length; i++) {
            note(names, readers[i], "the reader of " + fields[i]);
        }
        return names.toString();
    }

    private static void note(StringBuilder names, MemorySegment function, String name) {
        if (function.address() == 0) {
            names.append(names.isEmpty() ? "" : ", ").append(name);
        }
    }

    /**
     * Copies what has completed.
     *
     * @param capacity how many at most
     * @param completions address of an array of {@code struct ibv_wc}
     * @param rows address of an array of rows
     * @return how many were copied, or a negative errno
     */
    public int poll(int capacity, long completions, long rows) {
        int count = 0;
        int taken;
        do {
            taken = section(oneByOne ? 1 : capacity, completions + count * ibv_wc.sizeof(), rows + count * ROW_BYTES);
            count += Math.max(taken, 0);
        } while (oneByOne && taken == 1 && count < capacity);
        return count == 0 ? taken : count;
    }

    /** From the start to the end of a section. An error behind the first completion comes again in the next one. */
    private int section(int capacity, long completions, long rows) {
        room.requireWhileYoung();
        int error = ExtendedDataPath.start(start, queue, attributes.address());
        if (error != 0) {
            return error == NOTHING ? 0 : -error;
        }
        int count = 0;
        try {
            do {
                copy(completions + count * ibv_wc.sizeof(), rows + count * ROW_BYTES);
                count++;
            } while (count < capacity && ExtendedDataPath.readInt(next, queue) == 0);
        } finally {
            ExtendedDataPath.end(end, queue);
        }
        room.passed();
        return count;
    }

    private void copy(long completion, long row) {
        int result = getInt(status, 0);
        putLong(completion, ibv_wc.wr_id$offset(), getLong(id, 0));
        putInt(completion, ibv_wc.status$offset(), result);
        putInt(completion, ibv_wc.qp_num$offset(), ExtendedDataPath.readInt(number, queue));
        if (result != 0) {
            putInt(completion, ibv_wc.vendor_err$offset(), ExtendedDataPath.readInt(vendorError, queue));
            return; // nothing else exists
        }
        putInt(completion, ibv_wc.opcode$offset(), ExtendedDataPath.readInt(opcode, queue));
        putInt(completion, ibv_wc.wc_flags$offset(), ExtendedDataPath.readInt(flags, queue));
        for (int i = 0; i < fields.length; i++) {
            putLong(row, fields[i].ordinal() * 8L, read(readers[i], widths[i]));
        }
    }

    private long read(MemorySegment reader, Width width) {
        return switch (width) {
            case BYTE -> Byte.toUnsignedLong(ExtendedDataPath.readByte(reader, queue));
            case SHORT -> Short.toUnsignedLong(ExtendedDataPath.readShort(reader, queue));
            case INT -> Integer.toUnsignedLong(ExtendedDataPath.readInt(reader, queue));
            case LONG -> ExtendedDataPath.readLong(reader, queue);
        };
    }
}
