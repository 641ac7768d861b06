package io.github.verbs4j.ffi;

/** A native library, or a function in it, that this machine does not offer; the message says what to install or set. */
public final class LibraryUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The library asked for. */
    private final String library;

    /**
     * Creates the exception.
     *
     * @param library soname or path of the library
     * @param message what is wrong and what to do
     * @param cause what the virtual machine said, or null
     */
    public LibraryUnavailableException(String library, String message, Throwable cause) {
        super(message, cause);
        this.library = library;
    }

    /** {@return soname or path of the library} */
    public String library() {
        return library;
    }
}
