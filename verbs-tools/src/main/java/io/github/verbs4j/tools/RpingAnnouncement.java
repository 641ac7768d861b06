package io.github.verbs4j.tools;

import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.RemoteRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The message of an rping: memory of the client's, in network byte order. The server's word to go on is as long, and empty.
 *
 * @param address first byte
 * @param key the client's remote key
 * @param size bytes
 */
record RpingAnnouncement(long address, int key, int size) {
    static final int BYTES = 16;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    static RpingAnnouncement of(RemoteRegion region) {
        return new RpingAnnouncement(region.address(), region.key().value(), Math.toIntExact(region.length()));
    }

    static RpingAnnouncement read(MemorySegment memory, long offset) {
        return new RpingAnnouncement(
                memory.get(LONG, offset), memory.get(INT, offset + 8), memory.get(INT, offset + 12));
    }

    void write(MemorySegment memory, long offset) {
        memory.set(LONG, offset, address);
        memory.set(INT, offset + 8, key);
        memory.set(INT, offset + 12, size);
    }

    RemoteRegion region() {
        return new RemoteRegion(address, size, new RemoteKey(key));
    }
}
