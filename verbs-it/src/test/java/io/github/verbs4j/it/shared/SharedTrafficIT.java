package io.github.verbs4j.it.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.Completions;
import io.github.verbs4j.attr.WorkOpcode;
import io.github.verbs4j.it.rdma.Bytes;
import io.github.verbs4j.it.rdma.Done;
import io.github.verbs4j.it.rdma.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Messages of several queue pairs into the receives of one queue. */
class SharedTrafficIT {
    private static final int CLIENTS = 4;
    private static final int DEPTH = 15;

    @Test
    void shouldGiveAReceiveToWhicheverQueuePairGetsAMessage() {
        try (Crowd crowd = new Crowd(CLIENTS, 2, DEPTH)) {
            List<Completions> readers = List.of(crowd.reader(0), crowd.reader(1));
            assertEquals(DEPTH, crowd.post(LongStream.range(0, DEPTH).toArray()));
            for (int round = 0; round < 25; round++) {
                for (int client = CLIENTS - 1; client >= 0; client--) {
                    Bytes.fill(
                            crowd.memory().segment(), (long) client * Crowd.PIECE, 100 + client, round * 10 + client);
                    crowd.send(client, 100 + client);
                    crowd.sent().requireSuccess(client, WorkOpcode.SEND);
                    Done got = Done.next(readers.get(client % 2));
                    assertEquals(
                            100 + client,
                            got.requireSuccess(got.id(), WorkOpcode.RECEIVE).byteLength());
                    assertEquals(crowd.server(client).number(), got.number());
                    Bytes.verify(crowd.memory().segment(), crowd.piece(got.id()), 100 + client, round * 10 + client);
                    assertEquals(1, crowd.post(got.id()), "its slot is free again");
                }
            }
        }
    }

    @Test
    void shouldTakeNoMoreThanItHolds() {
        try (Crowd crowd = new Crowd(2, 2, DEPTH)) {
            int depth = crowd.shared().depth();
            assertEquals(depth, crowd.post(LongStream.range(0, depth).toArray()));
            assertEquals(0, crowd.receives().available());
            assertEquals(0, crowd.receives().post());
            crowd.send(0, 8);
            crowd.send(1, 8);
            Done.next(crowd.reader(1));
            assertEquals(1, crowd.receives().available());
            Done.next(crowd.reader(0));
            assertEquals(2, crowd.receives().available());
        }
    }

    @Test
    void shouldFreeSlotsFromAllThreadsThatPoll() throws Exception {
        int each = 300;
        try (Crowd crowd = new Crowd(CLIENTS, CLIENTS, DEPTH);
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Integer>> pollers = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Completions reader = crowd.reader(i);
                reader.release();
                pollers.add(threads.submit(poll(reader, each)));
            }
            int all = CLIENTS * each;
            int posted = 0;
            for (int message = 0; message < all; message++) {
                if (posted == message) {
                    Watchdog.await("a free slot", () -> crowd.receives().available() > 0);
                }
                for (int room = crowd.receives().available(); room > 0 && posted < all; room--) {
                    assertEquals(1, crowd.post(posted++ % DEPTH));
                }
                crowd.send(message % CLIENTS, 64);
                crowd.sent().requireSuccess(message % CLIENTS, WorkOpcode.SEND);
            }
            for (Future<Integer> poller : pollers) {
                assertEquals(each, poller.get());
            }
            assertEquals(crowd.shared().depth(), crowd.receives().available(), "none is lost");
        }
    }

    private static Callable<Integer> poll(Completions reader, int count) {
        return () -> {
            reader.acquire();
            try {
                int[] got = new int[1];
                Watchdog.await("all messages", () -> {
                    got[0] += reader.poll();
                    return got[0] >= count;
                });
                return got[0];
            } finally {
                reader.release();
            }
        };
    }

    @Test
    void shouldFreeWhatAQueuePairLeftBehindThatIsGone() {
        try (Crowd crowd = new Crowd(1, 1, DEPTH)) {
            crowd.post(1, 2, 3);
            crowd.send(0, 8);
            crowd.send(0, 8);
            crowd.sent().requireSuccess(0, WorkOpcode.SEND);
            crowd.sent().requireSuccess(0, WorkOpcode.SEND);
            crowd.server(0).close();
            Completions reader = crowd.reader(0);
            Done.next(reader, 2).forEach(done -> done.requireSuccess(done.id(), WorkOpcode.RECEIVE));
            assertEquals(crowd.shared().depth() - 1, crowd.receives().available());
        }
    }
}
