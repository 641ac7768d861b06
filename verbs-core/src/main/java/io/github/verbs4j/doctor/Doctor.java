package io.github.verbs4j.doctor;

import io.github.verbs4j.host.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Examines a machine: is it fit for RDMA, and if not, what is missing and what helps? A service asks before it starts:
 *
 * <pre>{@code
 * Examination examination = Doctor.here().examine();
 * if (!examination.isFit()) {
 *     throw new IllegalStateException(examination.toString());
 * }
 * }</pre>
 *
 * <p>An examination needs no privilege, no device and no library, and never throws. It takes a fraction of a second, and
 * no longer than its {@link #patience}, even if the kernel does not answer, which it tells then. A device or port that is
 * not usable is an error if no other one is; else a warning.
 *
 * <p>Immutable; safe for use by many threads.
 */
public final class Doctor {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Host host;
    private final Optional<String> device;
    private final OptionalLong bytes;
    private final Duration patience;

    private Doctor(Host host, Optional<String> device, OptionalLong bytes, Duration patience) {
        this.host = host;
        this.device = device;
        this.bytes = bytes;
        this.patience = patience;
    }

    /** {@return one that looks at this machine} */
    public static Doctor here() {
        return of(Host.local());
    }

    /**
     * {@return one that looks at a machine}
     *
     * @param host the machine, maybe a recorded one
     */
    public static Doctor of(Host host) {
        return new Doctor(Objects.requireNonNull(host, "host"), Optional.empty(), OptionalLong.empty(), PATIENCE);
    }

    /**
     * {@return one that looks at this device alone: the machine is fit if this one is}
     *
     * @param name for example {@code mlx5_0}
     */
    public Doctor device(String name) {
        return new Doctor(host, Optional.of(Objects.requireNonNull(name, "name")), bytes, patience);
    }

    /**
     * {@return one that also asks whether this process may register so much memory, beyond what it has}
     *
     * @param count bytes, at least 1
     * @throws IllegalArgumentException if it is less
     */
    public Doctor bytes(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("bytes " + count + ": ask for 1 or more");
        }
        return new Doctor(host, device, OptionalLong.of(count), patience);
    }

    /**
     * {@return one that waits longer, or less long, for the kernel's answers}
     *
     * @param time at most, a minute if nobody says
     * @throws IllegalArgumentException if it is not positive, or longer than a day
     */
    public Doctor patience(Duration time) {
        Objects.requireNonNull(time, "time");
        if (!time.isPositive() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("patience " + time + ": give it some time, at most a day");
        }
        return new Doctor(host, device, bytes, time);
    }

    /** {@return what it saw, and what there is to be said about it} */
    public Examination examine() {
        Patience left = new Patience(patience);
        Patience.Answer<MachineReport> machine = left.ask("modules and libraries", () -> MachineReport.read(host));
        Patience.Answer<ProcessReport> process = left.ask("limits of the process", () -> ProcessReport.read(host));
        Patience.Answer<List<DeviceReport>> devices = left.ask("RDMA devices", this::devices);

        List<Finding> findings = new ArrayList<>();
        checks(left, machine.get(), process.get(), devices.get())
                .forEach(check -> check.get().ifPresent(findings::addAll));
        findings.addAll(left.silences());
        findings.sort(Comparator.comparing(Finding::severity).reversed());
        return new Examination(machine.get(), process.get(), devices.get().orElse(List.of()), findings);
    }

    /** The causes first: where library or device are missing, the rest may follow from it. What was not read is not judged. */
    private List<Patience.Answer<List<Finding>>> checks(
            Patience left,
            Optional<MachineReport> machine,
            Optional<ProcessReport> process,
            Optional<List<DeviceReport>> devices) {
        List<Patience.Answer<List<Finding>>> checks = new ArrayList<>();
        if (machine.isPresent()) {
            checks.add(left.ask("libraries", () -> LibraryCheck.of(host, machine.get())));
        }
        if (machine.isPresent() && devices.isPresent()) {
            checks.add(left.ask("devices", () -> DeviceCheck.of(host, machine.get(), device, devices.get())));
        }
        checks.add(left.ask("connection manager", () -> ConnectionManagerCheck.of(host)));
        if (process.isPresent()) {
            checks.add(left.ask("memory", () -> MemoryCheck.of(host, process.get(), bytes)));
        }
        if (machine.isPresent() && process.isPresent() && devices.isPresent()) {
            checks.add(left.ask("placement", () -> PlacementCheck.of(machine.get(), process.get(), devices.get())));
        }
        return checks;
    }

    private List<DeviceReport> devices() {
        return host.rdmaDevices().stream()
                .filter(one -> device.isEmpty() || device.get().equals(one.name()))
                .map(one -> DeviceReport.read(host, one))
                .toList();
    }
}
