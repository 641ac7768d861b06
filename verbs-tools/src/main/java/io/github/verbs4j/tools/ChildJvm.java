package io.github.verbs4j.tools;

import io.github.verbs4j.ffi.NativeLibrary;
import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** A main class of ours in another virtual machine: same executable, same class or module path, same access to C. */
final class ChildJvm {
    private ChildJvm() {}

    static List<String> command(Class<?> main, String... arguments) {
        Module module = main.getModule();
        Module nativeModule = NativeLibrary.class.getModule();
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.add("--enable-native-access=" + (nativeModule.isNamed() ? nativeModule.getName() : "ALL-UNNAMED"));
        command.add("-XX:+UseSerialGC"); // two processors are enough work already
        command.add("-Xmx256m");
        command.add("-XX:TieredStopAtLevel=1"); // a short life; and see softroce/README.md, SIGSEGV
        command.add("-XX:+DisplayVMOutputToStderr"); // a report of its death is no answer to an order
        for (String property : List.of(NativeLibrary.LIBIBVERBS_PROPERTY, NativeLibrary.LIBRDMACM_PROPERTY)) {
            if (System.getProperty(property) != null) {
                command.add("-D" + property + "=" + System.getProperty(property));
            }
        }
        if (module.isNamed()) {
            command.addAll(List.of("-p", System.getProperty("jdk.module.path")));
            command.addAll(List.of("-m", module.getName() + "/" + main.getName()));
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        }
        command.addAll(List.of(arguments));
        return command;
    }
}
