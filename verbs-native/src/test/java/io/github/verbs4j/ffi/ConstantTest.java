package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The generated constants are those of the headers. */
class ConstantTest {
    @Test
    void shouldAgreeWithCOnEveryConstant() {
        List<Check> checks = ConstantChecks.all();

        List<String> disagreements = CNumbers.disagreementsWhenRun("constants", checks);

        assertEquals(List.of(), disagreements);
        assertTrue(checks.size() > 900, () -> "only " + checks.size() + " checks");
    }
}
