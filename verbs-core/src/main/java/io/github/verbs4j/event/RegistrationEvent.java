package io.github.verbs4j.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;

/** Memory that was registered: the kernel pins page by page, so it takes time in proportion to the size. */
@Name(RegistrationEvent.NAME)
@Label("Memory Registration")
@Category({"Verbs4J", "Memory"})
@Description(
        "Memory that a device may use from now on; its duration is that of pinning the pages and telling the device")
@Registered(false)
public final class RegistrationEvent extends Event {
    /** By what settings and recordings know it. */
    public static final String NAME = "io.github.verbs4j.MemoryRegistration";

    @Label("Region")
    private String region;

    @Label("Bytes")
    @DataAmount
    private long bytes;

    @Label("Pages")
    @Description(
            "How many pages the memory lies on, by their size; transparent huge pages are counted as ordinary ones")
    private long pages;

    @Label("Page Size")
    @DataAmount
    private long pageSize;

    @Label("Huge Pages")
    @Description("Whether it lies on huge pages, of the pool or transparent ones, of which there are fewer to pin")
    private boolean hugePages;

    @Label("Access")
    private String access;

    @Label("Device")
    private String device;

    /** Not begun yet. */
    public RegistrationEvent() {}

    /**
     * Tells of it.
     *
     * @param name of the region
     * @param rdmaDevice name of the device
     * @param flags what may be done to it
     * @param length bytes
     * @param count of pages
     * @param size of a page, bytes
     * @param huge whether that is more than the usual size
     */
    public void tell(String name, String rdmaDevice, String flags, long length, long count, long size, boolean huge) {
        region = name;
        device = rdmaDevice;
        access = flags;
        bytes = length;
        pages = count;
        pageSize = size;
        hugePages = huge;
        commit();
    }
}
