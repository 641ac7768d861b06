package io.github.verbs4j.tools;

import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.PortAttributes;
import java.util.List;

/** {@code verbs pingpong rc}, {@code uc} and {@code ud}: one queue pair at each end. */
final class PairPingpong extends Pingpong {
    private final String transport;
    private final Endpoint.Maker kind;

    /**
     * Makes one.
     *
     * @param transport what it is called in the result
     * @param kind of its ends
     * @param options what was asked for
     * @param output where to tell
     */
    PairPingpong(String transport, Endpoint.Maker kind, PingpongOptions options, PingpongOutput output) {
        super(options, output);
        this.transport = transport;
        this.kind = kind;
    }

    @Override
    int mostReceives(DeviceAttributes device) {
        return Math.min(device.maxRequests(), device.maxCompletions() - 1);
    }

    @Override
    PingpongResult play(DeviceContext context, PortAttributes port, GidEntry gid) {
        try (Endpoint<?> endpoint = kind.make(context, 2 * options.size(), options.depth(), AccessFlag.LOCAL_WRITE)) {
            List<PingpongRecord> mine = List.of(record(endpoint.initialize(gid), port, gid));
            RoundTrips trips =
                    new RoundTrips(endpoint, options.isClient(), options.size(), options.depth(), options.patience());
            trips.postReceives();
            output.addresses("local", mine);
            List<PingpongRecord> peer = meet(mine, told -> endpoint.connect(address(told.getFirst(), port)));
            output.addresses("remote", peer);
            Latencies latencies = new Latencies();
            long nanos = trips.run(
                    options.size(), options.iterations(), options.validate(), latencies::record, Progress.NONE);
            return new PingpongResult(
                    options,
                    transport,
                    context.device().name(),
                    gid,
                    mine,
                    peer,
                    nanos,
                    options.isClient() ? latencies : null);
        }
    }
}
