package io.github.verbs4j.it.query;

import io.github.verbs4j.Device;

/** Asks for memory that is safe when the process forks, before anything else happens in it. */
final class ForkSafety {
    private ForkSafety() {}

    public static void main(String[] arguments) {
        Device.initializeFork();
        System.out.println(Device.forkStatus());
    }
}
