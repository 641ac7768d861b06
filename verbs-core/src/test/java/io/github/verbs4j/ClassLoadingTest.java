package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.RcPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program loads the bindings of what it uses and nothing else. The classes that its first message needs are listed in
 * {@code loaded-bindings.txt}; a function's nested class links the function when it is loaded.
 */
class ClassLoadingTest {
    /** Generated ones have C's names; those nested in ErrnoVerbs link too. */
    private static final Pattern BINDING =
            Pattern.compile(" io\\.github\\.verbs4j\\.ffi\\.([a-z_][\\w$]*|ErrnoVerbs\\$\\w+) source:");

    /** From the list of devices to a message that has arrived. */
    static final class FirstMessage {
        private FirstMessage() {}

        public static void main(String[] arguments) {
            try (DeviceContext context = Device.list().getFirst().open();
                    ProtectionDomain domain = context.allocateProtectionDomain();
                    MemoryRegion memory = domain.allocate(4096, AccessFlag.LOCAL_WRITE);
                    CompletionQueue queue = context.createCompletionQueue(16);
                    RcQueuePair pair =
                            domain.createRc(QueuePairOptions.sharing(queue).depth(4, 4));
                    ReceiveQueue receives = ReceiveQueue.over(pair);
                    SendQueue sends = SendQueue.over(pair);
                    Completions completions = Completions.over(queue, 4)) {
                pair.connect(pair.initialize(context.gids(1).preferred()), RcPath.defaults());
                receives.receive(1, memory, 0, 64);
                receives.post();
                sends.send(2, memory, 64, 64).signaled();
                sends.post();
                for (int pending = 2; pending > 0; ) {
                    pending -= completions.poll();
                    while (completions.next()) {
                        completions.requireSuccess();
                    }
                }
            }
        }
    }

    @Test
    void shouldLoadTheBindingsOfWhatIsUsed(@TempDir Path directory) throws Exception {
        Path log = directory.resolve("classes.txt");
        ChildJvm.Result result = ChildJvm.run(List.of("-Xlog:class+load:file=" + log), FirstMessage.class);
        assertEquals(0, result.status(), result.output());

        TreeSet<String> loaded = Files.readAllLines(log).stream()
                .map(BINDING::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(String.join("\n", listed()), String.join("\n", loaded), "bindings loaded");
    }

    private static List<String> listed() throws IOException {
        try (InputStream list = ClassLoadingTest.class.getResourceAsStream("/loaded-bindings.txt")) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
