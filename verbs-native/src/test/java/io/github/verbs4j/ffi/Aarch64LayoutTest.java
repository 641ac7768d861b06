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

    @Test
    void shouldReadTheContextWhereCHasIt() {
        List<Check> checks = List.of(
                new Check(
                        "offset of the mark",
                        "offsetof(struct ibv_context, abi_compat)",
                        ContextOps.abiCompatOffset(GROWTH)),
                new Check("size of the context", "sizeof(struct ibv_context)", ContextOps.contextBytes(GROWTH)),
                new Check("growth of the mutex", "sizeof(pthread_mutex_t)", pthread_mutex_t.sizeof() + GROWTH),
                // as they were measured once, so that both sides cannot go wrong together
                new Check("offset of ibv_context.abi_compat", "offsetof(struct ibv_context, abi_compat)", 328),
                new Check("offset of ibv_qp_ex.wr_id", "offsetof(struct ibv_qp_ex, wr_id)", 176),
                new Check("offset of ibv_qp_ex.wr_start", "offsetof(struct ibv_qp_ex, wr_start)", 328),
                new Check("offset of ibv_cq_ex.status", "offsetof(struct ibv_cq_ex, status)", 140),
                new Check("offset of ibv_cq_ex.start_poll", "offsetof(struct ibv_cq_ex, start_poll)", 152));

        List<String> disagreements = CNumbers.disagreementsWhenCompiled("context-aarch64", CCompiler.aarch64(), checks);

        assertEquals(List.of(), disagreements);
    }

    @Test
    void shouldReadBehindAMutexWhereCHasIt() {
        List<Check> checks = MutexMemberChecks.of(GROWTH);

        List<String> disagreements =
                CNumbers.disagreementsWhenCompiled("mutex-members-aarch64", CCompiler.aarch64(), checks);

        assertEquals(List.of(), disagreements);
        assertTrue(checks.size() > 30, () -> "only " + checks.size() + " checks");
    }
}
