package io.github.verbs4j.attr;

/**
 * {@code ibv_qp_cap}: how much a queue pair holds, asked for or granted. What is granted is at least what was asked.
 *
 * @param sendDepth {@code max_send_wr}: send requests that may be outstanding
 * @param receiveDepth {@code max_recv_wr}: receives that may be outstanding
 * @param sendSegments {@code max_send_sge}: scatter/gather entries of one send request
 * @param receiveSegments {@code max_recv_sge}: scatter/gather entries of one receive
 * @param inlineBytes {@code max_inline_data}: bytes that a send request can carry in itself
 */
public record QueuePairCapacity(
        int sendDepth, int receiveDepth, int sendSegments, int receiveSegments, int inlineBytes) {
    /**
     * Checks that nothing is negative.
     *
     * @throws IllegalArgumentException naming the field that is
     */
    public QueuePairCapacity {
        requireNotNegative(sendDepth, "sendDepth");
        requireNotNegative(receiveDepth, "receiveDepth");
        requireNotNegative(sendSegments, "sendSegments");
        requireNotNegative(receiveSegments, "receiveSegments");
        requireNotNegative(inlineBytes, "inlineBytes");
    }

    private static void requireNotNegative(int value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(name + "=" + value + " is negative");
        }
    }
}
