package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines that nobody has checked are refused by name. */
class ArchitectureTest {
    @ParameterizedTest
    @ValueSource(strings = {"riscv64", "ppc64le", "s390x", "loongarch64", "x86", "i386", "arm"})
    void shouldRefuseOtherProcessorsByName(String processor) {
        LibraryUnavailableException refusal =
                assertThrows(LibraryUnavailableException.class, () -> Architecture.mutexGrowth("Linux", processor));

        assertTrue(refusal.getMessage().contains("not for " + processor), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("amd64 and aarch64"), refusal::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mac OS X", "Windows 11", "FreeBSD"})
    void shouldRefuseOtherSystemsByName(String system) {
        LibraryUnavailableException refusal =
                assertThrows(LibraryUnavailableException.class, () -> Architecture.mutexGrowth(system, "aarch64"));

        assertTrue(refusal.getMessage().contains("Linux only, this is " + system), refusal::getMessage);
    }

    @Test
    void shouldLeaveOffsetsOfTheGeneratedArchitectureAlone() {
        assertEquals(0, Architecture.mutexGrowth("Linux", "amd64"));
    }

    @Test
    void shouldAcceptThisMachine() {
        assertDoesNotThrow(Architecture::requireSupported);
    }
}
