package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The generated layouts are those of the C compiler of this machine. */
class StructLayoutTest {
    @Test
    void shouldAgreeWithCOnEverySizeAndOffset() {
        List<Check> checks = LayoutChecks.of(Architecture.mutexGrowth());

        List<String> disagreements = CNumbers.disagreementsWhenRun("layouts", checks);

        assertEquals(List.of(), disagreements);
        assertTrue(checks.size() > 2000, () -> "only " + checks.size() + " checks");
    }

    @Test
    void shouldReadTheContextWhereCHasIt() {
        long growth = Architecture.mutexGrowth();
        List<Check> checks = List.of(
                new Check(
                        "offset of the mark",
                        "offsetof(struct ibv_context, abi_compat)",
                        ContextOps.abiCompatOffset(growth)),
                new Check("size of the context", "sizeof(struct ibv_context)", ContextOps.contextBytes(growth)));

        assertEquals(List.of(), CNumbers.disagreementsWhenRun("context", checks));
    }

    @Test
    void shouldReadBehindAMutexWhereCHasIt() {
        List<Check> checks = MutexMemberChecks.of(Architecture.mutexGrowth());

        assertEquals(List.of(), CNumbers.disagreementsWhenRun("mutex-members", checks));
        assertTrue(checks.size() > 30, () -> "only " + checks.size() + " checks");
    }
}
