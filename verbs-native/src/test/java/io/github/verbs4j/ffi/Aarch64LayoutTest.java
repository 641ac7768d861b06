package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The layouts hold on aarch64 too, except behind an embedded mutex, where they move as the product expects. */
class Aarch64LayoutTest {
    private static final long GROWTH = Architecture.mutexGrowth("Linux", "aarch64");

    @Test
    void shouldAgreeWithCOnEverySizeAndOffset() {
        List<Check> checks = LayoutChecks.of(GROWTH);

        List<String> disagreements = CNumbers.disagreementsWhenCompiled("layouts-aarch64", CCompiler.aarch64(), checks);

        assertEquals(List.of(), disagreements);
        assertTrue(checks.size() > 2000, () -> "only " + checks.size() + " checks");
    }

    @Test
    void shouldAgreeWithCOnEveryConstant() {
        List<String> disagreements =
                CNumbers.disagreementsWhenCompiled("constants-aarch64", CCompiler.aarch64(), ConstantChecks.all());

        assertEquals(List.of(), disagreements);
    }
}
