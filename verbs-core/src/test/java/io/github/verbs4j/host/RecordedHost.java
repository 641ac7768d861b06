package io.github.verbs4j.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Builds the files of a machine in a directory, for tests. */
public final class RecordedHost {

    private static final String LIMITS = """
            Limit                     Soft Limit           Hard Limit           Units
            Max open files            20000                20000                files
            Max locked memory         %-20s %-20s bytes
            Max address space         unlimited            unlimited            bytes
            """;
    private static final String STATUS = """
            Name:\tjava
            Uid:\t%1$d\t%1$d\t%1$d\t%1$d
            VmLck:\t       0 kB
            VmPin:\t%2$8d kB
            VmRSS:\t  102400 kB
            CapEff:\t%3$016x
            """;

    private final Path root;

    public RecordedHost(Path root) {
        this.root = root;
        file("/sys/class/mem/null/dev", "1:3\n"); // as everywhere
    }

    public Host host() {
        return Host.at(root);
    }

    public RecordedHost file(String path, String content) {
        try {
            Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public RecordedHost remove(String path) {
        try {
            Files.delete(root.resolve(path.substring(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public RecordedHost link(String path, String target) {
        try {
            Path link = root.resolve(path.substring(1));
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, Path.of(target));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public RecordedHost limits(String soft, String hard) {
        return file("/proc/self/limits", LIMITS.formatted(soft, hard));
    }

    public RecordedHost status(long userId, long pinnedKibibytes, long capabilities) {
        return file("/proc/self/status", STATUS.formatted(userId, pinnedKibibytes, capabilities))
                .file("/proc/self/uid_map", "         0          0 4294967295\n");
    }

    public RecordedHost distribution(String id, String like, String title) {
        return file(
                "/etc/os-release",
                "PRETTY_NAME=\"" + title + "\"\nID=" + id + "\n"
                        + (like.isEmpty() ? "" : "ID_LIKE=\"" + like + "\"\n"));
    }

    public RecordedHost ubuntu() {
        return distribution("ubuntu", "debian", "Ubuntu 24.04.1 LTS");
    }

    /** Modules loaded, and others on disk. */
    public RecordedHost modules(String loaded, String onDisk) {
        StringBuilder proc = new StringBuilder();
        StringBuilder dep = new StringBuilder();
        for (String name : loaded.split(" ")) {
            proc.append(name).append(" 16384 0 - Live 0x0000000000000000\n");
        }
        for (String name : onDisk.split(" ")) {
            dep.append("kernel/drivers/").append(name).append(".ko.zst: kernel/lib/other.ko.zst\n");
        }
        return file("/proc/sys/kernel/osrelease", "6.8.0-51-generic\n")
                .file("/proc/modules", proc.toString())
                .file("/lib/modules/6.8.0-51-generic/modules.dep", dep.toString());
    }

    /** A device of the kernel, without its user-space interface. */
    public RecordedHost device(String name) {
        String directory = "/sys/class/infiniband/" + name;
        return file(directory + "/node_type", "1: CA\n")
                .file(directory + "/ports/1/state", "4: ACTIVE\n")
                .file(directory + "/ports/1/phys_state", "5: LinkUp\n")
                .file(directory + "/ports/1/link_layer", "Ethernet\n")
                .file(directory + "/ports/1/rate", "100 Gb/sec (4X EDR)\n")
                .file(directory + "/ports/1/gid_attrs/ndevs/0", "eth2\n");
    }

    public RecordedHost mellanox(String name) {
        return device(name)
                .file("/sys/class/infiniband/" + name + "/device/numa_node", "1\n")
                .link("/sys/class/infiniband/" + name + "/device/driver", "../../../bus/pci/drivers/mlx5_core");
    }

    public RecordedHost softRoce(String name) {
        return device(name).file("/sys/class/infiniband/" + name + "/parent", "eth0\n");
    }

    /** A counter of port 1. */
    public RecordedHost counter(String device, String directory, String name, String value) {
        return file("/sys/class/infiniband/" + device + "/ports/1/" + directory + "/" + name, value + "\n");
    }

    public RecordedHost numaNode(int number, String cpus) {
        return file("/sys/devices/system/node/node" + number + "/cpulist", cpus + "\n");
    }

    /** A pool of huge pages, in the directory of the machine's or of a node's. */
    public RecordedHost hugePages(String directory, long kibibytes, long total, long free, long reserved) {
        String pool = directory + "/hugepages-" + kibibytes + "kB";
        return file(pool + "/nr_hugepages", total + "\n")
                .file(pool + "/free_hugepages", free + "\n")
                .file(pool + "/resv_hugepages", reserved + "\n");
    }

    public RecordedHost uverbs(String node, String device) {
        return file("/sys/class/infiniband_verbs/abi_version", "6\n")
                .file("/sys/class/infiniband_verbs/" + node + "/ibdev", device + "\n");
    }

    public RecordedHost node(String name, String permissions) {
        file("/dev/infiniband/" + name, "");
        try {
            Files.setPosixFilePermissions(
                    root.resolve("dev/infiniband").resolve(name), PosixFilePermissions.fromString(permissions));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public RecordedHost docker() {
        return file("/.dockerenv", "");
    }
}
