package io.github.verbs4j.it.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RemoteRegion;
import io.github.verbs4j.it.rdma.Rdma;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocateIT {
    @ParameterizedTest
    @ValueSource(longs = {1, 4095, 4096, 4097, 16 << 20})
    void shouldGiveZeroedPageAlignedMemoryOfAnyLength(long bytes) {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(bytes, AccessFlag.LOCAL_WRITE)) {
            assertEquals(bytes, memory.length());
            assertEquals(bytes, memory.segment().byteSize());
            assertEquals(memory.address(), memory.segment().address());
            assertEquals(0, memory.address() % 4096);
            assertEquals(
                    -1,
                    memory.segment().mismatch(MemorySegment.ofArray(new byte[(int) bytes])),
                    "first byte that is not 0");
        }
    }

    @Test
    void shouldTellThePeerAddressLengthAndKey() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(1000, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ)) {
            assertEquals(new RemoteRegion(memory.address(), 1000, memory.remoteKey()), memory.remote());
            assertEquals(EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ), memory.access());
        }
    }

    @Test
    void shouldRefuseRemoteWriteWithoutLocalWrite() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            assertThrows(IllegalArgumentException.class, () -> domain.allocate(100, AccessFlag.REMOTE_WRITE));
            assertThrows(IllegalArgumentException.class, () -> domain.allocate(100, AccessFlag.REMOTE_ATOMIC));
        }
    }

    @Test
    void shouldEndTheSegmentWithTheRegion() {
        try (DeviceContext context = Rdma.open();
                ProtectionDomain domain = context.allocateProtectionDomain()) {
            MemoryRegion memory = domain.allocate(100, AccessFlag.LOCAL_WRITE);
            MemorySegment segment = memory.segment();
            memory.close();
            assertFalse(segment.scope().isAlive());
            assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        }
    }
}
