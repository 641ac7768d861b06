package io.github.verbs4j.host;

import io.github.verbs4j.attr.GidTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * This machine as this process sees it. Each method reads afresh and never throws: what cannot be read is empty or
 * unknown. Safe for use by many threads.
 */
public final class Host {

    private static final Host LOCAL = new Host(Path.of("/"));

    private final Tree tree;

    private Host(Path root) {
        this.tree = new Tree(root);
    }

    /** {@return the machine that this program runs on} */
    public static Host local() {
        return LOCAL;
    }

    /**
     * Reads a recorded machine: a directory that holds copies of {@code proc}, {@code sys}, {@code dev}, {@code etc}.
     *
     * @param root the directory that stands for {@code /}
     * @return the machine recorded there
     */
    public static Host at(Path root) {
        return new Host(Objects.requireNonNull(root, "root"));
    }

    /** {@return the directory that stands for {@code /}} */
    public Path root() {
        return tree.root();
    }

    /** {@return the bounds on this process's memory} */
    public MemoryLimits memoryLimits() {
        return new MemoryLimits(
                resourceLimit("Max locked memory", 0),
                resourceLimit("Max locked memory", 1),
                resourceLimit("Max address space", 0),
                ControlGroups.memoryLimit(tree),
                tree.number("/proc/sys/vm/max_map_count"));
    }

    /** {@return how many files this process has open} */
    public OptionalLong openFiles() {
        List<String> descriptors = tree.names("/proc/self/fd");
        return descriptors.isEmpty() ? OptionalLong.empty() : OptionalLong.of(descriptors.size());
    }

    /** {@return how many files this process may have open, {@code RLIMIT_NOFILE}; empty if unlimited or unknown} */
    public OptionalLong maxOpenFiles() {
        ByteLimit limit = resourceLimit("Max open files", 0);
        return limit.isKnown() && !limit.isUnlimited() ? OptionalLong.of(limit.bytes()) : OptionalLong.empty();
    }

    /**
     * {@return the file that switches the kernel's dynamic debugging, where every user sees it: since Linux 5.7, if the
     * kernel was built with it}
     */
    public Optional<String> dynamicDebug() {
        return Optional.of("/proc/dynamic_debug/control").filter(tree::exists);
    }

    /** Column 0 is the soft limit, 1 the hard one. */
    private ByteLimit resourceLimit(String name, int column) {
        return tree.lines("/proc/self/limits").stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip().split("\\s+"))
                .filter(words -> words.length > column)
                .map(words -> rlimit(words[column]))
                .findFirst()
                .orElse(ByteLimit.UNKNOWN);
    }

    /** {@return what this process uses now, and what the machine has left} */
    public MemoryUse memoryUse() {
        List<String> maps = tree.lines("/proc/self/maps");
        return new MemoryUse(
                kibibytes("/proc/self/status", "VmPin"),
                kibibytes("/proc/self/status", "VmLck"),
                kibibytes("/proc/self/status", "VmSize"),
                kibibytes("/proc/self/status", "VmRSS"),
                kibibytes("/proc/meminfo", "MemAvailable"),
                maps.isEmpty() ? OptionalLong.empty() : OptionalLong.of(maps.size()));
    }

    /**
     * {@return the path of the file that holds the code or data at an address of this process, empty if none does}
     *
     * @param address of a function, say
     */
    public Optional<String> fileAt(long address) {
        for (String line : tree.lines("/proc/self/maps")) {
            // start-end permissions offset device inode path
            int dash = line.indexOf('-');
            int space = line.indexOf(' ');
            int path = line.indexOf('/');
            if (0 < dash && dash < space && space < path && contains(line, dash, space, address)) {
                return Optional.of(line.substring(path));
            }
        }
        return Optional.empty();
    }

    private static boolean contains(String line, int dash, int space, long address) {
        try {
            long start = Long.parseUnsignedLong(line, 0, dash, 16);
            long end = Long.parseUnsignedLong(line, dash + 1, space, 16);
            return Long.compareUnsigned(start, address) <= 0 && Long.compareUnsigned(address, end) < 0;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    /** {@return the effective capabilities of this process} */
    public Capabilities capabilities() {
        OptionalLong mask = OptionalLong.empty();
        try {
            Optional<String> text = field("/proc/self/status", "CapEff");
            if (text.isPresent()) {
                mask = OptionalLong.of(Long.parseUnsignedLong(text.get(), 16));
            }
        } catch (NumberFormatException _) {
            mask = OptionalLong.empty();
        }
        // the initial user namespace maps every id to itself; a kernel without user namespaces has no such file
        boolean initial = tree.line("/proc/self/uid_map")
                .map(line -> line.replaceAll("\\s+", " ").equals("0 0 4294967295"))
                .orElse(true);
        return new Capabilities(mask, initial);
    }

    /** {@return the effective user number of this process, 0 for root; empty if unknown} */
    public OptionalLong userId() {
        Optional<String[]> ids = field("/proc/self/status", "Uid").map(text -> text.split("\\s+"));
        return ids.filter(words -> words.length > 1)
                .map(words -> Tree.parse(words[1]))
                .orElse(OptionalLong.empty());
    }

    /** {@return the release of the running kernel, for example {@code 6.1.0-28-amd64}} */
    public Optional<String> kernelRelease() {
        return tree.line("/proc/sys/kernel/osrelease");
    }

    /** {@return the modules of the running kernel} */
    public KernelModules modules() {
        return KernelModules.read(tree, kernelRelease().orElse("unknown"));
    }

    /** {@return the Linux distribution} */
    public Distribution distribution() {
        return Distribution.read(tree);
    }

    /** {@return whether this process is in a container} */
    public Container container() {
        return Container.read(tree);
    }

    /** {@return the RDMA devices that the kernel knows, by name} */
    public List<RdmaDevice> rdmaDevices() {
        return RdmaDevice.readAll(tree);
    }

    /**
     * Looks for one device.
     *
     * @param name the device, for example {@code rxe0}
     * @return the device if the kernel knows it
     */
    public Optional<RdmaDevice> rdmaDevice(String name) {
        Objects.requireNonNull(name, "name");
        return rdmaDevices().stream()
                .filter(device -> device.name().equals(name))
                .findFirst();
    }

    /**
     * Reads what a port counts.
     *
     * @param device the device, for example {@code mlx5_0}
     * @param port the port, from 1; 0 for what the device counts as a whole
     * @return its counters; without any if there is no such port or it counts nothing
     */
    public Counters counters(String device, int port) {
        return Counters.read(tree, device, port);
    }

    /** {@return the nodes in {@code /dev/infiniband}, by name} */
    public List<DeviceNode> deviceNodes() {
        return DeviceNode.readAll(tree);
    }

    /**
     * Looks for one node in {@code /dev/infiniband}.
     *
     * @param name its name, for example {@code uverbs0} or {@code rdma_cm}
     * @return the node if it exists
     */
    public Optional<DeviceNode> deviceNode(String name) {
        Objects.requireNonNull(name, "name");
        return deviceNodes().stream().filter(node -> node.name().equals(name)).findFirst();
    }

    /**
     * {@return the user-space providers configured in {@code /etc/libibverbs.d}, by name, for example {@code rxe};
     * empty if none is or the directory cannot be read}
     */
    public List<String> providers() {
        return tree.names("/etc/libibverbs.d").stream()
                .filter(name -> name.endsWith(".driver"))
                .map(name -> name.substring(0, name.length() - ".driver".length()))
                .toList();
    }

    /** {@return the libraries of rdma-core and its providers that are installed} */
    public Libraries libraries() {
        return LibraryFiles.read(tree);
    }

    /**
     * Tries to open a node in {@code /dev/infiniband} as verbs do, and closes it at once. Only this tells what the kernel
     * says beyond mode and control group: that the device belongs to another network namespace, say.
     *
     * @param name of the node, for example {@code uverbs0}
     * @return what the kernel objected, for example {@code Operation not permitted}; empty if it opened
     */
    public Optional<String> openRefusal(String name) {
        Objects.requireNonNull(name, "name");
        return DeviceNode.openRefusal(tree, name);
    }

    /**
     * Reads the GID table of a port without the library.
     *
     * @param device the device, for example {@code mlx5_0}
     * @param port its number, from 1
     * @return the filled rows; none if there is no such port
     */
    public GidTable gidTable(String device, int port) {
        Objects.requireNonNull(device, "device");
        return GidTables.read(tree, device, port);
    }

    /**
     * Looks for a network interface.
     *
     * @param name for example {@code eth0}
     * @return the interface if this network namespace has it
     */
    public Optional<NetworkInterface> networkInterface(String name) {
        Objects.requireNonNull(name, "name");
        return NetworkInterface.read(tree, name);
    }

    /** {@return whether {@code /sys} shows anything: it may be missing or masked in a container} */
    public boolean hasSysfs() {
        return !tree.names("/sys/class").isEmpty();
    }

    /** {@return how RDMA devices and network namespaces go together} */
    public NamespaceMode namespaceMode() {
        return tree.line("/sys/module/ib_core/parameters/netns_mode")
                .map(value -> value.equals("Y") ? NamespaceMode.SHARED : NamespaceMode.EXCLUSIVE)
                .orElse(NamespaceMode.UNKNOWN);
    }

    /**
     * Reads what this process's control group counts on a device.
     *
     * @param device the device, for example {@code mlx5_0}
     * @return the counts, if the {@code rdma} controller is in use
     */
    public Optional<RdmaControlGroup> rdmaControlGroup(String device) {
        Objects.requireNonNull(device, "device");
        return ControlGroups.rdma(tree, device);
    }

    /** {@return the NUMA nodes, by number; empty if the kernel does not know nodes} */
    public List<NumaNode> numaNodes() {
        return NumaNode.readAll(tree);
    }

    /** {@return the pools of huge pages of the whole machine, by size: the sizes that there are, with pages in them or not} */
    public List<HugePages> hugePages() {
        return HugePages.readAll(tree, "/sys/kernel/mm/hugepages");
    }

    /**
     * {@return how large ordinary huge pages are: those that are meant where no size is told, and transparent ones; empty if
     * the kernel has none}
     */
    public OptionalLong defaultHugePageBytes() {
        return kibibytes("/proc/meminfo", "Hugepagesize");
    }

    /** {@return the processors that this thread may run on: what its control group and its own mask leave; none if unknown} */
    public CpuSet allowedCpus() {
        return field("/proc/thread-self/status", "Cpus_allowed_list")
                .flatMap(CpuSet::parse)
                .orElse(CpuSet.NONE);
    }

    /**
     * Looks at a mapping of this process. The kernel walks all of them to answer, which takes milliseconds in a large process:
     * it is for people who want to know, not for the data path.
     *
     * @param address in the mapping
     * @return the mapping; empty if there is none, or it cannot be seen
     */
    public Optional<MemoryMapping> memoryMapping(long address) {
        return MemoryMapping.read(tree, address);
    }

    private Optional<String> field(String file, String name) {
        return tree.lines(file).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    private OptionalLong kibibytes(String file, String name) {
        OptionalLong number =
                field(file, name).map(text -> Tree.parse(text.split("\\s+")[0])).orElse(OptionalLong.empty());
        return number.isPresent() ? OptionalLong.of(number.getAsLong() * 1024) : number;
    }

    private static ByteLimit rlimit(String word) {
        if (word.equals("unlimited")) {
            return ByteLimit.UNLIMITED;
        }
        long bytes = Tree.parse(word).orElse(-1);
        return bytes < 0 ? ByteLimit.UNKNOWN : new ByteLimit(bytes);
    }
}
