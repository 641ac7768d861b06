package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.AccessFlag;
import io.github.verbs4j.attr.CreationPlace;
import io.github.verbs4j.attr.MemoryWindowType;
import io.github.verbs4j.attr.OpenResource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is open is shown as a tree, and told as leaks, with the places where it was made. */
class ResourcesTest extends FakeDevice {
    @AfterEach
    void forgetPlaces() {
        Resources.rememberPlaces(false);
    }

    @Test
    void shouldShowWhatIsOpenBelowWhatItBelongsTo() {
        RcQueuePair pair = queuePair();
        sends(pair);
        completions();

        assertEquals("""
                DeviceContext of fake0
                  ProtectionDomain 1 of fake0
                    MemoryRegion 1 (4096 bytes) of fake0
                    RcQueuePair 17 of fake0, with CompletionQueue 1 (1024 entries) of fake0
                      SendQueue of RcQueuePair 17 of fake0
                  CompletionQueue 1 (1024 entries) of fake0
                    Completions of CompletionQueue 1 (1024 entries) of fake0""".lines().toList(), newest());
    }

    /** The lines of the newest root: some test may have left another behind that could not be closed. */
    private static List<String> newest() {
        List<String> lines = Resources.tree().lines().toList();
        int begin = lines.size() - 1;
        while (lines.get(begin).startsWith(" ")) {
            begin--;
        }
        return lines.subList(begin, lines.size());
    }

    @Test
    void shouldShowItAsValues() {
        keep(domain.allocateMemoryWindow(MemoryWindowType.TYPE_2));
        OpenResource root = Resources.open().getLast();

        assertEquals("DeviceContext", root.kind());
        OpenResource of = root.children().getFirst();
        assertEquals(domain.toString(), of.name());
        assertEquals(
                List.of("MemoryRegion", "MemoryWindow"),
                of.children().stream().map(OpenResource::kind).toList());
        assertEquals(4096, of.children().getFirst().registeredBytes());
        assertEquals(Optional.empty(), of.place());
    }

    @Test
    void shouldShowNothingOfWhatIsClosed() {
        memory.close();
        queue.close();
        domain.close();
        assertEquals(List.of("DeviceContext of fake0"), newest());
        int open = Resources.open().size();
        context.close();
        assertEquals(open - 1, Resources.open().size());
    }

    @Test
    void shouldTellWhereLeaksWereMade() {
        Resources.rememberPlaces(true);
        leak();

        List<String> report = Resources.leaks().lines().toList();
        assertEquals(Resources.tree().lines().count() + " resources were never closed:", report.getFirst());
        int leaked = report.indexOf("MemoryRegion 2 (64 bytes) of fake0");
        assertTrue(
                report.get(leaked + 1)
                        .matches("  made \\S+Z by thread \""
                                + Thread.currentThread().getName() + "\""),
                report::toString);
        assertTrue(
                report.get(leaked + 2).matches("      at .*ResourcesTest\\.leak\\(ResourcesTest\\.java:\\d+\\)"),
                report::toString);
        assertTrue(report.get(leaked + 3).contains("shouldTellWhereLeaksWereMade"), report::toString);
    }

    @Test
    void shouldTellWhereAQueueWasMade() {
        Resources.rememberPlaces(true);
        SendQueue queue = sends(queuePair());

        String report = Resources.leaks();
        String made = report.substring(report.indexOf("\n" + queue + "\n"));
        assertTrue(made.contains("ResourcesTest.shouldTellWhereAQueueWasMade"), report);

        queue.close();
        assertFalse(Resources.leaks().contains("\n" + queue + "\n"));
    }

    private void leak() {
        keep(domain.allocate(64, AccessFlag.LOCAL_WRITE));
    }

    @Test
    void shouldRememberNothingUnlessAskedTo() {
        leak();
        Resources.rememberPlaces(true);
        Resources.rememberPlaces(false);
        leak();

        assertTrue(
                Resources.leaks().contains("\n  made where is not known: start with -Dio.github.verbs4j.leaks=true"),
                Resources::leaks);
        assertEquals(
                List.of(),
                Resources.open().getLast().children().getFirst().children().stream()
                        .flatMap(open -> open.place().map(CreationPlace::stack).stream())
                        .toList());
    }

    /** Ends without closing what it opened. */
    static final class Forgetful {
        private Forgetful() {}

        public static void main(String[] arguments) {
            Device.first().open().allocateProtectionDomain();
        }
    }

    @Test
    void shouldReportAtTheEndIfAsked() throws Exception {
        String told = ChildJvm.run(List.of("-Dio.github.verbs4j.leaks=true"), Forgetful.class)
                .output();
        assertTrue(told.contains("Verbs4J: 2 resources were never closed:"), told);
        assertTrue(told.contains("ResourcesTest$Forgetful.main(ResourcesTest.java:"), told);

        assertEquals("", ChildJvm.run(List.of(), Forgetful.class).output());
    }
}
