package io.github.verbs4j.it.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.AddressInformation;
import io.github.verbs4j.cm.LookupFlag;
import io.github.verbs4j.error.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** {@code rdma_getaddrinfo}. */
class AddressInformationIT {
    @Test
    void shouldFindTheAddressOfAPeer() {
        AddressInformation found = AddressInformation.lookup("10.9.0.1", "7471", LookupFlag.NUMERIC_HOST)
                .getFirst();

        assertEquals(
                new InetSocketAddress("10.9.0.1", 7471), found.destination().orElseThrow());
    }

    @Test
    void shouldFindAnAddressOfIpv6() {
        AddressInformation found = AddressInformation.lookup("fd09::1", "7471", LookupFlag.IPV6, LookupFlag.DATAGRAMS)
                .getFirst();

        assertEquals(new InetSocketAddress("fd09::1", 7471), found.destination().orElseThrow());
    }

    @Test
    void shouldFindWhatToListenOn() {
        AddressInformation found = AddressInformation.lookup("10.9.0.1", "7471", LookupFlag.PASSIVE)
                .getFirst();

        assertEquals(new InetSocketAddress("10.9.0.1", 7471), found.source().orElseThrow());
        assertTrue(found.destination().isEmpty(), found::toString);
        assertTrue(AddressInformation.lookup(null, "7471", LookupFlag.PASSIVE).stream()
                .flatMap(each -> each.source().stream())
                .map(InetSocketAddress::getAddress)
                .anyMatch(InetAddress::isAnyLocalAddress));
    }

    @Test
    void shouldTellThatANameIsNotKnown() {
        VerbsException failure = assertThrows(
                VerbsException.class,
                () -> AddressInformation.lookup("no.such.host.invalid", "1", LookupFlag.NUMERIC_HOST));

        assertTrue(failure.getMessage().contains("EAI_NONAME"), failure.getMessage());
        assertTrue(failure.getMessage().contains("no.such.host.invalid"), failure.getMessage());
    }

    @Test
    void shouldTellThatAServiceIsNotKnown() {
        VerbsException failure =
                assertThrows(VerbsException.class, () -> AddressInformation.lookup("10.9.0.1", "no-such-service"));

        assertTrue(failure.getMessage().contains("EAI_SERVICE"), failure.getMessage());
    }

    @Test
    void shouldRefuseToLookForNothing() {
        assertThrows(IllegalArgumentException.class, () -> AddressInformation.lookup(null, null));
        assertThrows(
                IllegalArgumentException.class,
                () -> AddressInformation.lookup("10.9.0.1", "1", LookupFlag.IPV4, LookupFlag.IPV6));
    }
}
