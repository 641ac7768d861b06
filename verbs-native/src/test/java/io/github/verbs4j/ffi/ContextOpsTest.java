package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Function pointers are read where C reads them, and only if C would. The context is made by hand. */
class ContextOpsTest {
    /** As {@code infiniband/verbs.h} computes it: the mutex of aarch64 is longer. */
    private static final long GROWTH = Architecture.mutexGrowth();

    private static final long ALL = verbs_context.sizeof() + GROWTH;
    private static final MemorySegment FUNCTION = MemorySegment.ofAddress(0xf00dL);

    private final MemorySegment extended =
            Arena.ofAuto().allocate(ALL, verbs_context.layout().byteAlignment());
    private final MemorySegment context = extended.asSlice(verbs_context.context$offset());

    ContextOpsTest() {
        verbs_context.sz(extended, ALL);
        mark(-1);
    }

    @Test
    void shouldReadEachOperationOfTheTable() {
        List<String> members = GeneratedClasses.methods(ibv_context_ops.class, "$offset");
        for (int i = 0; i < members.size(); i++) {
            long offset = (long) GeneratedClasses.call(ibv_context_ops.class, members.get(i) + "$offset");
            context.set(ADDRESS, ibv_context.ops$offset() + offset, MemorySegment.ofAddress(i + 1));

            assertEquals(i + 1, ContextOps.op(context, offset).address(), members.get(i));
        }
    }

    @Test
    void shouldReadTheThreeOperationsOfTheDataPath() {
        MemorySegment ops = ibv_context.ops(context);
        ibv_context_ops.post_send(ops, MemorySegment.ofAddress(1));
        ibv_context_ops.post_recv(ops, MemorySegment.ofAddress(2));
        ibv_context_ops.poll_cq(ops, MemorySegment.ofAddress(3));

        assertEquals(1, DataPath.postSend(context).address());
        assertEquals(2, DataPath.postReceive(context).address());
        assertEquals(3, DataPath.pollCompletionQueue(context).address());
    }

    @Test
    void shouldReadAnExtendedOperation() {
        verbs_context.query_port(extended, FUNCTION);

        assertEquals(FUNCTION, queryPort());
    }

    @Test
    void shouldAnswerNullForAnOperationThatTheProviderLeftOut() {
        assertEquals(MemorySegment.NULL, queryPort());
    }

    @Test
    void shouldAnswerNullWithoutTheMark() {
        verbs_context.query_port(extended, FUNCTION);
        mark(0);

        assertEquals(MemorySegment.NULL, queryPort());
        assertFalse(ContextOps.isExtended(context));
    }

    @Test
    void shouldSeeTheMark() {
        assertTrue(ContextOps.isExtended(context));
    }

    @Test
    void shouldAnswerNullIfTheLibraryIsTooOldToKnowTheOperation() {
        verbs_context.query_port(extended, FUNCTION);
        verbs_context.sz(extended, ALL - 1);

        assertEquals(MemorySegment.NULL, queryPort());
    }

    @Test
    void shouldReadAnOperationThatAnOldLibraryKnows() {
        verbs_context.advise_mr(extended, FUNCTION);
        verbs_context.sz(extended, ALL - ADDRESS.byteSize());

        assertEquals(FUNCTION, ContextOps.extendedOp(context, verbs_context.advise_mr$offset()));
    }

    @Test
    void shouldAnswerNullForASizeOfZero() {
        verbs_context.query_port(extended, FUNCTION);
        verbs_context.sz(extended, 0);

        assertEquals(MemorySegment.NULL, queryPort());
    }

    @Test
    void shouldAcceptALongerStructOfANewerLibrary() {
        verbs_context.query_port(extended, FUNCTION);
        verbs_context.sz(extended, ALL + 128);

        assertEquals(FUNCTION, queryPort());
    }

    @Test
    void shouldTakeAPointerWithoutASizeAsCHandsItOut() {
        verbs_context.query_port(extended, FUNCTION);

        assertEquals(
                FUNCTION,
                ContextOps.extendedOp(MemorySegment.ofAddress(context.address()), verbs_context.query_port$offset()));
    }

    private MemorySegment queryPort() {
        return ContextOps.extendedOp(context, verbs_context.query_port$offset());
    }

    private void mark(long value) {
        context.set(JAVA_LONG, ibv_context.abi_compat$offset() + GROWTH, value);
    }
}
