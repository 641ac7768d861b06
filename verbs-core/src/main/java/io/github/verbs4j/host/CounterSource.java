package io.github.verbs4j.host;

/** Which of the kernel's directories a counter is in. */
public enum CounterSource {
    /** {@code counters}: those that the InfiniBand specification gives each port; Soft-RoCE has none. */
    STANDARD("counters"),
    /** {@code hw_counters}: what this kind of hardware, or Soft-RoCE, counts besides; the names are the driver's. */
    HARDWARE("hw_counters");

    private final String directory;

    CounterSource(String directory) {
        this.directory = directory;
    }

    /** {@return the name of the directory below the port or the device} */
    public String directory() {
        return directory;
    }
}
