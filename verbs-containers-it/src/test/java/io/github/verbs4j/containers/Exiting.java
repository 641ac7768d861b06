package io.github.verbs4j.containers;

/** A program that needs nothing, to see what becomes of its arguments, streams and status. */
final class Exiting {
    private Exiting() {}

    public static void main(String[] arguments) {
        System.out.println(String.join(",", arguments));
        System.err.println("to standard error");
        System.exit(Integer.getInteger("status"));
    }
}
