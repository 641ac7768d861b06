package io.github.verbs4j.host;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What of rdma-core is installed, as far as files tell: nothing is loaded.
 *
 * @param verbs {@code libibverbs.so.1}, if it is where the dynamic loader looks
 * @param connectionManager {@code librdmacm.so.1}, if it is where the dynamic loader looks
 * @param providerVersion the version of the interface to providers that libibverbs has
 * @param providers the libraries of providers beside libibverbs, of whatever version
 */
public record Libraries(
        Optional<LibraryFile> verbs,
        Optional<LibraryFile> connectionManager,
        OptionalInt providerVersion,
        List<ProviderLibrary> providers) {

    /** Keeps a copy of the list. */
    public Libraries {
        Objects.requireNonNull(verbs, "verbs");
        Objects.requireNonNull(connectionManager, "connectionManager");
        Objects.requireNonNull(providerVersion, "providerVersion");
        providers = List.copyOf(Objects.requireNonNull(providers, "providers"));
    }

    /**
     * {@return whether libibverbs can load a provider: its library is there in the version of libibverbs}
     *
     * @param provider its name, for example {@code mlx5}
     */
    public boolean hasProvider(String provider) {
        Objects.requireNonNull(provider, "provider");
        return providers.stream()
                .filter(library -> library.name().equals(provider))
                .anyMatch(library -> providerVersion.isEmpty() || library.version() == providerVersion.getAsInt());
    }
}
