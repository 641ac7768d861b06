package io.github.verbs4j.attr;

/** A constant that C knows by a number. */
interface Coded {
    int code();

    static <T extends Coded> T find(T[] values, int code, T unknown) {
        for (T value : values) {
            if (value.code() == code) {
                return value;
            }
        }
        return unknown;
    }
}
