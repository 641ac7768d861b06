package io.github.verbs4j.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The counters of a port, or of a device as a whole, at one moment; or how much they moved between two.
 *
 * <p>They count everything that goes through the port, whichever process sends it. Some drivers read their hardware
 * anew only every so often: {@link #lifespan} says how often.
 *
 * @param device the device, for example {@code mlx5_0}
 * @param port the port, from 1; 0 means the device as a whole
 * @param lifespan how old hardware counters may be, in milliseconds; empty if the kernel does not say
 * @param all every counter that can be read: the standard ones, then those of the hardware, each by name
 */
public record Counters(String device, int port, OptionalLong lifespan, List<Counter> all) {

    /** Not a counter, though it is among them. */
    private static final String LIFESPAN = "lifespan";

    /** Keeps a copy of the list. */
    public Counters {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(lifespan, "lifespan");
        all = List.copyOf(Objects.requireNonNull(all, "all"));
    }

    /**
     * {@return the value of a counter; empty if there is none of that name} Of a name that is in both directories it is the
     * standard one's.
     *
     * @param name the kernel's name, for example {@code out_of_sequence}
     */
    public OptionalLong value(String name) {
        Objects.requireNonNull(name, "name");
        return all.stream()
                .filter(counter -> counter.name().equals(name))
                .mapToLong(Counter::value)
                .findFirst();
    }

    /**
     * {@return how much each counter moved since an earlier moment} A counter that is lower now was set back in between, when
     * the driver was loaded again for example: it has moved by what it says now. One that was not there earlier is left out.
     *
     * @param earlier the same port's counters
     * @throws IllegalArgumentException if they are of another port or device
     */
    public Counters since(Counters earlier) {
        Objects.requireNonNull(earlier, "earlier");
        if (!earlier.device.equals(device) || earlier.port != port) {
            throw new IllegalArgumentException("earlier=" + earlier.device + " port " + earlier.port
                    + ": these are the counters of " + device + " port " + port);
        }
        List<Counter> moved = new ArrayList<>();
        for (Counter counter : all) {
            earlier.find(counter.source(), counter.name())
                    .ifPresent(before -> moved.add(new Counter(
                            counter.source(),
                            counter.name(),
                            counter.value() >= before.value() ? counter.value() - before.value() : counter.value())));
        }
        return new Counters(device, port, lifespan, moved);
    }

    /** {@return only those that are not 0} */
    public Counters nonZero() {
        return new Counters(
                device,
                port,
                lifespan,
                all.stream().filter(counter -> counter.value() != 0).toList());
    }

    /**
     * {@return the sum of the counters of a meaning: of any vendor, whether messages were sent again, for example}
     *
     * @param meaning not {@link CounterMeaning#OTHER}, whose counters do not add up
     * @throws IllegalArgumentException if it is
     */
    public long total(CounterMeaning meaning) {
        if (Objects.requireNonNull(meaning, "meaning") == CounterMeaning.OTHER) {
            throw new IllegalArgumentException("meaning=OTHER: counters of different things do not add up");
        }
        return all.stream()
                .filter(counter -> counter.meaning() == meaning)
                .mapToLong(Counter::value)
                .sum();
    }

    private Optional<Counter> find(CounterSource source, String name) {
        return all.stream()
                .filter(counter -> counter.source() == source && counter.name().equals(name))
                .findFirst();
    }

    /** Port 0 reads those of the device as a whole. */
    static Counters read(Tree tree, String device, int port) {
        String directory = "/sys/class/infiniband/" + device + "/" + (port == 0 ? "" : "ports/" + port + "/");
        List<Counter> all = new ArrayList<>();
        for (CounterSource source : CounterSource.values()) {
            for (String name : tree.names(directory + source.directory())) {
                if (!name.equals(LIFESPAN)) {
                    tree.number(directory + source.directory() + "/" + name)
                            .ifPresent(value -> all.add(new Counter(source, name, value)));
                }
            }
        }
        OptionalLong lifespan = tree.number(directory + CounterSource.HARDWARE.directory() + "/" + LIFESPAN);
        return new Counters(device, port, lifespan, all);
    }
}
