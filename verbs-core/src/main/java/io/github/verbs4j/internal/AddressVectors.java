package io.github.verbs4j.internal;

import io.github.verbs4j.attr.AddressVector;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.ibv_ah_attr;
import io.github.verbs4j.ffi.ibv_global_route;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/** {@code struct ibv_ah_attr}, of queue pairs and address handles. */
public final class AddressVectors {
    /** ETIMEDOUT, ENETUNREACH, EHOSTUNREACH: what resolving the peer's address ends with. */
    private static final Set<Integer> UNREACHABLE = Set.of(110, 101, 113);

    private AddressVectors() {}

    /**
     * {@return the values of the struct}
     *
     * @param path the struct
     */
    public static AddressVector read(MemorySegment path) {
        MemorySegment route = ibv_ah_attr.grh(path);
        boolean global = ibv_ah_attr.is_global(path) != 0;
        return new AddressVector(
                global ? Gid.of(ibv_global_route.dgid(route).toArray(ValueLayout.JAVA_BYTE)) : Gid.NONE,
                Short.toUnsignedInt(ibv_ah_attr.dlid(path)),
                Byte.toUnsignedInt(ibv_ah_attr.port_num(path)),
                Byte.toUnsignedInt(ibv_global_route.sgid_index(route)),
                ibv_ah_attr.sl(path) & 0xf,
                Byte.toUnsignedInt(ibv_global_route.hop_limit(route)),
                Byte.toUnsignedInt(ibv_global_route.traffic_class(route)),
                ibv_global_route.flow_label(route) & 0xf_ffff);
    }

    /**
     * Fills the struct.
     *
     * @param path the struct, zeroed
     * @param value the values
     */
    public static void write(MemorySegment path, AddressVector value) {
        MemorySegment route = ibv_ah_attr.grh(path);
        if (value.isGlobal()) {
            ibv_ah_attr.is_global(path, (byte) 1);
            ibv_global_route
                    .dgid(route)
                    .copyFrom(MemorySegment.ofArray(value.destination().toByteArray()));
            ibv_global_route.sgid_index(route, (byte) value.sourceGidIndex());
            ibv_global_route.hop_limit(route, (byte) value.hopLimit());
            ibv_global_route.traffic_class(route, (byte) value.trafficClass());
            ibv_global_route.flow_label(route, value.flowLabel());
        }
        ibv_ah_attr.dlid(path, (short) value.lid());
        ibv_ah_attr.sl(path, (byte) value.serviceLevel());
        ibv_ah_attr.port_num(path, (byte) value.port());
    }

    /**
     * {@return whether that is what resolving a destination's address failed with}
     *
     * @param errno a number
     */
    public static boolean isUnreachable(int errno) {
        return UNREACHABLE.contains(errno);
    }

    /**
     * Tells the cause of such a failure.
     *
     * @param failure is completed
     * @return it
     */
    public static VerbsException.Builder explainUnreachable(VerbsException.Builder failure) {
        return failure.cause("the peer's GID could not be resolved to a hardware address")
                .next("check that the peer's interface is up and reachable: ping it from this one's address");
    }
}
