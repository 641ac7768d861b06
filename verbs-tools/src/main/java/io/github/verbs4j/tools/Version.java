package io.github.verbs4j.tools;

import io.github.verbs4j.host.Host;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "Verbs4J " + ofProduct(),
            "Java " + Runtime.version() + ", Linux "
                    + Host.local().kernelRelease().orElse("unknown") + ", " + System.getProperty("os.arch")
        };
    }

    private static String ofProduct() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(development build)" : version;
    }
}
