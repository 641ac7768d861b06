package io.github.verbs4j.tools;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.RcQueuePair;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.PortAttributes;
import java.util.EnumSet;
import java.util.List;

/** {@code verbs pingpong rc}: one reliable connection. */
final class RcPingpong extends Pingpong {
    RcPingpong(PingpongOptions options, PingpongOutput output) {
        super(options, output);
    }

    @Override
    PingpongResult play(DeviceContext context, PortAttributes port, GidEntry gid) {
        try (Endpoint endpoint =
                Endpoint.create(context, 2 * options.size(), options.depth(), AccessFlag.LOCAL_WRITE)) {
            RcQueuePair queuePair = endpoint.queuePair();
            PingpongRecord address = record(queuePair.initialize(gid, EnumSet.noneOf(AccessFlag.class)), port, gid);
            RoundTrips trips =
                    new RoundTrips(endpoint, options.isClient(), options.size(), options.depth(), options.patience());
            trips.postReceives();
            List<PingpongRecord> mine = List.of(address);
            output.addresses("local", mine);
            List<PingpongRecord> peer = meet(mine, told -> queuePair.connect(address(told.getFirst(), port), path()));
            output.addresses("remote", peer);
            Latencies latencies = new Latencies();
            long nanos = trips.run(
                    options.size(), options.iterations(), options.validate(), latencies::record, Progress.NONE);
            return new PingpongResult(
                    options,
                    "RC",
                    context.device().name(),
                    gid,
                    mine,
                    peer,
                    nanos,
                    options.isClient() ? latencies : null);
        }
    }
}
