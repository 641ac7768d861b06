package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.fake.FakeVerbs;
import java.lang.foreign.Arena;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A library whose structs lie differently is refused at once, and nothing stays behind. */
class AbiTest extends FakeDevice {

    private void assertRefused(String field, Executable creation) {
        Map<String, Integer> before = FakeVerbs.liveObjects();
        FakeVerbs.corrupt(field);

        String message = assertThrows(IllegalStateException.class, creation).getMessage();
        assertFalse(FakeVerbs.corruptionPending(), field);
        assertEquals(
                "ibv_" + field.replace("channel.context", "comp_channel.context")
                        + " does not read back as it was given: the installed libibverbs has another layout than"
                        + " Verbs4J knows; refusing to go on. Use the libibverbs.so.1 of rdma-core, and report its"
                        + " version",
                message);
        assertEquals(before, FakeVerbs.liveObjects(), "nothing leaked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"context.abi_compat", "context.device"})
    void shouldRefuseAContext(String field) {
        assertRefused(field, () -> Device.first().open());
    }

    @Test
    void shouldRefuseAProtectionDomain() {
        assertRefused("pd.context", () -> context.allocateProtectionDomain());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cq.context", "cq.channel", "cq.cq_context"})
    void shouldRefuseACompletionQueue(String field) {
        assertRefused(field, () -> context.createCompletionQueue(16));
    }

    @Test
    void shouldRefuseACompletionChannel() {
        DeviceContext other = keep(Device.first().open());

        assertRefused("channel.context", () -> other.createCompletionQueue(16));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mr.context", "mr.pd", "mr.addr", "mr.length"})
    void shouldRefuseAMemoryRegion(String field) {
        assertRefused(field, () -> domain.allocate(4096, AccessFlag.LOCAL_WRITE));
        assertRefused(field, () -> domain.register(Arena.ofAuto().allocate(64), AccessFlag.LOCAL_WRITE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"srq.context", "srq.pd"})
    void shouldRefuseASharedReceiveQueue(String field) {
        assertRefused(field, () -> domain.createSharedReceiveQueue(16, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mw.pd", "mw.type"})
    void shouldRefuseAMemoryWindow(String field) {
        assertRefused(field, () -> domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"qp.context", "qp.pd", "qp.srq", "qp.send_cq", "qp.recv_cq"})
    void shouldRefuseAQueuePair(String field) {
        assertRefused(field, () -> domain.createRc(options()));
        assertEquals(0, queue.reserved());
    }
}
