package io.github.verbs4j.cm;

import java.net.InetAddress;
import java.util.Objects;

/**
 * An address of this machine that an RDMA device is behind: what to listen on, or to connect from, to use that device.
 *
 * @param device the name of the device
 * @param address of one of its interfaces
 */
public record DeviceAddress(String device, InetAddress address) {
    /** Made by {@link ConnectionManager#addresses}. */
    public DeviceAddress {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(address, "address");
    }

    @Override
    public String toString() {
        return address.getHostAddress() + " of " + device;
    }
}
