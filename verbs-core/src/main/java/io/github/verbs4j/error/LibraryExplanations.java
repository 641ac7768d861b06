package io.github.verbs4j.error;

import io.github.verbs4j.host.Distribution;
import io.github.verbs4j.host.Family;
import io.github.verbs4j.host.Host;
import java.util.ArrayList;
import java.util.List;

/** Libraries that are not there. */
final class LibraryExplanations {

    private LibraryExplanations() {}

    static Explanation missing(Host host, String soname, String details) {
        Distribution distribution = host.distribution();
        List<String> facts = new ArrayList<>();
        if (!details.isBlank()) {
            facts.add("the loader said: " + details.strip().replaceAll("\\s*\\R\\s*", " "));
        }
        facts.add("distribution: " + (distribution.title().isEmpty() ? "unknown" : distribution.title())
                + (host.container().isInside() ? ", in a container: the image needs the package" : ""));
        boolean unusable = details.contains("ELF")
                || details.contains("undefined symbol")
                || details.contains("GLIBC")
                || details.contains("version `");
        return new Explanation(
                unusable
                        ? soname + " is there but cannot be used: it is of another architecture or version"
                        : soname + " is not installed, or not where the loader looks",
                next(distribution.family(), soname),
                facts);
    }

    private static String next(Family family, String soname) {
        String elsewhere =
                "\na copy elsewhere: -Dio.github.verbs4j." + soname.replaceFirst("\\.so.*", "") + "=/path/to/" + soname;
        if (family != Family.OTHER) {
            return family.install(packages(family, soname)) + elsewhere;
        }
        return "install the package that holds " + soname + ":\n"
                + "  Debian, Ubuntu: " + Family.DEBIAN.install(packages(Family.DEBIAN, soname)) + "\n"
                + "  RHEL, Fedora:   " + Family.RHEL.install(packages(Family.RHEL, soname)) + "\n"
                + "  SUSE:           " + Family.SUSE.install(packages(Family.SUSE, soname)) + elsewhere;
    }

    private static List<String> packages(Family family, String soname) {
        return soname.contains("rdmacm") ? family.connectionManagerPackages() : family.verbsPackages();
    }
}
