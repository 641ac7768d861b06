package io.github.verbs4j.bench.start;

import java.util.List;

/**
 * The device, port and GID that both languages use.
 *
 * @param device its name
 * @param port from 1
 * @param gidIndex from 0
 */
record Target(String device, int port, int gidIndex) {
    static Target of(String[] arguments) {
        return new Target(arguments[0], Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    }

    /** {@return it as both programs take it} */
    List<String> arguments() {
        return List.of(device, Integer.toString(port), Integer.toString(gidIndex));
    }
}
