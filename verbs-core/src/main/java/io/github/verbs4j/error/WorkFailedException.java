package io.github.verbs4j.error;

import java.util.Objects;
import java.util.Optional;

/**
 * A work request completed with an error. A request that was flushed is the echo of an earlier failure on the same
 * queue pair; that one is {@link #firstFailure()} and also {@link #getCause()}.
 */
public class WorkFailedException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final long id;
    private final int statusCode;
    private final String statusName;
    private final int vendorError;
    private final int queuePairNumber;
    private final WorkFailedException firstFailure;

    private WorkFailedException(
            Builder builder,
            long id,
            int statusCode,
            String statusName,
            int vendorError,
            int queuePairNumber,
            WorkFailedException firstFailure) {
        super(builder);
        this.id = id;
        this.statusCode = statusCode;
        this.statusName = statusName;
        this.vendorError = vendorError;
        this.queuePairNumber = queuePairNumber;
        this.firstFailure = firstFailure;
    }

    /**
     * Makes the exception of a failed completion.
     *
     * @param id the work request's id ({@code wr_id})
     * @param statusCode the status as a number ({@code enum ibv_wc_status})
     * @param statusName the status as C names it, for example {@code IBV_WC_RNR_RETRY_EXC_ERR}
     * @param meaning what the status means; empty if unknown
     * @param hint what to look at next; empty if unknown
     * @param vendorError the vendor's own code ({@code vendor_err})
     * @param queuePairNumber the queue pair's number
     * @param deviceName the device, for example {@code rxe0}; null or empty if unknown
     * @param firstFailure the first failure on the queue pair, if this one is its echo, else null
     * @return the exception
     */
    public static WorkFailedException of(
            long id,
            int statusCode,
            String statusName,
            String meaning,
            String hint,
            int vendorError,
            int queuePairNumber,
            String deviceName,
            WorkFailedException firstFailure) {
        Objects.requireNonNull(statusName, "statusName");
        Objects.requireNonNull(meaning, "meaning");
        Objects.requireNonNull(hint, "hint");
        boolean named = deviceName != null && !deviceName.isEmpty();
        Builder builder = VerbsException.of("ibv_poll_cq")
                .device(deviceName)
                .headline("work request " + id + " failed on queue pair " + queuePairNumber
                        + (named ? " of " + deviceName : "") + ": " + statusName + " (" + statusCode + ")"
                        + (vendorError == 0 ? "" : ", vendor error 0x" + Integer.toHexString(vendorError)));
        if (firstFailure == null) {
            builder.cause(meaning).next(hint);
        } else {
            builder.thrown(firstFailure)
                    .cause("not this request: it is the echo of the queue pair's first failure, work request "
                            + firstFailure.id + ": " + firstFailure.statusName + " (" + firstFailure.statusCode + ")"
                            + firstFailure
                                    .likelyCause()
                                    .map(text -> "\n" + text)
                                    .orElse(""))
                    .next(firstFailure.nextStep().orElse("look at the first failure"));
        }
        return new WorkFailedException(builder, id, statusCode, statusName, vendorError, queuePairNumber, firstFailure);
    }

    /** {@return the work request's id ({@code wr_id})} */
    public long id() {
        return id;
    }

    /** {@return the status as a number ({@code enum ibv_wc_status})} */
    public int statusCode() {
        return statusCode;
    }

    /** {@return the status as C names it, for example {@code IBV_WC_RNR_RETRY_EXC_ERR}} */
    public String statusName() {
        return statusName;
    }

    /** {@return the vendor's own code ({@code vendor_err}), 0 if there is none} */
    public int vendorError() {
        return vendorError;
    }

    /** {@return the queue pair's number} */
    public int queuePairNumber() {
        return queuePairNumber;
    }

    /** {@return the first failure on the queue pair, if this one is its echo} */
    public Optional<WorkFailedException> firstFailure() {
        return Optional.ofNullable(firstFailure);
    }
}
