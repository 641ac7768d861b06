package io.github.verbs4j.it.builders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.QueuePairOptions;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.UcQueuePair;
import io.github.verbs4j.UdQueuePair;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.docs.Troubleshooting;
import io.github.verbs4j.it.rdma.Rdma;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What rdma-core's own {@code test_qp.py} tests of creation: every kind of queue pair, with requests that are posted and with
 * such that are built, as it is made and led to INIT.
 */
class QueuePairCreationIT {
    private enum Kind {
        RC,
        UC,
        UD
    }

    private DeviceContext context;
    private ProtectionDomain domain;
    private CompletionQueue queue;

    @BeforeEach
    void open() {
        context = Rdma.open();
        domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(128);
    }

    @AfterEach
    void close() {
        queue.close();
        domain.close();
        context.close();
    }

    private static Stream<Arguments> everyKindAndWay() {
        return Stream.of(Kind.values()).flatMap(kind -> Stream.of(Arguments.of(kind, false), Arguments.of(kind, true)));
    }

    private QueuePair create(Kind kind, boolean built) {
        QueuePairOptions options = QueuePairOptions.sharing(queue).depth(8, 16).segments(2, 3);
        QueuePairOptions asked = built ? options.extended(SendOperation.SEND, SendOperation.SEND_IMMEDIATE) : options;
        return switch (kind) {
            case RC -> domain.createRc(asked);
            case UC -> domain.createUc(asked);
            case UD -> domain.createUd(asked);
        };
    }

    @Test
    void shouldBeOfThreeKinds() {
        try (QueuePair rc = create(Kind.RC, false);
                QueuePair uc = create(Kind.UC, false);
                QueuePair ud = create(Kind.UD, false)) {
            Troubleshooting.line("A2").when("kinds").mustBeIn(rc + "\n" + uc + "\n" + ud);
        }
    }

    @ParameterizedTest
    @MethodSource("everyKindAndWay")
    void shouldBeCreatedInReset(Kind kind, boolean built) {
        try (QueuePair made = create(kind, built)) {
            assertEquals(QueuePairState.RESET, made.query().state());
            QueuePairCapacity granted = made.capacity();
            assertTrue(granted.sendDepth() >= 8 && granted.receiveDepth() >= 16, granted::toString);
            assertTrue(granted.sendSegments() >= 2 && granted.receiveSegments() >= 3, granted::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("everyKindAndWay")
    void shouldBeLedToInit(Kind kind, boolean built) {
        GidEntry gid = Rdma.gid(context);
        try (QueuePair made = create(kind, built)) {
            switch (made) {
                case RcQueuePair connected -> connected.initialize(gid);
                case UcQueuePair connected -> connected.initialize(gid);
                case UdQueuePair datagrams -> datagrams.initialize(gid, 0x1111_1111);
            }
            assertEquals(QueuePairState.INIT, made.query().state());
        }
    }
}
