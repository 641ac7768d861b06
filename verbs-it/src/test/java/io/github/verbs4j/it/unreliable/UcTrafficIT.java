package io.github.verbs4j.it.unreliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Watchdog;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends and writes over an unreliable connection. */
class UcTrafficIT {
    private Unreliable client;
    private Unreliable server;

    @BeforeEach
    void connect() {
        client = new Unreliable();
        server = new Unreliable();
        Unreliable.connect(client, server);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 1025, 10_000})
    void shouldSend(int length) {
        server.receive(1, 0, 16 << 10);
        Bytes.fill(client.memory.segment(), 0, length, length);
        client.sends.send(2, client.memory, 0, length).signaled();
        client.post();
        client.await().requireSuccess(2, WorkOpcode.SEND);
        Done received = server.await().requireSuccess(1, WorkOpcode.RECEIVE);
        assertEquals(length, received.byteLength());
        Bytes.verify(server.memory.segment(), 0, length, length);
    }

    @Test
    void shouldSendImmediateDataAndInline() {
        server.receive(1, 0, 1024);
        Bytes.fill(client.memory.segment(), 0, 40, 1);
        client.sends.sendImmediate(2, client.memory, 0, 40, -7).inline().signaled();
        client.post();
        client.await().requireSuccess(2, WorkOpcode.SEND);
        Done received = server.await().requireSuccess(1, WorkOpcode.RECEIVE);
        assertEquals(OptionalInt.of(-7), received.immediate());
        Bytes.verify(server.memory.segment(), 0, 40, 1);
    }

    @Test
    void shouldWriteAndTellByImmediateData() {
        server.receive(1, 0, 0);
        Bytes.fill(client.memory.segment(), 0, 5000, 2);
        client.sends.write(2, client.memory, 0, 5000, server.memory.remote(), 100);
        client.sends
                .writeImmediate(3, client.memory, 0, 3000, server.memory.remote(), 10_000, 42)
                .signaled();
        client.post();
        client.await().requireSuccess(3, WorkOpcode.WRITE);
        Done received = server.await().requireSuccess(1, WorkOpcode.RECEIVE_WRITE_IMMEDIATE);
        assertEquals(OptionalInt.of(42), received.immediate());
        Bytes.verify(server.memory.segment(), 100, 5000, 2);
        Bytes.verify(server.memory.segment(), 10_000, 3000, 2);
    }

    @Test
    void shouldRefuseReadsBeforeTheDeviceFails() {
        UnsupportedOperationException thrown = assertThrows(
                UnsupportedOperationException.class,
                () -> client.sends.read(1, client.memory, 0, 8, server.memory.remote(), 0));
        Troubleshooting.line("A2").when("too much of a kind").mustBeIn(thrown.getMessage());
        assertThrows(
                UnsupportedOperationException.class,
                () -> client.sends.fetchAndAdd(1, client.memory, 0, server.memory.remote(), 0, 1));
        assertEquals(0, client.sends.staged());
    }

    /** Nobody waits for a receive: what finds none is gone, and its sender has success all the same. */
    @Test
    void shouldLoseAMessageWithoutAReceive() {
        client.sends.send(1, client.memory, 0, 8).signaled();
        client.post();
        client.await().requireSuccess(1, WorkOpcode.SEND);
        Watchdog.letPass();
        server.receive(2, 0, 1024);
        client.sends.send(3, client.memory, 0, 16).signaled();
        client.post();
        client.await().requireSuccess(3, WorkOpcode.SEND);
        assertEquals(16, server.await().requireSuccess(2, WorkOpcode.RECEIVE).byteLength());
    }
}
