package io.github.verbs4j.attr;

/**
 * {@code ibv_ece}: what a device can do in a connection beyond the standard, told to the peer's device while they connect
 * (enhanced connection establishment, ECE). Only devices of one vendor understand each other.
 *
 * @param vendorId {@code vendor_id}: whose options these are, 24 bits; 0 for nobody's
 * @param options {@code options}: bits that only the vendor knows
 */
public record Enhancements(int vendorId, int options) {
    @Override
    public String toString() {
        return String.format("vendor 0x%06x, options 0x%x", vendorId, options);
    }
}
