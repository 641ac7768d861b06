package io.github.verbs4j.internal;

import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.Mtu;
import io.github.verbs4j.attr.QueuePairAttribute;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.Transition;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** What is asked of {@code ibv_modify_qp}, and what there is to say if it is refused: all of it, held against the device. */
final class ModifyRefusal {
    private final MemorySegment context;
    private final String device;
    private final Transition step;

    ModifyRefusal(MemorySegment context, String device, Transition step) {
        this.context = context;
        this.device = device;
        this.step = step;
    }

    VerbsException.Builder asked(String queuePair, QueuePairState from) {
        VerbsException.Builder asked = VerbsException.of("ibv_modify_qp")
                .device(device)
                .argument("queue pair", queuePair)
                .argument("from", from);
        step.attributes().forEach((attribute, value) -> asked.argument(attribute.field(), value));
        return asked;
    }

    void explain(VerbsException.Builder failure, int errno) {
        limits(failure);
        if (AddressVectors.isUnreachable(errno)) {
            AddressVectors.explainUnreachable(failure);
        } else if ((errno == Errno.EINVAL.number() || errno == Errno.ENODATA.number())
                && step.attributes().get(QueuePairAttribute.PATH) instanceof AddressVector way
                && way.isGlobal()) {
            wrongRow(failure, way);
        }
    }

    private void limits(VerbsException.Builder failure) {
        try {
            deviceLimits(failure, Queries.device(context, device));
            if (step.attributes().get(QueuePairAttribute.PATH_MTU) instanceof Mtu asked
                    && step.attributes().get(QueuePairAttribute.PATH) instanceof AddressVector way) {
                Mtu active = Queries.port(context, device, way.port()).activeMtu();
                failure.limit("path_mtu", asked.bytes(), active.bytes(), "active_mtu of the port");
            }
        } catch (VerbsException unreadable) {
            // a device that is gone, or no such port: the failure tells the errno of that
        }
    }

    private void deviceLimits(VerbsException.Builder failure, DeviceAttributes limits) {
        limit(failure, QueuePairAttribute.PORT, limits.portCount(), "phys_port_cnt");
        limit(failure, QueuePairAttribute.READS_AS_INITIATOR, limits.maxReadsAsInitiator(), "max_qp_init_rd_atom");
        limit(failure, QueuePairAttribute.READS_AS_RESPONDER, limits.maxReadsAsResponder(), "max_qp_rd_atom");
        limit(failure, QueuePairAttribute.PARTITION_KEY_INDEX, limits.maxPartitionKeys() - 1, "max_pkeys - 1");
    }

    private void limit(VerbsException.Builder failure, QueuePairAttribute attribute, int allowed, String name) {
        if (step.attributes().get(attribute) instanceof Number asked) {
            failure.limit(attribute.field(), asked.longValue(), allowed, name);
        }
    }

    /** Tables have empty rows; and RoCE does not lead from IPv4 to IPv6, nor back. */
    private void wrongRow(VerbsException.Builder failure, AddressVector way) {
        String row = "sgid_index=" + way.sourceGidIndex() + " is ";
        Optional<Gid> source = sourceGid(way);
        if (source.isEmpty()) {
            failure.cause(row + "an empty row of the GID table of port " + way.port())
                    .next("take a row from gids(port), for example its preferred()");
        } else if (source.get().isIpv4() != way.destination().isIpv4()) {
            failure.cause(row + source.get() + ", " + version(source.get()) + ", and " + way.destination() + " is "
                            + version(way.destination()) + ": the one cannot be reached from the other")
                    .next("take a row from gids(port) and a destination of the same IP version, at both ends");
        }
    }

    private Optional<Gid> sourceGid(AddressVector way) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gid = arena.allocate(Gid.BYTES);
            int result = Call.on(
                            device,
                            () -> VerbsException.of("ibv_query_gid")
                                    .device(device)
                                    .argument("port_num", way.port())
                                    .argument("index", way.sourceGidIndex()))
                    .tryReturned(() -> verbs_h.ibv_query_gid(context, (byte) way.port(), way.sourceGidIndex(), gid));
            return result == 0
                    ? Optional.of(Gid.of(gid.toArray(ValueLayout.JAVA_BYTE))).filter(found -> !found.isNone())
                    : Optional.empty();
        }
    }

    private static String version(Gid gid) {
        return gid.isIpv4() ? "IPv4" : "IPv6";
    }
}
