package io.github.verbs4j.host;

import java.util.List;
import java.util.Objects;

/** Families of Linux distributions that name their packages alike. */
public enum Family {
    /** Debian, Ubuntu and relatives. */
    DEBIAN(
            "apt-get install -y",
            List.of("libibverbs1", "ibverbs-providers"),
            List.of("librdmacm1"),
            "linux-modules-extra-$(uname -r) on Ubuntu, linux-image-amd64 instead of -cloud-amd64 on Debian"),
    /** Red Hat Enterprise Linux, Fedora, Rocky, Alma, Oracle, Amazon. */
    RHEL("dnf install -y", List.of("libibverbs", "rdma-core"), List.of("librdmacm"), "kernel-modules-extra"),
    /** SUSE Linux Enterprise and openSUSE. */
    SUSE("zypper install -y", List.of("libibverbs1", "libibverbs"), List.of("librdmacm1"), "kernel-default"),
    /** Anything else. */
    OTHER("", List.of("libibverbs", "rdma-core"), List.of("librdmacm"), "the package with the kernel's extra modules");

    private final String installer;
    private final List<String> verbsPackages;
    private final List<String> connectionManagerPackages;
    private final String extraModules;

    Family(String installer, List<String> verbsPackages, List<String> connectionManagerPackages, String extraModules) {
        this.installer = installer;
        this.verbsPackages = verbsPackages;
        this.connectionManagerPackages = connectionManagerPackages;
        this.extraModules = extraModules;
    }

    /** {@return the packages with libibverbs and the provider of each kind of device} */
    public List<String> verbsPackages() {
        return verbsPackages;
    }

    /** {@return the packages with librdmacm} */
    public List<String> connectionManagerPackages() {
        return connectionManagerPackages;
    }

    /** {@return where the modules are that the distribution keeps out of its basic kernel, such as {@code rdma_rxe}} */
    public String extraModules() {
        return extraModules;
    }

    /**
     * Writes the command that installs packages.
     *
     * @param packages the packages
     * @return a command, or for {@link #OTHER} a sentence that names the packages
     */
    public String install(List<String> packages) {
        for (String name : Objects.requireNonNull(packages, "packages")) {
            Objects.requireNonNull(name, "packages contain null");
        }
        return installer.isEmpty()
                ? "install the packages your distribution calls " + String.join(", ", packages) + " or the like"
                : installer + " " + String.join(" ", packages);
    }
}
