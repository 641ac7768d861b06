package io.github.verbs4j.tools;

import java.util.ArrayList;
import java.util.List;

/** What happened in the demo, for somebody new to RDMA. */
final class DemoStory {
    private DemoStory() {}

    static List<String> lines(boolean software) {
        List<String> lines = new ArrayList<>(
                List.of(
                        "",
                        "What just happened",
                        "  1. Two Java processes opened the same device. Each registered memory with it, so that the device may read",
                        "     and write those pages by itself, and made a queue pair: a queue of sends and a queue of receives.",
                        "  2. They told each other, over a pipe, the number of their queue pair and the address of their port, and",
                        "     connected. The pipe carried no data: everything else went through the device.",
                        "  3. Ping-pong: one posts the request to send these bytes; the device puts them into a receive that the other",
                        "     had posted, straight into its memory; both learn of it by polling a completion queue. No socket, no",
                        "     buffer in between, no garbage.",
                        "  4. RDMA write: the first process placed 1 MiB in the second one's memory. The second one ran no code for it;",
                        "     it had only given out the memory's address and key. Afterwards it compared every byte.",
                        "  5. RDMA read: the first process fetched 1 MiB from the second one's memory, again without its help."));
        lines.add(
                software
                        ? "  A network adapter does all this without the kernel; here the kernel's software device stood in for it."
                        : "  Opening, registering and connecting went through the kernel; moving the data did not.");
        return lines;
    }
}
