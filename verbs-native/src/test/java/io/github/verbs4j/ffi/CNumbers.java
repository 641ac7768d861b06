package io.github.verbs4j.ffi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What C says the numbers are: a program is written that lists them all. */
final class CNumbers {
    private static final String SECTION = ".verbs4j_numbers";

    private CNumbers() {}

    /** Compiles and runs the program; the messages of all checks that C disagrees with. */
    static List<String> disagreementsWhenRun(String name, List<Check> checks) {
        Path source = write(name, checks);
        Path program = CCompiler.host().program(source, source.resolveSibling(name));
        return disagreements(
                checks, Command.runOrFail(List.of(program.toString())).output());
    }

    /** The same for a compiler whose programs do not run here. */
    static List<String> disagreementsWhenCompiled(String name, CCompiler compiler, List<Check> checks) {
        return disagreements(checks, compiler.section(write(name, checks), SECTION));
    }

    /** The program, which includes all headers. */
    static Path write(String name, List<Check> checks) {
        StringBuilder text = new StringBuilder("""
                #define _GNU_SOURCE
                #include <fcntl.h>
                #include <poll.h>
                #include <stddef.h>
                #include <stdint.h>
                #include <stdio.h>
                #include <linux/mempolicy.h>
                #include <linux/netlink.h>
                #include <sys/eventfd.h>
                #include <sys/mman.h>
                #include <sys/socket.h>
                #include <sys/syscall.h>
                #include <infiniband/verbs.h>
                #include <rdma/rdma_cma.h>
                #include <rdma/rdma_netlink.h>
                #include <rdma/rdma_verbs.h>
                #include <rdma/rsocket.h>

                __attribute__((section("%s"), used)) const long long numbers[] = {
                """.formatted(SECTION));
        for (Check check : checks) {
            text.append("\t(long long)(")
                    .append(check.expression())
                    .append("), /* ")
                    .append(check.what())
                    .append(" */\n");
        }
        text.append("""
                };

                int main(void)
                {
                	return fwrite(numbers, sizeof(numbers), 1, stdout) == 1 ? 0 : 1;
                }
                """);
        return Build.write(Build.directory("numbers").resolve(name + ".c"), text.toString());
    }

    private static List<String> disagreements(List<Check> checks, byte[] answer) {
        ByteBuffer numbers = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
        if (numbers.remaining() != checks.size() * Long.BYTES) {
            throw new AssertionError("C answered " + numbers.remaining() + " bytes for " + checks.size() + " numbers");
        }
        List<String> disagreements = new ArrayList<>();
        for (Check check : checks) {
            long c = numbers.getLong();
            if (c != check.value()) {
                disagreements.add(check.what() + " is " + c + " in C, " + check.value() + " in the bindings");
            }
        }
        return disagreements;
    }
}
