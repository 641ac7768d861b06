package io.github.verbs4j.tools;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.PortAttributes;
import io.github.verbs4j.attr.RcPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;

/** {@code verbs pingpong srq}: several reliable connections that share their receives. */
final class SrqPingpong extends Pingpong {
    /** So many addresses are told, however many connections there are. */
    static final int MOST = 256;

    private static final PingpongRecord UNUSED = new PingpongRecord(0, 0, 0, Gid.NONE);

    private final int connections;

    SrqPingpong(PingpongOptions options, int connections, PingpongOutput output) {
        super(options, output);
        this.connections = connections;
    }

    @Override
    PingpongResult play(DeviceContext context, PortAttributes port, GidEntry gid) {
        try (SharedEndpoint endpoint =
                SharedEndpoint.create(context, 2 * options.size(), options.depth(), connections)) {
            List<PingpongRecord> mine = initialize(endpoint, port, gid);
            SharedRoundTrips trips = new SharedRoundTrips(endpoint, options);
            trips.postReceives();
            output.addresses("local", mine);
            List<PingpongRecord> peer =
                    meet(filledUp(mine), told -> connect(endpoint, port, told)).subList(0, connections);
            output.addresses("remote", peer);
            long nanos = trips.run();
            return new PingpongResult(options, "SRQ", context.device().name(), gid, mine, peer, nanos, null);
        }
    }

    @Override
    int mostReceives(DeviceAttributes device) {
        return Math.min(device.maxSharedReceiveRequests(), device.maxCompletions() - connections);
    }

    private List<PingpongRecord> initialize(SharedEndpoint endpoint, PortAttributes port, GidEntry gid) {
        return endpoint.queuePairs().stream()
                .map(queuePair -> record(queuePair.initialize(gid, EnumSet.noneOf(AccessFlag.class)), port, gid))
                .toList();
    }

    private static List<PingpongRecord> filledUp(List<PingpongRecord> mine) {
        List<PingpongRecord> all = new ArrayList<>(mine);
        all.addAll(Collections.nCopies(MOST - mine.size(), UNUSED));
        return all;
    }

    private void connect(SharedEndpoint endpoint, PortAttributes port, List<PingpongRecord> told) {
        long theirs =
                told.stream().filter(record -> record.queuePairNumber() != 0).count();
        if (theirs != connections) {
            throw new CommandFailure("the peer has " + theirs + " connections, we have " + connections
                    + ": give the same -q at both ends");
        }
        List<RcQueuePair> queuePairs = endpoint.queuePairs();
        for (int i = 0; i < connections; i++) {
            queuePairs.get(i).connect(address(told.get(i), port), RcPath.defaults());
        }
    }
}
