package io.github.verbs4j.internal;

import static io.github.verbs4j.ffi.RawMemory.getInt;
import static io.github.verbs4j.ffi.RawMemory.getLong;
import static io.github.verbs4j.ffi.RawMemory.putLong;

import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.ffi.BuilderDataVerbs;
import io.github.verbs4j.ffi.BuilderVerbs;
import io.github.verbs4j.ffi.NewerVerbs;
import io.github.verbs4j.ffi.ibv_qp_ex;
import io.github.verbs4j.ffi.ibv_send_wr;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * {@code ibv_wr_*}: posts staged requests by building each in a section of its queue pair, all or none. Nothing but this
 * loop runs while the provider holds the queue pair's lock, whatever it throws ends the section, and there is room on the stack
 * for all of it before it begins.
 */
public final class Builders {
    private static final long OPCODE = ibv_send_wr.opcode$offset();
    private static final long IMMEDIATE = ibv_send_wr.imm_data$offset();
    private static final long INVALIDATED = ibv_send_wr.invalidate_rkey$offset();
    private static final long RDMA = ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma$offset();
    private static final long REMOTE_ADDRESS = RDMA + ibv_send_wr.wr.rdma.remote_addr$offset();
    private static final long REMOTE_KEY = RDMA + ibv_send_wr.wr.rdma.rkey$offset();
    private static final long ATOMIC = ibv_send_wr.wr$offset() + ibv_send_wr.wr.atomic$offset();
    private static final long COMPARE_ADD = ATOMIC + ibv_send_wr.wr.atomic.compare_add$offset();
    private static final long SWAP = ATOMIC + ibv_send_wr.wr.atomic.swap$offset();
    private static final long ATOMIC_KEY = ATOMIC + ibv_send_wr.wr.atomic.rkey$offset();
    private static final long DATAGRAM = ibv_send_wr.wr$offset() + ibv_send_wr.wr.ud$offset();
    private static final long PEER = DATAGRAM + ibv_send_wr.wr.ud.ah$offset();
    private static final long PEER_NUMBER = DATAGRAM + ibv_send_wr.wr.ud.remote_qpn$offset();
    private static final long PEER_KEY = DATAGRAM + ibv_send_wr.wr.ud.remote_qkey$offset();
    private static final long BIND = ibv_send_wr.bind_mw$offset();
    private static final long WINDOW = BIND + ibv_send_wr.bind_mw.mw$offset();
    private static final long WINDOW_KEY = BIND + ibv_send_wr.bind_mw.rkey$offset();
    private static final long WINDOW_RANGE = BIND + ibv_send_wr.bind_mw.bind_info$offset();

    private static final String SOFT_ROCE = "rxe";
    /** {@code IBV_FLUSH_RANGE}. */
    private static final byte FLUSH_RANGE = 0;

    private final MemorySegment queuePair;
    private final Set<SendOperation> operations;
    private final boolean datagrams;
    private final boolean miscountsPieces;
    private final StackRoom room = new StackRoom();

    /**
     * The builders of a queue pair.
     *
     * @param queuePair {@code struct ibv_qp_ex *}
     * @param operations what it was created to build
     * @param datagrams whether each request has a receiver of its own
     * @param provider short name of its provider
     */
    public Builders(MemorySegment queuePair, Set<SendOperation> operations, boolean datagrams, String provider) {
        this.queuePair = queuePair;
        this.operations = operations;
        this.datagrams = datagrams;
        this.miscountsPieces = provider.equals(SOFT_ROCE);
        StackRoom.initialize(
                BuilderVerbs.class,
                BuilderDataVerbs.class,
                ibv_qp_ex.wr_start.class,
                ibv_qp_ex.wr_complete.class,
                ibv_qp_ex.wr_abort.class);
    }

    /**
     * {@return whether {@code ibv_post_send} must be called instead} Soft-RoCE before rdma-core 64 takes every piece that is
     * set by a builder for as long as the first; what is posted goes into the same ring either way.
     *
     * @param requests staged
     * @param count how many of them
     */
    public boolean mustPost(SendRequests requests, int count) {
        boolean lists = false;
        for (int slot = 0; miscountsPieces && slot < count; slot++) {
            lists |= requests.entryCount(slot) > 1;
        }
        return lists;
    }

    /**
     * Refuses what the queue pair was not created for: its function is NULL. And what can only be built, beside what must be
     * posted: {@code ibv_post_send} of Soft-RoCE would send an atomic write or a flush without its key.
     *
     * @param requests staged
     * @param count how many of them
     * @param name of the queue pair
     */
    public void requireOperations(SendRequests requests, int count, Object name) {
        boolean posted = mustPost(requests, count);
        for (int slot = 0; slot < count; slot++) {
            SendOperation operation = operation(requests.request(slot));
            if (posted && (operation == SendOperation.ATOMIC_WRITE || operation == SendOperation.FLUSH)) {
                throw new UnsupportedOperationException("request " + slot + " is a " + operation + ", in a batch with a"
                        + " request of several pieces, which this provider cannot build: discard() them and post()"
                        + " the two kinds apart");
            }
            if (!operations.contains(operation)) {
                throw new UnsupportedOperationException("request " + slot + " is a " + operation + ": " + name
                        + " was created to build " + operations
                        + "; ask for more with QueuePairOptions.extended, or discard() it");
            }
        }
    }

    /**
     * Builds and posts.
     *
     * @param requests staged
     * @param count how many of them
     * @return 0, or the errno of the first that failed, and then none has gone
     */
    public int post(SendRequests requests, int count) {
        room.require();
        BuilderVerbs.ibv_wr_start(queuePair);
        boolean built = false;
        try {
            for (int slot = 0; slot < count; slot++) {
                build(requests, slot);
            }
            built = true;
        } finally {
            if (!built) {
                BuilderVerbs.ibv_wr_abort(queuePair);
            }
        }
        int result = BuilderVerbs.ibv_wr_complete(queuePair);
        room.passed();
        if (result != 0) {
            putLong(requests.badAddress(), 0, requests.address());
        }
        return result;
    }

    private void build(SendRequests requests, int slot) {
        long request = requests.request(slot);
        SendOperation operation = operation(request);
        BuilderVerbs.wr_id(queuePair, getLong(request, RequestChain.ID));
        BuilderVerbs.wr_flags(queuePair, requests.flags(slot));
        start(operation, request);
        if (datagrams) {
            BuilderDataVerbs.ibv_wr_set_ud_addr(
                    queuePair,
                    MemorySegment.ofAddress(getLong(request, PEER)),
                    getInt(request, PEER_NUMBER),
                    getInt(request, PEER_KEY));
        }
        if (operation.carriesData()) {
            setData(requests, slot);
        }
    }

    private void start(SendOperation operation, long r) {
        switch (operation) {
            case WRITE -> BuilderVerbs.ibv_wr_rdma_write(queuePair, getInt(r, REMOTE_KEY), getLong(r, REMOTE_ADDRESS));
            case WRITE_IMMEDIATE ->
                BuilderVerbs.ibv_wr_rdma_write_imm(
                        queuePair, getInt(r, REMOTE_KEY), getLong(r, REMOTE_ADDRESS), getInt(r, IMMEDIATE));
            case SEND -> BuilderVerbs.ibv_wr_send(queuePair);
            case SEND_IMMEDIATE -> BuilderVerbs.ibv_wr_send_imm(queuePair, getInt(r, IMMEDIATE));
            case SEND_INVALIDATE -> BuilderVerbs.ibv_wr_send_inv(queuePair, getInt(r, INVALIDATED));
            case READ -> BuilderVerbs.ibv_wr_rdma_read(queuePair, getInt(r, REMOTE_KEY), getLong(r, REMOTE_ADDRESS));
            case LOCAL_INVALIDATE -> BuilderVerbs.ibv_wr_local_inv(queuePair, getInt(r, INVALIDATED));
            case BIND_MEMORY_WINDOW ->
                BuilderVerbs.ibv_wr_bind_mw(
                        queuePair,
                        MemorySegment.ofAddress(getLong(r, WINDOW)),
                        getInt(r, WINDOW_KEY),
                        MemorySegment.ofAddress(r + WINDOW_RANGE));
            case COMPARE_AND_SWAP, FETCH_AND_ADD, ATOMIC_WRITE, FLUSH -> startAtomic(operation, r);
        }
    }

    private void startAtomic(SendOperation operation, long r) {
        int key = getInt(r, ATOMIC_KEY);
        long remote = getLong(r, REMOTE_ADDRESS);
        long value = getLong(r, COMPARE_ADD);
        switch (operation) {
            case COMPARE_AND_SWAP ->
                BuilderVerbs.ibv_wr_atomic_cmp_swp(queuePair, key, remote, value, getLong(r, SWAP));
            case FETCH_AND_ADD -> BuilderVerbs.ibv_wr_atomic_fetch_add(queuePair, key, remote, value);
            case ATOMIC_WRITE ->
                BuilderVerbs.ibv_wr_atomic_write(queuePair, key, remote, MemorySegment.ofAddress(r + COMPARE_ADD));
            default -> NewerVerbs.ibv_wr_flush(queuePair, key, remote, value, (byte) getLong(r, SWAP), FLUSH_RANGE);
        }
    }

    /** Inline data lies in one piece already: the list of inline pieces is what Soft-RoCE miscounts too. */
    private void setData(SendRequests requests, int slot) {
        int count = requests.entryCount(slot);
        if ((requests.flags(slot) & SendRequests.INLINE) != 0) {
            long length = count == 0 ? 0 : requests.firstLength(slot);
            BuilderDataVerbs.ibv_wr_set_inline_data(
                    queuePair, MemorySegment.ofAddress(requests.firstAddress(slot)), length);
        } else {
            BuilderDataVerbs.ibv_wr_set_sge_list(queuePair, count, MemorySegment.ofAddress(requests.entryAt(slot, 0)));
        }
    }

    private static SendOperation operation(long request) {
        return SendOperation.ofOpcode(getInt(request, OPCODE));
    }
}
