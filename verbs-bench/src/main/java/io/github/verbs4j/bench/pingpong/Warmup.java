package io.github.verbs4j.bench.pingpong;

/**
 * How Java was warmed up.
 *
 * @param roundTrips how many it took
 * @param idle whether the compilers were idle at the end
 */
record Warmup(int roundTrips, boolean idle) {
    /** Compilers are idle that work for less than this fraction of the time: some always finds a trifle. */
    static final int IDLE = 50;

    @Override
    public String toString() {
        return roundTrips + " round trips, then the compilers were " + (idle ? "idle" : "still busy");
    }
}
