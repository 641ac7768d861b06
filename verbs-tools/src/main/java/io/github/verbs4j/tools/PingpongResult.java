package io.github.verbs4j.tools;

import io.github.verbs4j.attr.GidEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came out of a ping-pong.
 *
 * @param options what was asked for
 * @param transport RC, UC, UD or SRQ
 * @param device the device's name
 * @param gid our address
 * @param local what we told, of each queue pair
 * @param remote what the peer told, of each queue pair
 * @param nanos how long all round trips took together
 * @param latencies each round trip; null where they are not told apart: at the server, and of several connections
 */
record PingpongResult(
        PingpongOptions options,
        String transport,
        String device,
        GidEntry gid,
        List<PingpongRecord> local,
        List<PingpongRecord> remote,
        long nanos,
        Latencies latencies) {
    /** The two lines of the C program, and the client's percentiles. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, "%d bytes in %.2f seconds = %.2f Mbit/sec", bytes(), seconds(), megabitsPerSecond()));
        lines.add(String.format(
                Locale.ROOT,
                "%d iters in %.2f seconds = %.2f usec/iter",
                options.iterations(),
                seconds(),
                microsPerIteration()));
        if (latencies != null) {
            Table table = Table.of(">", ">min", ">p50", ">p99", ">p99.9", ">max");
            List<String> row = new ArrayList<>(List.of("usec/iter"));
            row.addAll(latencies.cells());
            table.row(row);
            lines.addAll(table.lines());
        }
        if (options.validate()) {
            lines.add("every byte of " + options.iterations() + " messages was as it must be");
        }
        return lines;
    }

    /** Times in microseconds; {@code latency} is null where there is none, {@code mtu} of datagrams. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("transport", transport);
        json.put("role", options.isClient() ? "client" : "server");
        json.put("device", device);
        json.put("port", options.port());
        json.put("gidIndex", gid.index());
        json.put("size", options.size());
        json.put("iterations", options.iterations());
        json.put("mtu", options.mtu() == null ? null : options.mtu().bytes());
        json.put("validated", options.validate());
        json.put("local", addresses(local));
        json.put("remote", addresses(remote));
        json.put("bytes", bytes());
        json.put("seconds", seconds());
        json.put("megabitsPerSecond", megabitsPerSecond());
        json.put("microsecondsPerIteration", microsPerIteration());
        json.put("latency", latencies == null ? null : latencies.toJson());
        return json;
    }

    /** The address of the one connection, or a list. */
    private static Object addresses(List<PingpongRecord> records) {
        return records.size() == 1
                ? Json.fields(records.getFirst())
                : records.stream().map(Json::fields).toList();
    }

    /** Both directions, as the C program counts. */
    private long bytes() {
        return 2 * options.size() * options.iterations();
    }

    private double seconds() {
        return nanos / 1e9;
    }

    private double megabitsPerSecond() {
        return bytes() * 8 / seconds() / 1e6;
    }

    private double microsPerIteration() {
        return nanos / 1e3 / options.iterations();
    }
}
