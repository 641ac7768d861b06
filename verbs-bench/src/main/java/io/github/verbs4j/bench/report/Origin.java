package io.github.verbs4j.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * When and on what a result was measured.
 *
 * @param date in UTC
 * @param processor its model
 * @param processors how many were used
 * @param emulated whether the processor is
 * @param kernel its release
 * @param rdmaCore version of the user-space libraries
 * @param java version of the virtual machine
 * @param compiler of the C program
 * @param options of that compiler
 */
record Origin(
        String date,
        String processor,
        int processors,
        boolean emulated,
        String kernel,
        String rdmaCore,
        String java,
        String compiler,
        String options) {

    static Origin of(Recorded recorded) {
        Recorded machine = recorded.object("machine");
        return new Origin(
                recorded.text("date"),
                machine.text("processor"),
                machine.whole("processors"),
                machine.flag("emulated"),
                machine.text("kernel"),
                machine.text("rdma_core"),
                machine.text("java"),
                machine.text("compiler"),
                recorded.text("c_options"));
    }

    /** {@return it as rows of a table, which the caller may add to} */
    List<List<String>> facts() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("date", date));
        rows.add(List.of("processor", processor + ", " + processors + " in use" + (emulated ? ", emulated" : "")));
        rows.add(List.of("kernel", kernel));
        if (!rdmaCore.equals("unknown")) { // as where a provider stands in for it
            rows.add(List.of("rdma-core", rdmaCore));
        }
        rows.add(List.of("Java", java));
        rows.add(List.of("C compiler", compiler));
        rows.add(List.of("C options", "`" + options + "`"));
        return rows;
    }

    /** {@return it in a few words} */
    String summary() {
        return processor + ", Java " + java;
    }
}
