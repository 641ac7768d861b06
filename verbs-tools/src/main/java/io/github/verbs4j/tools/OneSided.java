package io.github.verbs4j.tools;

import io.github.verbs4j.Completions;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.attr.RemoteRegion;

/** The second half of the demo: into and out of the peer's memory, without the peer's doing anything. */
final class OneSided {
    private static final long WRITTEN = 0x5752_4954_4554L;
    private static final long READ = 0x52_4541_4421L;

    private final ConnectedEndpoint<?> endpoint;
    private final PeerProcess peer;
    private final RemoteRegion remote;
    private final Console console;

    OneSided(ConnectedEndpoint<?> endpoint, PeerProcess peer, RemoteRegion remote, Console console) {
        this.endpoint = endpoint;
        this.peer = peer;
        this.remote = remote;
        this.console = console;
    }

    void writeAndRead() {
        MemoryRegion memory = endpoint.memory();
        console.stage("RDMA write of 1 MiB into the peer's memory; the peer compares every byte", () -> {
            Payload.fill(memory.segment(), DemoPlan.BLOCK_AT, DemoPlan.BLOCK, WRITTEN);
            endpoint.sends()
                    .write(3, memory, DemoPlan.BLOCK_AT, DemoPlan.BLOCK, remote, DemoPlan.BLOCK_AT)
                    .signaled();
            complete("the RDMA write");
            peer.compare(WRITTEN);
            return null;
        });
        console.stage("RDMA read of 1 MiB out of the peer's memory; every byte compared here", () -> {
            peer.fill(READ);
            endpoint.sends()
                    .read(4, memory, DemoPlan.BLOCK_AT, DemoPlan.BLOCK, remote, DemoPlan.BLOCK_AT)
                    .signaled();
            complete("the RDMA read");
            long wrong = Payload.mismatch(memory.segment(), DemoPlan.BLOCK_AT, DemoPlan.BLOCK, READ);
            if (wrong >= 0) {
                throw new CommandFailure("byte " + wrong + " of what the RDMA read brought is wrong");
            }
            return null;
        });
    }

    private void complete(String what) {
        endpoint.sends().post();
        Completions completions = endpoint.await(
                DemoPlan.PATIENCE, () -> what + " did not complete within " + DemoPlan.PATIENCE.toSeconds() + " s");
        completions.next();
        completions.requireSuccess();
    }
}
