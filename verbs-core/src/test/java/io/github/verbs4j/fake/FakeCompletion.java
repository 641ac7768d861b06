package io.github.verbs4j.fake;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/** A completion to push into a queue by hand; the immediate is given as it lies in memory. */
public record FakeCompletion(
        long wrId,
        int status,
        int opcode,
        int vendorError,
        int byteLength,
        int immediate,
        int qpNum,
        int sourceQp,
        int flags) {

    public static FakeCompletion success(long wrId, int opcode, int qpNum) {
        return new FakeCompletion(wrId, 0, opcode, 0, 0, 0, qpNum, 0, 0);
    }

    public static FakeCompletion failure(long wrId, int status, int vendorError, int qpNum) {
        return new FakeCompletion(wrId, status, 0xdeadbeef, vendorError, 0xbadc0de5, 0x5a5a5a5a, qpNum, 0xbadbad, -1);
    }

    MemorySegment toNative(SegmentAllocator allocator) {
        MemorySegment wc = allocator.allocate(48, 8);
        wc.set(ValueLayout.JAVA_LONG, 0, wrId);
        int[] rest = {status, opcode, vendorError, byteLength, immediate, qpNum, sourceQp, flags};
        for (int i = 0; i < rest.length; i++) {
            wc.set(ValueLayout.JAVA_INT, 8 + 4L * i, rest[i]);
        }
        return wc;
    }
}
