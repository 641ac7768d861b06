package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.RcPath;
import io.github.verbs4j.fake.FakeVerbs;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A garbage collection finishes while a call of the data path is blocked in the kernel, unless the call is critical. Each
 * case is a virtual machine of its own, since one of them stands still for ever.
 */
class BlockedCallTest {
    /** The calls that can be critical. */
    enum Call {
        POST("ibv_post_send"),
        POLL("ibv_poll_cq");

        private final String function;

        Call(String function) {
            this.function = function;
        }
    }

    /** Blocks a call in one thread, collects garbage in another, and only then lets the call go on. */
    static final class Collector {
        static final String CALLER = "blocked-caller";
        static final String COLLECTED = "collected while the call was blocked: ";
        static final String RETURNED = "the call returned";

        private Collector() {}

        public static void main(String[] arguments) throws InterruptedException {
            Call call = Call.valueOf(arguments[0]);
            Thread caller = Thread.ofPlatform().name(CALLER).start(() -> callWithBarrier(call));
            while (!FakeVerbs.waitsAtBarrier()) {
                Thread.onSpinWait();
            }
            System.gc();
            System.out.println(COLLECTED + FakeVerbs.waitsAtBarrier());
            FakeVerbs.liftBarrier();
            caller.join();
        }

        private static void callWithBarrier(Call call) {
            try (DeviceContext context = Device.first().open();
                    ProtectionDomain domain = context.allocateProtectionDomain();
                    MemoryRegion memory = domain.allocate(64);
                    CompletionQueue queue = context.createCompletionQueue(16);
                    RcQueuePair queuePair =
                            domain.createRc(QueuePairOptions.sharing(queue).depth(4, 4));
                    SendQueue sends = SendQueue.over(queuePair);
                    Completions completions = Completions.over(queue, 16)) {
                queuePair.connect(queuePair.initialize(context.gids(1).preferred()), RcPath.defaults());
                sends.send(1, memory, 0, 64);
                FakeVerbs.raiseBarrier(call.function);
                switch (call) {
                    case POST -> sends.post();
                    case POLL -> completions.poll();
                }
                System.out.println(RETURNED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCollectWhileACallOfAnUnknownProviderIsBlocked(Call call) throws Exception {
        ChildJvm.Result result = ChildJvm.run(List.of(), Collector.class, call.name());

        assertEquals(0, result.status(), result.output());
        assertTrue(result.output().contains(Collector.COLLECTED + true), result.output());
        assertTrue(result.output().contains(Collector.RETURNED), result.output());
    }

    /** The control: this is what the test above would see if the call were critical. */
    @ParameterizedTest
    @EnumSource
    void shouldStandStillIfTheUserMakesABlockingCallCritical(Call call) throws Exception {
        ChildJvm.Result result = ChildJvm.run(
                List.of(
                        "-Dio.github.verbs4j.critical=post,poll",
                        // the virtual machine gives up and names who keeps it from collecting
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:SafepointTimeoutDelay=1000",
                        "-XX:+AbortVMOnSafepointTimeout",
                        "-XX:+ErrorFileToStdout",
                        "-XX:-CreateCoredumpOnCrash"),
                Collector.class,
                call.name());

        assertNotEquals(0, result.status(), result.output());
        assertTrue(result.output().contains("Threads which did not reach the safepoint:"), result.output());
        assertTrue(result.output().contains("# \"" + Collector.CALLER + "\""), result.output());
        assertFalse(result.output().contains(Collector.COLLECTED), result.output());
    }
}
