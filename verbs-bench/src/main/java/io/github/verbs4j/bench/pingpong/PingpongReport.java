package io.github.verbs4j.bench.pingpong;

import io.github.verbs4j.bench.Machine;
import io.github.verbs4j.bench.build.CProgram;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is told: what it was measured on, how, and what came out. */
final class PingpongReport {
    private final Target target;
    private final Placement placement;
    private final Machine machine;
    private final PingpongPlan plan;
    private final Instant date = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final List<SizeResult> results = new ArrayList<>();

    PingpongReport(Target target, Placement placement, Machine machine, PingpongPlan plan) {
        this.target = target;
        this.placement = placement;
        this.machine = machine;
        this.plan = plan;
    }

    void add(SizeResult result) {
        results.add(result);
    }

    boolean isOverBudget() {
        return results.stream().anyMatch(SizeResult::isOverBudget);
    }

    /** What stands above the lines. */
    List<String> header() {
        List<String> lines = new ArrayList<>();
        lines.add("# device " + target.device() + ", driver " + target.driver());
        machine.lines().forEach(line -> lines.add("# " + line));
        lines.add("# java options " + String.join(" ", Comparison.javaOptions(machine)));
        lines.add("# c options " + CProgram.FLAGS);
        lines.add("# " + placement + (plan.yielding() ? ", yielding" : ", spinning"));
        lines.add("# " + plan.rounds() + " rounds of each size, " + plan.iterations() + " round trips a turn, after "
                + plan.warmupRoundTrips() + " to warm up Java");
        caveats().forEach(line -> lines.add("# " + line));
        return lines;
    }

    private List<String> caveats() {
        List<String> lines = new ArrayList<>();
        if (target.isSoftware()) {
            lines.add("The device is software: the kernel moves the data, not a network adapter.");
        }
        if (machine.isEmulated()) {
            lines.add("The machine is emulated, several times slower than the computer that it runs on.");
        }
        if (!lines.isEmpty()) {
            lines.add("The times are not RDMA latency and not to be quoted; the ratios hold Java against C.");
        }
        if (plan.isQuick()) {
            lines.add("A quick run, Java hardly warmed up: it shows that it works, and the ratios mean nothing.");
        }
        return lines;
    }

    /** All of it, as names and values. */
    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("command", "pingpong");
        map.put("date", date.toString());
        map.put("device", target.device());
        map.put("driver", target.driver());
        map.put("machine", machine.toMap());
        map.put("java_options", Comparison.javaOptions(machine));
        map.put("c_options", CProgram.FLAGS);
        map.put("caveats", caveats());
        map.put("placement", placement.toString());
        map.put("wait", plan.yielding() ? "yield" : "spin");
        map.put("warmup_round_trips", plan.warmupRoundTrips());
        map.put("rounds", plan.rounds());
        map.put("iterations", plan.iterations());
        map.put("results", results.stream().map(SizeResult::toMap).toList());
        return map;
    }
}
