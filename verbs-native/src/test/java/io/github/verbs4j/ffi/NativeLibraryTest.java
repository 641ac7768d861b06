package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A library that cannot be used says why and what to do. */
class NativeLibraryTest {
    private static final String PROPERTY = "io.github.verbs4j.test.library";

    @AfterEach
    void forgetProperty() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void shouldNamePackagesAndPropertyIfNotInstalled() {
        String message = failure(library("libverbs4j-absent.so.1")).getMessage();

        assertContains(message, "libverbs4j-absent.so.1, or a library that it needs, is not installed");
        assertContains(message, "'apt-get install deb-package' (Debian, Ubuntu)");
        assertContains(message, "'dnf install rpm-package' (RHEL, Fedora)");
        assertContains(message, "-D" + PROPERTY + "=/path/to/libverbs4j-absent.so.1");
    }

    @Test
    void shouldSayThatThePathDoesNotExist() {
        System.setProperty(PROPERTY, "/nowhere/libibverbs.so.1");

        LibraryUnavailableException failure = failure(library("libibverbs.so.1"));

        assertContains(failure.getMessage(), "/nowhere/libibverbs.so.1, given by -D" + PROPERTY + ", does not exist");
        assertContains(failure.getMessage(), "apt-get install deb-package");
        assertEquals("/nowhere/libibverbs.so.1", failure.library());
    }

    @Test
    void shouldSayThatTheFileIsNoLibrary() {
        Path text = Build.write(Build.directory("fake").resolve("text.so"), "not a library");
        System.setProperty(PROPERTY, text.toString());

        assertContains(
                failure(library("libibverbs.so.1")).getMessage(),
                text + ", given by -D" + PROPERTY + ", is not a shared library for this machine");
    }

    @Test
    void shouldSayThatALibraryMayNeedOneThatIsMissing() {
        Path incomplete = FakeLibrary.inNeedOfAMissingOne();
        System.setProperty(PROPERTY, incomplete.toString());

        assertContains(
                failure(library("libibverbs.so.1")).getMessage(),
                "or needs one that is missing (see 'ldd " + incomplete + "')");
    }

    @Test
    void shouldRefuseALibraryWithAnotherSoname() {
        Path other = FakeLibrary.withSoname("libanother.so.1");
        System.setProperty(PROPERTY, other.toString());

        String message = failure(library("libibverbs.so.1")).getMessage();

        assertContains(message, other + ", given by -D" + PROPERTY + ", is not usable as libibverbs.so.1");
        assertContains(message, "its soname is another one");
        assertContains(message, "-Wl,-soname,libibverbs.so.1");
    }

    @Test
    void shouldRefuseALibraryWithAnotherSonameIfNoneIsInstalled() {
        System.setProperty(PROPERTY, FakeLibrary.withSoname("libanother.so.1").toString());

        assertContains(failure(library("libverbs4j-absent.so.1")).getMessage(), "its soname is another one");
    }

    @Test
    void shouldRefuseALibraryThatLacksTheFunctions() {
        System.setProperty(PROPERTY, FakeLibrary.withoutFunctions().toString());

        assertContains(failure(library("libibverbs.so.1")).getMessage(), "it has no function ibv_open_device");
    }

    @Test
    void shouldTakeALibraryFromThePath() {
        System.setProperty(
                PROPERTY, FakeLibrary.withSoname("libverbs4j-mine.so.1").toString());

        NativeLibrary library = library("libverbs4j-mine.so.1");

        assertNotNull(library.require("fake_query_port"));
    }

    @Test
    void shouldRepeatTheRootCauseOnEveryUse() {
        System.setProperty(PROPERTY, "/nowhere/libibverbs.so.1");
        NativeLibrary library = library("libibverbs.so.1");
        LibraryUnavailableException first = failure(library);
        System.clearProperty(PROPERTY);

        LibraryUnavailableException second = failure(library);
        LibraryUnavailableException third =
                assertThrows(LibraryUnavailableException.class, () -> library.find("ibv_open_device"));

        assertEquals(first.getMessage(), second.getMessage());
        assertEquals(first.getMessage(), third.getMessage());
        assertSame(root(first), root(second));
        assertSame(root(first), root(third));
    }

    @Test
    void shouldSayThatAFunctionIsMissing() {
        NativeLibrary library = NativeLibrary.libibverbs();

        LibraryUnavailableException failure =
                assertThrows(LibraryUnavailableException.class, () -> library.require("ibv_no_such_function"));

        assertContains(failure.getMessage(), "libibverbs.so.1 has no function ibv_no_such_function");
        assertContains(failure.getMessage(), "apt-get install libibverbs1 ibverbs-providers");
    }

    @Test
    void shouldFindNothingForAFunctionThatIsMissing() {
        assertEquals(Optional.<MemorySegment>empty(), NativeLibrary.libibverbs().find("ibv_no_such_function"));
    }

    @Test
    void shouldOpenALibraryOnce() {
        NativeLibrary library = NativeLibrary.librdmacm().open();

        assertSame(library, library.open());
        assertEquals(library.require("rdma_create_id"), library.require("rdma_create_id"));
    }

    /** librdmacm needs libibverbs.so.1, and the loader keeps the first one of that name. */
    @Test
    void shouldTakeLibibverbsFromThePathThoughLibrdmacmIsOpenedFirst() {
        var said = ChildJvm.onClassPath(
                BothLibraries.class,
                "--enable-native-access=ALL-UNNAMED",
                "-D" + NativeLibrary.LIBIBVERBS_PROPERTY + "=" + FakeLibrary.copyOfTheRealOne());

        assertEquals(Map.of("librdmacm", "no exception", "libibverbs", "no exception"), said);
    }

    static final class BothLibraries {
        private BothLibraries() {}

        public static void main(String[] arguments) {
            ChildJvm.print("librdmacm", ChildJvm.messageOf(NativeLibrary.librdmacm()::open));
            ChildJvm.print("libibverbs", ChildJvm.messageOf(NativeLibrary.libibverbs()::open));
        }
    }

    @Test
    void shouldNameThePackagesOfLibibverbs() {
        String message = messageWithProperty(NativeLibrary.LIBIBVERBS_PROPERTY).get("libibverbs");

        assertContains(message, "/nowhere, given by -Dio.github.verbs4j.libibverbs");
        assertContains(message, "'apt-get install libibverbs1 ibverbs-providers'");
        assertContains(message, "'dnf install libibverbs'");
    }

    @Test
    void shouldNameThePackagesOfLibrdmacm() {
        String message = messageWithProperty(NativeLibrary.LIBRDMACM_PROPERTY).get("librdmacm");

        assertContains(message, "/nowhere, given by -Dio.github.verbs4j.librdmacm");
        assertContains(message, "'apt-get install librdmacm1'");
        assertContains(message, "'dnf install librdmacm'");
    }

    @Test
    void shouldOpenLibibverbsThoughLibrdmacmIsMissing() {
        assertEquals(
                "no exception",
                messageWithProperty(NativeLibrary.LIBRDMACM_PROPERTY).get("libibverbs"));
    }

    private static Map<String, String> messageWithProperty(String property) {
        return ChildJvm.onClassPath(
                BothLibraries.class, "--enable-native-access=ALL-UNNAMED", "-D" + property + "=/nowhere");
    }

    private static NativeLibrary library(String soname) {
        return new NativeLibrary(soname, PROPERTY, "deb-package", "rpm-package", "ibv_open_device");
    }

    private static LibraryUnavailableException failure(NativeLibrary library) {
        return assertThrows(LibraryUnavailableException.class, library::open);
    }

    private static Throwable root(Throwable thrown) {
        return thrown.getCause() == null ? thrown : root(thrown.getCause());
    }

    private static void assertContains(String text, String part) {
        assertTrue(text.contains(part), () -> "<" + part + "> is not in <" + text + ">");
    }
}
