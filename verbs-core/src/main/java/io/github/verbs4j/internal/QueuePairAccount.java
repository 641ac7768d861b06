package io.github.verbs4j.internal;

import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.WorkStatus;
import io.github.verbs4j.error.WorkFailedException;
import io.github.verbs4j.event.StateEvent;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the posting and the polling side of a queue pair must both know: slots, whether posting is allowed, and the first
 * failure.
 */
public final class QueuePairAccount {
    private static final StateEvent RECORDING = new StateEvent();

    private final String name;
    private final int number;
    private final String device;
    private final Slots sends;
    private final Slots receives;
    private final AtomicReference<Object> sender = new AtomicReference<>();
    private final AtomicReference<Object> receiver = new AtomicReference<>();
    private final AtomicReference<WorkFailedException> firstFailure = new AtomicReference<>();
    /** Counts the lives of the send queue, from 1: a reset begins one, and so does the way out of SQE. */
    private int sendLife = 1;
    /** Counts the lives of the receive queue, from 1: a reset begins one. */
    private int receiveLife = 1;

    /** Why it was led to ERR, or null. */
    private volatile String reason;

    private volatile boolean failed;
    /** Where the queue pair was led. */
    private volatile QueuePairState state = QueuePairState.RESET;
    /** Whether anything could be posted in the present life. */
    private boolean posted;

    /**
     * Opens an account.
     *
     * @param name what messages call the queue pair
     * @param number the queue pair's number
     * @param device name of its device
     * @param sends slots of the send queue
     * @param receives slots of the receive queue, its own or a shared one
     */
    public QueuePairAccount(String name, int number, String device, Slots sends, Slots receives) {
        this.name = name;
        this.number = number;
        this.device = device;
        this.sends = sends;
        this.receives = receives;
    }

    /** {@return the queue pair's number} */
    public int number() {
        return number;
    }

    /** {@return slots of the send queue} */
    public Slots sends() {
        return sends;
    }

    /** {@return slots of the receive queue} */
    public Slots receives() {
        return receives;
    }

    /** {@return the one work object that sends, or null} */
    public AtomicReference<Object> sender() {
        return sender;
    }

    /** {@return the one work object that receives, or null} */
    public AtomicReference<Object> receiver() {
        return receiver;
    }

    /** {@return the state that the queue pair is known to be in: where it was led, or ERR after a failed completion} */
    QueuePairState state() {
        return failed ? QueuePairState.ERR : state;
    }

    /** {@return the state that the queue pair was led to last} */
    QueuePairState led() {
        return state;
    }

    /**
     * Notes a new state.
     *
     * @param from the state before
     * @param reached where it is now
     * @param cause what led it there
     */
    void arrived(QueuePairState from, QueuePairState reached, String cause) {
        state = reached;
        tell(from, reached, cause);
    }

    private void tell(QueuePairState from, QueuePairState reached, String cause) {
        if (RECORDING.isEnabled()) {
            new StateEvent().tell(name, from.name(), reached.name(), cause);
        }
    }

    /**
     * Says what may be posted from now on.
     *
     * @param mayReceive whether receives may
     * @param maySend whether sends may
     */
    public synchronized void allow(boolean mayReceive, boolean maySend) {
        if (mayReceive || maySend) {
            posted = true;
            reason = null; // of an earlier end
        }
        receives.open(mayReceive && !failed ? receiveLife : Slots.CLOSED);
        sends.open(maySend && !failed ? sendLife : Slots.CLOSED);
    }

    /** Starts a new life after a reset: nothing is outstanding and nothing has failed. */
    public synchronized void reset() {
        sendLife++;
        receiveLife++;
        failed = false;
        posted = false;
        firstFailure.set(null);
        allow(false, false);
    }

    /** Starts a new life of the send queue after SQE: its sends are gone, while receives were and are served. */
    public synchronized void recoverSends() {
        sendLife++;
        failed = false;
        firstFailure.set(null);
    }

    /** {@return whether a completion has failed in the present life, so that the queue pair is in ERR, or in SQE} */
    public boolean hasFailed() {
        return failed;
    }

    /**
     * Notes why it is led to ERR: before posting is refused, as who is refused asks why.
     *
     * @param why the reason; the first one since something could be posted counts
     */
    public synchronized void explain(String why) {
        if (reason == null) {
            reason = why;
        }
    }

    /** {@return why it was led to ERR, or null} */
    public String reason() {
        return reason;
    }

    /** {@return the first failure that was not an echo, or null} */
    public WorkFailedException firstFailure() {
        return firstFailure.get();
    }

    /**
     * Polling side: adds successful completions. Each count has one writer: the thread that polls the sends' completion
     * queue, and the thread that polls the receives'.
     *
     * @param sendCount completed send requests
     * @param receiveCount completed receives
     */
    public void complete(int sendCount, int receiveCount) {
        if (sendCount != 0) {
            sends.complete(sendCount);
        }
        if (receiveCount != 0) {
            receives.complete(receiveCount);
        }
    }

    /**
     * Polling side: notes a failed completion. As long as nothing could be posted since a reset, it is a late one from
     * before, and says nothing of the queue pair.
     *
     * @param id the request's id
     * @param status number of {@code ibv_wc_status}
     * @param vendorError the vendor's code
     */
    public synchronized void fail(long id, int status, int vendorError) {
        if (!posted) {
            return;
        }
        // before posting is refused: who is refused asks why
        if (status != WorkStatus.WR_FLUSH_ERR.code() && firstFailure.get() == null) {
            firstFailure.set(failure(id, status, vendorError, number, device, null));
        }
        if (!failed) {
            receives.failed();
            tell(state, QueuePairState.ERR, "a failed completion");
        }
        failed = true;
        allow(false, false);
    }

    /**
     * {@return the exception of a failed completion}
     *
     * @param id the request's id
     * @param status number of {@code ibv_wc_status}
     * @param vendorError the vendor's code
     * @param number the queue pair's number
     * @param device name of the device
     * @param first the queue pair's first failure, or null
     */
    public static WorkFailedException failure(
            long id, int status, int vendorError, int number, String device, WorkFailedException first) {
        WorkStatus named = WorkStatus.ofCode(status);
        String name = named == WorkStatus.UNKNOWN ? "status " + status : "IBV_WC_" + named;
        boolean same = first != null && first.id() == id && first.statusCode() == status;
        return WorkFailedException.of(
                id, status, name, named.meaning(), named.hint(), vendorError, number, device, same ? null : first);
    }
}
