package io.github.verbs4j.error;

import java.io.Serializable;

/**
 * An error number of Linux. Numbers that Linux does not define are allowed and say so.
 *
 * @param number the number as C has it in {@code errno}, positive
 */
public record Errno(int number) implements Serializable {

    /** Operation not permitted. */
    public static final Errno EPERM = new Errno(1);
    /** No such file or directory; also: no completion there. */
    public static final Errno ENOENT = new Errno(2);
    /** Interrupted system call. */
    public static final Errno EINTR = new Errno(4);
    /** Input/output error; also: the device is gone. */
    public static final Errno EIO = new Errno(5);
    /** Resource temporarily unavailable. */
    public static final Errno EAGAIN = new Errno(11);
    /** Cannot allocate memory. */
    public static final Errno ENOMEM = new Errno(12);
    /** Permission denied. */
    public static final Errno EACCES = new Errno(13);
    /** Bad address. */
    public static final Errno EFAULT = new Errno(14);
    /** Device or resource busy. */
    public static final Errno EBUSY = new Errno(16);
    /** No such device. */
    public static final Errno ENODEV = new Errno(19);
    /** Invalid argument. */
    public static final Errno EINVAL = new Errno(22);
    /** Too many open files in system. */
    public static final Errno ENFILE = new Errno(23);
    /** Too many open files. */
    public static final Errno EMFILE = new Errno(24);
    /** No space left on device. */
    public static final Errno ENOSPC = new Errno(28);
    /** Function not implemented. */
    public static final Errno ENOSYS = new Errno(38);
    /** No data available. */
    public static final Errno ENODATA = new Errno(61);
    /** Operation not supported. */
    public static final Errno EOPNOTSUPP = new Errno(95);
    /** Connection timed out. */
    public static final Errno ETIMEDOUT = new Errno(110);

    /** {@return whether it means that the kernel, the driver or the provider has no such function} */
    public boolean isUnsupported() {
        return number == EOPNOTSUPP.number || number == ENOSYS.number;
    }

    /** {@return the symbolic name, for example {@code ENOMEM}; {@code errno 41} if the number has none} */
    public String name() {
        String name = ErrnoTable.name(number);
        return name == null ? "errno " + number : name;
    }

    /** {@return what it means in English, for example {@code Cannot allocate memory}} */
    public String text() {
        String text = ErrnoTable.text(number);
        return text == null ? "Unknown error " + number : text;
    }

    /** {@return for example {@code ENOMEM (12, Cannot allocate memory)}} */
    @Override
    public String toString() {
        return ErrnoTable.name(number) == null
                ? "errno " + number + " (unknown)"
                : name() + " (" + number + ", " + text() + ")";
    }
}
