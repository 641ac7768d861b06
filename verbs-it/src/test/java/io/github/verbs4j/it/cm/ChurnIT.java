package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.it.rdma.ChildJvm;
import io.github.verbs4j.it.rdma.Holdings;
import io.github.verbs4j.it.rdma.Rdma;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of connections come and go ({@code -Dit.churn=10000}), and nothing is left of them: in the kernel, in C, in Java. */
class ChurnIT {
    /** After these everything is compiled, and the allocator of C has what it keeps. */
    private static final int FIRST = 1000;

    private static final int THEN = Integer.getInteger("it.churn", 2500) - FIRST;

    /**
     * Each end of a connection has an identifier of C, of more than 500 bytes, and three events, of more than 300: to leave all of
     * the 1,500 after the first 1,000 would be 4 MiB, of 9,000 more 25 MiB. What compiler and allocator still take then is 1 MiB or
     * less.
     */
    private static final long MOST_GROWTH = 3 << 20;

    private static final Duration WATCHDOG = Duration.ofMinutes(20);

    @Test
    @Timeout(value = 25, unit = TimeUnit.MINUTES)
    void shouldLeaveNothingOfThousandsOfConnections() {
        String told = ChildJvm.runHere(
                        WATCHDOG,
                        List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"),
                        Program.class,
                        Integer.toString(FIRST),
                        Integer.toString(THEN))
                .requireSuccess();

        System.out.print(told);
    }

    /** In a process of its own, whose heap has a fixed size, so that what grows is native memory. */
    static final class Program {
        private Program() {}

        public static void main(String... arguments) throws Exception {
            int first = Integer.parseInt(arguments[0]);
            int then = Integer.parseInt(arguments[1]);
            try (DeviceContext context = Rdma.open();
                    ProtectionDomain domain = context.allocateProtectionDomain();
                    CompletionQueue queue = context.createCompletionQueue(1024);
                    Churn churn = new Churn(domain, queue)) {
                churn.connect(1); // what is made once and kept
                Holdings before = Holdings.now();
                churn.connect(first);
                requireNothingAlive();
                long resident = resident();
                long begun = System.nanoTime();
                churn.connect(then);
                double seconds = (System.nanoTime() - begun) / 1e9;
                before.requireAgain();
                requireNothingAlive();
                long growth = resident() - resident;
                System.out.printf(
                        "%d connections in %.0f s, %.0f a second; resident %d KiB, then %+d KiB%n",
                        then, seconds, then / seconds, resident >> 10, growth >> 10);
                assertTrue(growth <= MOST_GROWTH, () -> "resident memory grew by " + growth + " bytes");
            }
        }
    }

    /** Bytes of memory that the process has, what Java no longer needs being freed. */
    private static long resident() throws IOException, InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc(); // memory of C that belongs to objects of Java is freed some time later
            Thread.sleep(300);
        }
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(one -> one.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }

    /** Only the listener has an identifier, and no object of a connection is reachable from anywhere. */
    private static void requireNothingAlive() throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        assertEquals(1, alive(histogram, "Identifier"), histogram);
        for (String type : List.of("Connection", "ConnectionRequest", "Connector")) {
            assertEquals(0, alive(histogram, type), histogram);
        }
    }

    private static long alive(String histogram, String type) {
        return histogram
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > 3 && columns[3].equals("io.github.verbs4j.cm." + type))
                .mapToLong(columns -> Long.parseLong(columns[1]))
                .sum();
    }
}
