package io.github.verbs4j.testkit.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.9.3.1/24",
                "0.0.0.1/0",
                "255.255.255.255/32",
                "fd09::3/64",
                "::1/128",
                "1:2:3:4:5:6:7:8/0",
                "::ffff:10.9.0.1/120"
            })
    void shouldTakeWhatTheMachineTakes(String address) {
        new SoftRoceContainer().withAddress(address);
        new SoftRoceContainer().withMachineOption("--address", address);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            300.1.1.1/99       | NUMBER '300'; the length of the prefix is a number from 0 to 32 with IPv4, not '99'
            10.9.3.1/33        | the length of the prefix is a number from 0 to 32 with IPv4, not '33'
            10.9.3.1/-1        | the length of the prefix is a number from 0 to 32 with IPv4, not '-1'
            10.9.3.1/          | the length of the prefix is a number from 0 to 32 with IPv4, not ''
            10.9.3.1/024       | the length of the prefix is a number from 0 to 32 with IPv4, not '024'
            10.9.3.1/24 --kvm  | the length of the prefix is a number from 0 to 32 with IPv4, not '24 --kvm'
            10.9.3.010/24      | NUMBER '010'
            10..3.1/24         | NUMBER ''
            10.9.3.1           | it has no length of its prefix behind it, such as /24
            fd09::3            | it has no length of its prefix behind it, such as /64
            10.9.3.1/24/24     | it has more than one /
            10.9/16            | '10.9' is neither IPv4, four numbers with dots between, nor IPv6; a name is not looked up
            localhost/8        | 'localhost' is neither IPv4, four numbers with dots between, nor IPv6; a name is not looked up
            /24                | '' is neither IPv4, four numbers with dots between, nor IPv6; a name is not looked up
            fd09::3/129        | the length of the prefix is a number from 0 to 128 with IPv6, not '129'
            fd09::12345/64     | a group of an IPv6 address is one to four hexadecimal digits, not '12345'
            fe80::1%eth0/64    | a group of an IPv6 address is one to four hexadecimal digits, not '1%eth0'
            [::1]/64           | a group of an IPv6 address is one to four hexadecimal digits, not '['; GROUP '1]'
            fd09:::3/64        | an IPv6 address is eight groups, or fewer and :: once, not 'fd09:::3'
            1:2:3/64           | an IPv6 address is eight groups, or fewer and :: once, not '1:2:3'
            ::10.9.0.300/64    | NUMBER '300'
            """)
    void shouldTellWhichPartIsWrong(String address, String wrong) {
        String reason = wrong.replace(
                        "NUMBER", "a number of an IPv4 address is from 0 to 255, without zeros before it, not")
                .replace("GROUP", "a group of an IPv6 address is one to four hexadecimal digits, not");
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> new SoftRoceContainer().withAddress(address));
        assertEquals(
                "address '" + address + "': " + reason + " (an address is as 10.9.0.2/24 or fd09::2/64)",
                refusal.getMessage());
    }
}
