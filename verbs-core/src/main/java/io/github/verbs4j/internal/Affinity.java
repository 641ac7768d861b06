package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.ThreadAffinity;
import io.github.verbs4j.host.CpuSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.TreeSet;

/** The processors that the calling thread may run on. */
public final class Affinity {
    private Affinity() {}

    /** {@return the processors of this thread ({@code sched_getaffinity})} */
    public static CpuSet current() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = ThreadAffinity.mask(arena);
            Call.on(Thread.currentThread(), () -> VerbsException.of("sched_getaffinity"))
                    .notNegative(errno -> ThreadAffinity.get(errno, mask));
            TreeSet<Integer> cpus = new TreeSet<>();
            for (int cpu = 0; cpu < mask.byteSize() * Byte.SIZE; cpu++) {
                if ((mask.getAtIndex(JAVA_LONG, cpu / Long.SIZE) >>> cpu & 1) != 0) {
                    cpus.add(cpu);
                }
            }
            return new CpuSet(cpus);
        }
    }

    /**
     * Lets this thread run on some processors only ({@code sched_setaffinity}).
     *
     * @param cpus which, at least one
     * @throws VerbsException if the kernel refuses
     */
    public static void set(CpuSet cpus) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = ThreadAffinity.mask(arena);
            for (int cpu : cpus.numbers()) {
                long word = mask.getAtIndex(JAVA_LONG, cpu / Long.SIZE);
                mask.setAtIndex(JAVA_LONG, cpu / Long.SIZE, word | 1L << cpu);
            }
            Call.on(
                            Thread.currentThread(),
                            () -> VerbsException.of("sched_setaffinity").argument("cpus", cpus))
                    .explained((failure, number) -> failure.cause(
                                    "none of these processors exists and is left to this process by its control group")
                            .next("see Cpus_allowed_list in /proc/self/status; docker, podman: --cpuset-cpus"))
                    .notNegative(errno -> ThreadAffinity.set(errno, mask));
        }
    }
}
