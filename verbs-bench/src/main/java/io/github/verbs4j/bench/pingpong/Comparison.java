package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.bench.BenchFailure;
import io.github.verbs4j.bench.Machine;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Java and its C twin on one device, two processes each, which take turns: while one pair plays, the other sleeps. No
 * process is left behind, however it ends.
 */
final class Comparison implements AutoCloseable {
    /** A small heap, whose collector has no threads. */
    private static final List<String> JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-Xms32m", "-Xmx64m");

    /** Emulators before QEMU 8.1 may tear code that one compiler of the virtual machine replaces by that of the other. */
    private static final List<String> ONE_COMPILER = List.of("-XX:-TieredCompilation");

    private final PingpongPlan plan;
    private final Pair c;
    private final Pair java;
    private final Thread killer = new Thread(this::kill);

    private Comparison(PingpongPlan plan, Pair c, Pair java) {
        this.plan = plan;
        this.c = c;
        this.java = java;
        Runtime.getRuntime().addShutdownHook(killer);
    }

    /**
     * Starts the four ends.
     *
     * @param plan how much is measured
     * @param target what is measured
     * @param machine where
     * @param program the C end, compiled
     * @param directory for their error streams
     */
    static Comparison start(PingpongPlan plan, Target target, Machine machine, Path program, Path directory) {
        List<String> arguments = List.of(
                target.device(),
                Integer.toString(target.gid().port()),
                Integer.toString(target.gid().index()),
                Integer.toString(plan.longest()),
                plan.yielding() ? "yield" : "spin");
        Inbox inbox = new Inbox();
        Pair c = Pair.start("C", join(List.of(program.toString()), arguments), directory, inbox);
        Pair java = null;
        try {
            java = Pair.start("Java", join(javaCommand(machine), arguments), directory, inbox);
        } finally {
            if (java == null) {
                c.close();
            }
        }
        return new Comparison(plan, c, java);
    }

    /**
     * {@return what the Java ends run with}
     *
     * @param machine where
     */
    static List<String> javaOptions(Machine machine) {
        return machine.isEmulated() ? join(JVM_OPTIONS, ONE_COMPILER) : JVM_OPTIONS;
    }

    private static List<String> javaCommand(Machine machine) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(javaOptions(machine));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PingpongEnd.class.getName()));
        return command;
    }

    private static List<String> join(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /**
     * Lets the ends meet.
     *
     * @param placement where they poll
     */
    void connect(Placement placement) {
        c.connect(placement);
        java.connect(placement);
    }

    /**
     * Lets the Java ends play, with a rest after each turn in which their compilers catch up: on an emulated machine they need
     * minutes, in which the ends would only be in their way. What C needs are warm caches, which every turn begins with.
     */
    void warmUp() {
        for (int turn = 0; turn < plan.warmupTurns(); turn++) {
            java.run(plan.sizes().getFirst(), plan.warmupTurn());
        }
    }

    /** {@return the rounds of a size that count} */
    List<Round> measure(int size) {
        List<Round> rounds = new ArrayList<>();
        for (int number = -plan.warmupRounds(); number < plan.rounds(); number++) {
            Round round = round(size, number);
            if (number >= 0) {
                rounds.add(round);
            }
        }
        return rounds;
    }

    /** Who begins has the other's cold caches before it: so they take turns in that too. */
    private Round round(int size, int number) {
        try {
            if ((number & 1) == 0) {
                long[] first = turn(c, size);
                return new Round(first, turn(java, size));
            }
            long[] first = turn(java, size);
            return new Round(turn(c, size), first);
        } catch (BenchFailure e) {
            throw new BenchFailure("in round " + number + " of messages of " + size + " bytes: " + e.getMessage(), e);
        }
    }

    /** The first round trips of a turn find cold caches, and do not count. */
    private long[] turn(Pair pair, int size) {
        long[] times = pair.run(size, plan.leadIn() + plan.iterations());
        return Arrays.copyOfRange(times, plan.leadIn(), times.length);
    }

    private void kill() {
        c.kill();
        java.kill();
    }

    @Override
    public void close() {
        try (c) {
            java.close();
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(killer);
            } catch (IllegalStateException _) {
                // the virtual machine ends already
            }
        }
    }
}
