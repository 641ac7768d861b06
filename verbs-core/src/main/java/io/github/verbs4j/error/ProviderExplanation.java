package io.github.verbs4j.error;

import io.github.verbs4j.host.Family;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.Libraries;
import io.github.verbs4j.host.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The kernel has devices, and libibverbs no provider for them. */
final class ProviderExplanation {

    private ProviderExplanation() {}

    static Explanation of(Host host, List<RdmaDevice> devices) {
        Family family = host.distribution().family();
        List<String> wanted = wanted(devices);
        boolean configured = isConfigured(host, wanted);
        List<String> facts = new ArrayList<>(NoDeviceExplanation.facts(host));
        facts.add("provider libraries: " + libraries(host.libraries(), wanted));
        return new Explanation(
                "the kernel has " + names(devices) + ", but libibverbs does not list it: "
                        + (configured
                                ? "its provider is configured, but missing or of another version than libibverbs"
                                : "its provider"
                                        + (wanted.isEmpty() ? "" : " (" + String.join(", ", wanted) + ")")
                                        + " is not installed"),
                family.install(family.verbsPackages()) + (configured ? "   (both, so that their versions agree)" : ""),
                facts);
    }

    static List<String> wanted(List<RdmaDevice> devices) {
        return devices.stream()
                .flatMap(device -> device.provider().stream())
                .distinct()
                .toList();
    }

    static boolean isConfigured(Host host, List<String> wanted) {
        return !wanted.isEmpty() && host.providers().containsAll(wanted);
    }

    private static String names(List<RdmaDevice> devices) {
        return devices.stream().map(RdmaDevice::name).collect(Collectors.joining(", "));
    }

    private static String libraries(Libraries libraries, List<String> wanted) {
        String found = libraries.providers().stream()
                .filter(library -> wanted.contains(library.name()))
                .map(library -> library.path() + " (version " + library.version() + ")")
                .collect(Collectors.joining(", "));
        return (found.isEmpty() ? "none of " + String.join(", ", wanted) : found)
                + (libraries.providerVersion().isEmpty()
                        ? ""
                        : "; libibverbs takes version "
                                + libraries.providerVersion().getAsInt());
    }
}
