package io.github.verbs4j.bench.overhead;

import static io.github.verbs4j.ffi.RawMemory.getInt;
import static io.github.verbs4j.ffi.RawMemory.getLong;
import static io.github.verbs4j.ffi.RawMemory.putInt;
import static io.github.verbs4j.ffi.RawMemory.putLong;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ffi.DataPath;
import io.github.verbs4j.ffi.ibv_recv_wr;
import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.ffi.ibv_wc;
import io.github.verbs4j.ffi.verbs4j_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The raw bindings: structs filled at their offsets, the three calls, and no check but that of a completion's status. */
final class FfiWay implements Way {
    private static final long SEND = ibv_send_wr.sizeof();
    private static final long RECEIVE = ibv_recv_wr.sizeof();
    private static final long PIECE = ibv_sge.sizeof();
    private static final long COMPLETION = ibv_wc.sizeof();
    private static final long ID = ibv_send_wr.wr_id$offset();
    private static final long NEXT = ibv_send_wr.next$offset();
    private static final long PIECES = ibv_send_wr.sg_list$offset();
    private static final long PIECE_COUNT = ibv_send_wr.num_sge$offset();
    private static final long OPCODE = ibv_send_wr.opcode$offset();
    private static final long FLAGS = ibv_send_wr.send_flags$offset();
    private static final long REMOTE = ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma$offset();
    private static final long REMOTE_ADDRESS = REMOTE + ibv_send_wr.wr.rdma.remote_addr$offset();
    private static final long REMOTE_KEY = REMOTE + ibv_send_wr.wr.rdma.rkey$offset();
    private static final long PIECE_ADDRESS = ibv_sge.addr$offset();
    private static final long PIECE_LENGTH = ibv_sge.length$offset();
    private static final long PIECE_KEY = ibv_sge.lkey$offset();
    private static final long COMPLETION_ID = ibv_wc.wr_id$offset();
    private static final long STATUS = ibv_wc.status$offset();
    private static final int WRITE = verbs4j_h.IBV_WR_RDMA_WRITE();
    private static final int SEND_OPCODE = verbs4j_h.IBV_WR_SEND();
    private static final int SIGNALED = verbs4j_h.IBV_SEND_SIGNALED();
    private static final int INLINE = verbs4j_h.IBV_SEND_INLINE();

    /** Both kinds of request, linked once; what they share lies at the same offsets. */
    private static final class Chain {
        final long requests;
        final long pieces;
        final long stride;

        Chain(long stride) {
            this.stride = stride;
            requests = Arena.global().allocate(DEPTH * stride, 64).address();
            pieces = Arena.global().allocate(DEPTH * PIECE, 64).address();
            for (int i = 0; i < DEPTH; i++) {
                putLong(requests + i * stride, PIECES, pieces + i * PIECE);
                join(i + 1);
            }
        }

        void cut(int count) {
            putLong(requests + (count - 1) * stride, NEXT, 0);
        }

        void join(int count) {
            putLong(requests + (count - 1) * stride, NEXT, requests + count * stride);
        }
    }

    private final long[] pairs;
    private final int mask;
    private final long queue;
    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final MemorySegment poll;
    private final Chain sends = new Chain(SEND);
    private final Chain receives = new Chain(RECEIVE);
    private final long completions =
            Arena.global().allocate(POLL_CAPACITY * COMPLETION, 64).address();
    private final long bad = Arena.global().allocate(JAVA_LONG).address();
    private final long memory;
    private final int key;
    private final long remote;
    private final int remoteKey;

    FfiWay(Ends ends) {
        MemorySegment context = ends.domain().context().handle();
        this.pairs =
                ends.pairs().stream().mapToLong(pair -> pair.handle().address()).toArray();
        this.mask = pairs.length - 1;
        this.queue = ends.queue().handle().address();
        this.postSend = DataPath.postSend(context);
        this.postReceive = DataPath.postReceive(context);
        this.poll = DataPath.pollCompletionQueue(context);
        MemoryRegion region = ends.memory();
        this.memory = region.address();
        this.key = region.localKey().value();
        this.remote = ends.target().address();
        this.remoteKey = ends.target().remoteKey().value();
    }

    @Override
    public long run(Work work, int batch, int batches) {
        return switch (work) {
            case WRITE -> send(batch, batches, WRITE, 0, SIGNALED);
            case WRITE_SIGNALED -> send(batch, batches, WRITE, SIGNALED, 0);
            case INLINE -> send(batch, batches, SEND_OPCODE, INLINE, SIGNALED);
            case REFILL -> refill(batch, batches);
            case EMPTY_POLL -> emptyPoll(batches);
        };
    }

    private long send(int batch, int batches, int opcode, int flags, int lastFlags) {
        long sum = 0;
        long id = 0;
        for (int n = 0; n < batches; n++) {
            for (int i = 0; i < batch; i++, id++) {
                stage(i, id, opcode, i == batch - 1 ? flags | lastFlags : flags);
            }
            sends.cut(batch);
            int result = DataPath.postCritical(postSend, pairs[n & mask], sends.requests, bad);
            sends.join(batch);
            if (result != 0) {
                throw new IllegalStateException("ibv_post_send: " + result);
            }
            sum += take();
        }
        return sum;
    }

    private void stage(int slot, long id, int opcode, int flags) {
        long request = sends.requests + slot * SEND;
        putLong(request, ID, id);
        putInt(request, PIECE_COUNT, 1);
        putInt(request, OPCODE, opcode);
        putInt(request, FLAGS, flags);
        putLong(request, REMOTE_ADDRESS, remote + Way.offset(id));
        putInt(request, REMOTE_KEY, remoteKey);
        piece(sends.pieces, slot, id, BYTES);
    }

    private void piece(long pieces, int slot, long id, int length) {
        putLong(pieces + slot * PIECE, PIECE_ADDRESS, memory + Way.offset(id));
        putInt(pieces + slot * PIECE, PIECE_LENGTH, length);
        putInt(pieces + slot * PIECE, PIECE_KEY, key);
    }

    private long refill(int batch, int batches) {
        long sum = 0;
        long id = 0;
        for (int n = 0; n < batches; n++) {
            for (int i = 0; i < batch; i++, id++) {
                putLong(receives.requests + i * RECEIVE, ID, id);
                putInt(receives.requests + i * RECEIVE, PIECE_COUNT, 1);
                piece(receives.pieces, i, id, ROOM);
            }
            receives.cut(batch);
            int result = DataPath.postCritical(postReceive, pairs[n & mask], receives.requests, bad);
            receives.join(batch);
            if (result != 0) {
                throw new IllegalStateException("ibv_post_recv: " + result);
            }
            sum += take();
        }
        return sum;
    }

    private long emptyPoll(int batches) {
        long sum = 0;
        for (int n = 0; n < batches; n++) {
            sum += DataPath.pollCritical(poll, queue, POLL_CAPACITY, completions);
        }
        return sum;
    }

    private long take() {
        long sum = 0;
        int count = DataPath.pollCritical(poll, queue, POLL_CAPACITY, completions);
        for (int i = 0; i < count; i++) {
            if (getInt(completions + i * COMPLETION, STATUS) != 0) {
                throw new IllegalStateException("status " + getInt(completions + i * COMPLETION, STATUS));
            }
            sum += getLong(completions + i * COMPLETION, COMPLETION_ID);
        }
        return sum;
    }
}
