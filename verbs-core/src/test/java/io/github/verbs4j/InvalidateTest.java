package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.RemoteKey;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.fake.FakeVerbs;
import io.github.verbs4j.fake.PostedSend;
import io.github.verbs4j.fake.Sge;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys taken back, here and at the peer. */
class InvalidateTest extends FakeDevice {
    private static final RemoteKey KEY = new RemoteKey(0x89ab_cdef);

    private SendQueue sends;
    private ReceiveQueue receives;
    private Completions completions;

    @BeforeEach
    void connect() {
        RcQueuePair queuePair = connected();
        sends = sends(queuePair);
        receives = receives(queuePair);
        completions = completions();
    }

    private PostedSend posted() {
        FakeVerbs.holdCompletions();
        assertEquals(1, sends.post());
        return FakeVerbs.postedSends().getLast();
    }

    @Test
    void shouldStageASendThatTakesAKeyBack() {
        sends.sendInvalidate(7, memory, 100, 50, KEY);
        PostedSend posted = posted();

        assertEquals(9, posted.opcode());
        assertEquals(7, posted.wrId());
        assertEquals(KEY.value(), posted.immediate(), "host order, unlike immediate data");
        assertEquals(
                List.of(new Sge(memory.address() + 100, 50, memory.localKey().value())), posted.elements());
    }

    @Test
    void shouldTakePiecesAndInlineData() {
        memory.segment().set(ValueLayout.JAVA_INT, 0, 0x0403_0201);
        sends.sendInvalidate(7, memory, 0, 2, KEY).inline().and(memory, 2, 2);

        assertArrayEquals(new byte[] {1, 2, 3, 4}, posted().inlined());
    }

    @Test
    void shouldStageALocalInvalidation() {
        sends.sendImmediate(1, memory, 0, 8, -1).post();
        sends.write(2, memory, 0, 8, memory.remote(), 0).discard();
        sends.invalidate(3, KEY).fence();
        PostedSend posted = posted();

        assertEquals(7, posted.opcode());
        assertEquals(3, posted.wrId());
        assertEquals(1, posted.flags());
        assertEquals(KEY.value(), posted.immediate());
        assertEquals(List.of(), posted.elements());
    }

    @Test
    void shouldRefuseDataOfALocalInvalidation() {
        sends.invalidate(1, KEY);
        assertThrows(IllegalStateException.class, () -> sends.and(memory, 0, 8));
        assertThrows(IllegalStateException.class, sends::inline);
        assertEquals(List.of(), posted().elements());
    }

    @Test
    void shouldRefuseMoreThanItHolds() {
        for (int i = 0; i < 8; i++) {
            sends.invalidate(i, KEY);
        }
        String message = assertThrows(IllegalStateException.class, () -> sends.invalidate(8, KEY))
                .getMessage();
        assertTrue(message.contains("8 requests are staged"), message);
    }

    @Test
    void shouldTellWhichKeyAMessageTookBack() {
        receives.receive(1, memory, 0, 64).receive(2, memory, 0, 64).post();
        sends.sendInvalidate(3, memory, 0, 8, KEY);
        sends.send(4, memory, 0, 8);
        sends.invalidate(5, KEY).signaled().post();

        assertEquals(3, completions.poll());
        completions.next();
        assertTrue(completions.hasInvalidatedKey());
        assertFalse(completions.hasImmediate());
        assertEquals(KEY.value(), completions.invalidatedKey());
        assertThrows(IllegalStateException.class, completions::immediate);
        completions.next();
        assertFalse(completions.hasInvalidatedKey());
        assertEquals(
                "completion of request 2 took no key back",
                assertThrows(IllegalStateException.class, completions::invalidatedKey)
                        .getMessage());
        completions.next();
        assertEquals(WorkOpcode.LOCAL_INVALIDATE, completions.opcode());
    }

    @Test
    void shouldTellNothingOfAFailure() {
        FakeVerbs.failNextSend(10);
        sends.send(1, memory, 0, 8).post();
        completions.poll();
        completions.next();

        assertThrows(IllegalStateException.class, completions::hasInvalidatedKey);
        assertThrows(IllegalStateException.class, completions::invalidatedKey);
    }
}
