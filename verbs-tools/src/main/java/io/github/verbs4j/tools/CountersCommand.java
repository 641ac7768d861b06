package io.github.verbs4j.tools;

import io.github.verbs4j.Device;
import io.github.verbs4j.host.Counter;
import io.github.verbs4j.host.Counters;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code verbs counters}: what ports count.
 *
 * <p>{@code --json} prints one object: {@code ports}, a list of objects with {@code device}, {@code port} (0: the device as a
 * whole), {@code lifespan} (milliseconds that a hardware counter may be old, null if unknown) and {@code counters}, a list of
 * objects with the fields of {@link Counter} ({@code source}, {@code name}, {@code value}), its {@code unit} and its
 * {@code meaning}. Fields may be added; none changes its meaning.
 */
@Command(
        name = "counters",
        header = "Show what ports count: traffic, retransmissions, receivers that were not ready, errors.",
        description = {
            "",
            "Tells each counter of the kernel (counters and hw_counters below /sys/class/infiniband) by its name, and what"
                    + " it means when it moves, for the names that the InfiniBand specification and the drivers rdma_rxe,"
                    + " mlx5_ib, bnxt_re, irdma and mana_ib have. Everything that goes through a port is counted,"
                    + " whichever process sends it. It needs no privilege.",
            ""
        },
        footer = {
            "",
            "Example",
            "  verbs counters --watch 1     what moves, while your program runs in another terminal",
        })
final class CountersCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-d", "--ib-dev", "--device"},
            paramLabel = "NAME",
            converter = DeviceName.class,
            description = "Only this device (default: all).")
    private String deviceName;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = "Only this port, from 1 (default: all).")
    private Integer port;

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            description = "Every so often, tell what has moved since, until Ctrl-C.")
    private Integer seconds;

    @Option(names = "--times", paramLabel = "COUNT", description = "With --watch: end after so many times.")
    private Integer times;

    @Option(names = "--json", description = "One JSON object, as they are now.")
    private boolean json;

    @Override
    public Integer call() {
        checkUsage();
        List<Counters> ports = read();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.text(
                    Map.of("ports", ports.stream().map(CounterText::toJson).toList())));
        } else if (seconds == null) {
            CounterText.lines(ports).forEach(out::println);
        } else {
            CounterWatch watch = new CounterWatch(this::read, ports, out);
            Interruptible.run(() -> watch.run(seconds, times == null ? Integer.MAX_VALUE : times));
        }
        return 0;
    }

    private void checkUsage() {
        if (port != null) {
            Usage.requireRange(spec, "port (-i)", port, 1, 255);
        }
        if (seconds != null) {
            Usage.requireRange(spec, "--watch", seconds, 1, 86_400);
        }
        if (times != null) {
            Usage.requireRange(spec, "--times", times, 1, Integer.MAX_VALUE);
        }
        if (json && seconds != null) {
            throw Usage.misuse(spec, "--json tells how they are now, --watch what moves: one of the two");
        }
        if (times != null && seconds == null) {
            throw Usage.misuse(spec, "--times goes with --watch");
        }
    }

    private List<Counters> read() {
        Host host = Host.local();
        return devices(host).stream()
                .flatMap(device -> ports(device).mapToObj(number -> host.counters(device.name(), number)))
                // few devices count anything as a whole
                .filter(counters -> counters.port() != 0 || !counters.all().isEmpty())
                .toList();
    }

    private List<RdmaDevice> devices(Host host) {
        List<RdmaDevice> devices = host.rdmaDevices().stream()
                .filter(device -> deviceName == null || device.name().equals(deviceName))
                .toList();
        if (devices.isEmpty()) {
            Device none = deviceName == null ? Device.first() : Device.named(deviceName); // explains why there is none
            throw new CommandFailure("/sys/class/infiniband does not show " + none);
        }
        return devices;
    }

    private IntStream ports(RdmaDevice device) {
        List<Integer> numbers =
                device.ports().stream().map(found -> found.number()).toList();
        if (port == null) {
            return Stream.concat(Stream.of(0), numbers.stream()).mapToInt(Integer::intValue);
        }
        if (!numbers.contains(port)) {
            throw new CommandFailure("port " + port + " is not one of " + device.name() + ": " + numbers);
        }
        return IntStream.of(port);
    }
}
