package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program is told on a machine without libibverbs: in a JVM of its own, since this one has opened the fake. */
class LibraryMissingTest {
    /** Asks for devices twice and prints what it is told. */
    static final class Asker {
        private Asker() {}

        public static void main(String[] arguments) {
            for (int time = 0; time < 2; time++) {
                try {
                    System.out.println(Device.list());
                } catch (VerbsException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }

    @Test
    void shouldNameThePackagesOfBothFamiliesEveryTime(@TempDir Path directory) throws Exception {
        ChildJvm.Result result = ChildJvm.run(
                List.of("-D" + FakeVerbs.LIBRARY_PROPERTY + "=" + directory.resolve("libibverbs.so.1")), Asker.class);
        String output = result.output().replaceAll("\\s+", " "); // lines are wrapped

        assertEquals(0, result.status(), output);
        assertEquals(2, output.split("RDMA is not usable here: ", -1).length - 1, output);
        assertTrue(output.contains("apt-get install libibverbs1"), output);
        assertTrue(output.contains("dnf install libibverbs"), output);
        assertTrue(output.contains("does not exist"), output);
    }
}
