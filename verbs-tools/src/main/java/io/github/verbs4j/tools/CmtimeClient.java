package io.github.verbs4j.tools;

import io.github.verbs4j.cm.ConnectionManager;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Makes connections, all of them at the same time, phase by phase, and times each phase. */
final class CmtimeClient {
    private final CmtimeOptions options;
    private final PrintWriter out;
    private final List<CmtimeConnection> connections;
    private final List<PhaseTimes> phases = new ArrayList<>();
    private String device;
    private long toConnected;

    CmtimeClient(CmtimeOptions options, PrintWriter out) {
        this.options = options;
        this.out = out;
        this.connections = Stream.generate(() -> new CmtimeConnection(options))
                .limit(options.connections())
                .toList();
    }

    void run() {
        try (ConnectionManager manager = ConnectionManager.open();
                Closing opened = new Closing();
                Closing begun = new Closing()) {
            connections.forEach(begun::add);
            phases(manager, opened);
        } catch (InterruptedException e) {
            throw new CommandFailure("interrupted", e);
        }
        print();
    }

    private void phases(ConnectionManager manager, Closing opened) throws InterruptedException {
        now("create id", connection -> connection.create(manager));
        phase("resolve address", CmtimeConnection::resolveAddress);
        phase("resolve route", CmtimeConnection::resolveRoute);
        device = connections.getFirst().device();
        CmtimeDevice on = opened.add(CmtimeDevice.open(device));
        now("create queue pair", connection -> connection.createQueuePair(on));
        now("initialize queue pair", CmtimeConnection::initialize);
        phase("connect", CmtimeConnection::connect);
        toConnected = phases.stream().mapToLong(PhaseTimes::total).sum();
        phase("disconnect", CmtimeConnection::disconnect);
        now("destroy", CmtimeConnection::close);
    }

    private void now(String name, Consumer<CmtimeConnection> step) throws InterruptedException {
        phase(name, connection -> {
            step.accept(connection);
            return CompletableFuture.completedFuture(null);
        });
    }

    private void phase(String name, Function<CmtimeConnection, CompletableFuture<?>> step) throws InterruptedException {
        long[] each = new long[connections.size()];
        List<CompletableFuture<?>> all = new ArrayList<>();
        long begun = System.nanoTime();
        for (int i = 0; i < each.length; i++) {
            int index = i;
            long start = System.nanoTime();
            all.add(step.apply(connections.get(i)).whenComplete((_, _) -> each[index] = System.nanoTime() - start));
        }
        for (int i = 0; i < each.length; i++) {
            await(name, i, all.get(i));
        }
        phases.add(new PhaseTimes(name, System.nanoTime() - begun, each));
    }

    private void await(String name, int index, CompletableFuture<?> outcome) throws InterruptedException {
        try {
            outcome.get(); // it has a deadline of its own
        } catch (ExecutionException e) {
            String reason = e.getCause() instanceof Exception told ? Failures.reason(told) : "" + e.getCause();
            throw new CommandFailure(
                    name + ", connection " + (index + 1) + " of " + connections.size() + ": " + reason, e.getCause());
        }
    }

    private void print() {
        if (options.json()) {
            out.println(Json.text(toJson()));
        } else {
            out.println(
                    connections.size() + " connections to " + Text.address(options.address()) + " through " + device);
            Table table = PhaseTimes.table();
            phases.forEach(phase -> table.row(phase.cells()));
            table.lines().forEach(out::println);
            out.println(String.format(
                    Locale.ROOT,
                    "connected in %.1f ms: %.0f connections/s",
                    toConnected / 1e6,
                    connectionsPerSecond()));
        }
        out.flush();
    }

    private double connectionsPerSecond() {
        return connections.size() * 1e9 / toConnected;
    }

    /** Times in microseconds. */
    private Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("server", Text.address(options.address()));
        json.put("device", device);
        json.put("connections", connections.size());
        json.put("unit", "us");
        json.put("phases", phases.stream().map(PhaseTimes::toJson).toList());
        json.put("connectionsPerSecond", Math.round(connectionsPerSecond()));
        return json;
    }
}
