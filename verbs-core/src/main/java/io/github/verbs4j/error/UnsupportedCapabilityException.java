package io.github.verbs4j.error;

import java.util.Objects;

/** The device, or the library that drives it, does not have what was asked for. */
public class UnsupportedCapabilityException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final String capability;
    private final String provider;

    private UnsupportedCapabilityException(Builder builder, String capability, String provider) {
        super(builder);
        this.capability = capability;
        this.provider = provider;
    }

    /**
     * Makes the exception.
     *
     * @param operation what was called or would have been, as C names it, for example {@code ibv_alloc_mw}
     * @param capability what is missing, as a noun, for example {@code memory windows of type 2}
     * @param device the device, for example {@code rxe0}
     * @param provider the user-space driver, for example {@code rxe}; empty if unknown
     * @param reason how we know, for example {@code the provider leaves ibv_alloc_mw out}; empty if there is no more
     *     to say
     * @return the exception
     */
    public static UnsupportedCapabilityException of(
            String operation, String capability, String device, String provider, String reason) {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(capability, "capability");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(provider, "provider");
        Builder builder = VerbsException.of(operation)
                .device(device)
                .errno(Errno.EOPNOTSUPP.number())
                .headline(operation + ": " + device + (provider.isEmpty() ? "" : " (provider " + provider + ")")
                        + " does not support " + capability)
                .cause(reason)
                .next("ask the device first: attributes() and extendedAttributes() of its DeviceContext tell what "
                        + device + " supports;\n./verbs devinfo -v prints them");
        return new UnsupportedCapabilityException(builder, capability, provider);
    }

    /** {@return what is missing, as a noun} */
    public String capability() {
        return capability;
    }

    /** {@return the user-space driver; empty if unknown} */
    public String provider() {
        return provider;
    }
}
