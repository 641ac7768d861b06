package io.github.verbs4j.cm;

import io.github.verbs4j.error.VerbsException;
import java.util.Set;

/** What {@code rdma_getaddrinfo} fails with: errno, or a number of {@code getaddrinfo} of libc. */
final class LookupFailure {
    private LookupFailure() {}

    /** What is asked. */
    static VerbsException.Builder asked(String node, String service, Set<LookupFlag> flags) {
        return VerbsException.of("rdma_getaddrinfo")
                .argument("node", node)
                .argument("service", service)
                .argument("flags", flags);
    }

    static VerbsException of(int code, int errno, String node, String service, Set<LookupFlag> flags) {
        VerbsException.Builder builder = asked(node, service, flags);
        switch (code) {
            case -2, -5 -> // EAI_NONAME, EAI_NODATA
                builder.headline("EAI_NONAME: no such name")
                        .cause(
                                "no name service knows the node or the service, or not with an address of the family asked"
                                        + " for")
                        .next("see 'getent ahosts' of the node, and /etc/services for names of services");
            case -3 -> // EAI_AGAIN
                builder.headline("EAI_AGAIN: no name service answers")
                        .cause("the name server is down or out of reach")
                        .next("try again, or give a numeric address");
            case -8 -> // EAI_SERVICE
                builder.headline("EAI_SERVICE: no such service")
                        .cause("the service is neither a port number nor in /etc/services")
                        .next("give a port number");
            case -6, -9 -> // EAI_FAMILY, EAI_ADDRFAMILY
                builder.headline("EAI_FAMILY: no address of this family")
                        .cause("the node has no address of the family asked for")
                        .next("leave IPV4 and IPV6 out");
            case -1 -> builder.errno(errno);
            default -> builder.headline("getaddrinfo failed with " + code);
        }
        return builder.build();
    }
}
