package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.attr.SharedReceiveQueueAttributes;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.fake.FakeVerbs;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedReceiveQueueTest extends FakeDevice {
    private SharedReceiveQueue shared(int depth, int segments) {
        return keep(domain.createSharedReceiveQueue(depth, segments));
    }

    @Test
    void shouldAskForWhatItWasTold() {
        shared(16, 3);

        assertEquals(
                List.of("ibv_create_srq pd1 max_wr=16 max_sge=3 srq_limit=0 -> srq1"), FakeVerbs.log("ibv_create_srq"));
    }

    @Test
    void shouldTellWhatWasGranted() {
        FakeVerbs.grantMore(0, 4, 1, 0, 0);
        SharedReceiveQueue shared = shared(16, 3);

        assertEquals(20, shared.depth());
        assertEquals(4, shared.segments());
        assertEquals(new SharedReceiveQueueAttributes(20, 4, 0), shared.query());
        assertEquals(domain, shared.domain());
        assertEquals(FakeVerbs.handle("srq", 1), shared.handle());
        assertEquals("SharedReceiveQueue 1 of fake0", shared.toString());
    }

    @Test
    void shouldArmAndDisarmTheLimit() {
        SharedReceiveQueue shared = shared(16, 1);

        shared.armLimit(7);
        assertEquals(7, shared.query().limit());
        shared.armLimit(0);
        assertEquals(0, shared.query().limit());
        assertEquals(
                List.of(
                        "ibv_modify_srq mask=2 max_wr=0 max_sge=0 srq_limit=7 -> srq1",
                        "ibv_modify_srq mask=2 max_wr=0 max_sge=0 srq_limit=0 -> srq1"),
                FakeVerbs.log("ibv_modify_srq"));
        shared.armLimit(16);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 17})
    void shouldRefuseALimitThatCannotBe(int receives) {
        SharedReceiveQueue shared = shared(16, 1);

        assertEquals(
                "receives=" + receives + " is not in 0..16 of SharedReceiveQueue 1 of fake0",
                assertThrows(IllegalArgumentException.class, () -> shared.armLimit(receives))
                        .getMessage());
        assertEquals(0, FakeVerbs.calls("ibv_modify_srq"));
    }

    @Test
    void shouldHoldWhatItWasResizedTo() {
        SharedReceiveQueue shared = shared(16, 1);
        FakeVerbs.roundUpGrants();

        shared.resize(50);
        assertEquals(50, shared.depth());
        assertEquals(64, shared.query().depth(), "the device may hold more");
        shared.resize(5);
        assertEquals(5, shared.depth());
        assertEquals(
                List.of(
                        "ibv_modify_srq mask=1 max_wr=50 max_sge=0 srq_limit=0 -> srq1",
                        "ibv_modify_srq mask=1 max_wr=5 max_sge=0 srq_limit=0 -> srq1"),
                FakeVerbs.log("ibv_modify_srq"));
    }

    @Test
    void shouldStayAsItIsWhenItCannotBeResized() {
        SharedReceiveQueue shared = shared(16, 1);

        VerbsException thrown = assertThrows(VerbsException.class, () -> shared.resize(20_000));

        assertTrue(thrown.getMessage().contains("max_wr 20000 > 16384 (max_srq_wr)"), thrown::getMessage);
        assertEquals(16, shared.depth());
        assertThrows(IllegalArgumentException.class, () -> shared.resize(0));
    }

    @Test
    void shouldNotAskADeviceThatCannotResize() {
        FakeVerbs.deviceNumber(0, "device_cap_flags", 0);
        DeviceContext other = keep(Device.first().open());
        SharedReceiveQueue shared = keep(keep(other.allocateProtectionDomain()).createSharedReceiveQueue(16, 1));

        UnsupportedCapabilityException thrown =
                assertThrows(UnsupportedCapabilityException.class, () -> shared.resize(32));

        assertEquals("resizing shared receive queues", thrown.capability());
        assertTrue(thrown.getMessage().contains("SRQ_RESIZE"), thrown::getMessage);
        assertEquals(0, FakeVerbs.calls("ibv_modify_srq"));
    }

    @Test
    void shouldNameWhatTheDeviceDoesNotSupport() {
        SharedReceiveQueue shared = shared(16, 1);

        FakeVerbs.fail("ibv_modify_srq", Errno.EOPNOTSUPP.number(), 0, 2);
        assertEquals(
                "resizing shared receive queues",
                assertThrows(UnsupportedCapabilityException.class, () -> shared.resize(32))
                        .capability());
        assertEquals(
                "a limit of shared receive queues",
                assertThrows(UnsupportedCapabilityException.class, () -> shared.armLimit(3))
                        .capability());
        FakeVerbs.failNext("ibv_create_srq", Errno.EOPNOTSUPP.number());
        assertEquals(
                "shared receive queues",
                assertThrows(UnsupportedCapabilityException.class, () -> shared(1, 1))
                        .capability());
    }

    @Test
    void shouldNotBeMadeWhereThereAreNone() {
        FakeVerbs.deviceNumber(0, "max_srq", 0);
        FakeVerbs.removeOperation("post_srq_recv");
        ProtectionDomain without = keep(keep(Device.first().open()).allocateProtectionDomain());
        FakeVerbs.deviceNumber(0, "max_srq", 1);
        ProtectionDomain unposted = keep(keep(Device.first().open()).allocateProtectionDomain());

        assertTrue(assertThrows(UnsupportedCapabilityException.class, () -> without.createSharedReceiveQueue(1, 1))
                .getMessage()
                .contains("max_srq of the device is 0"));
        assertTrue(assertThrows(UnsupportedCapabilityException.class, () -> unposted.createSharedReceiveQueue(1, 1))
                .getMessage()
                .contains("the provider leaves ibv_post_srq_recv out"));
        assertEquals(0, FakeVerbs.calls("ibv_create_srq"));
    }

    @Test
    void shouldHoldTheAskedAgainstTheLimits() {
        VerbsException thrown = assertThrows(VerbsException.class, () -> shared(16_385, 28));

        assertEquals("ibv_create_srq", thrown.operation());
        assertTrue(thrown.getMessage().contains("max_wr 16385 > 16384 (max_srq_wr)"), thrown::getMessage);
        assertTrue(thrown.getMessage().contains("max_sge 28 > 27 (max_srq_sge)"), thrown::getMessage);
        assertEquals("65536", thrown.arguments().get("max_srq of the device"));
        assertThrows(IllegalArgumentException.class, () -> shared(0, 1));
        assertThrows(IllegalArgumentException.class, () -> shared(1, -1));
    }

    @Test
    void shouldTellWhichCallFailed() {
        SharedReceiveQueue shared = shared(16, 1);
        FakeVerbs.failNext("ibv_query_srq", EIO);
        assertEquals(
                "ibv_query_srq",
                assertThrows(VerbsException.class, shared::query).operation());
        FakeVerbs.failNext("ibv_destroy_srq", FakeVerbs.EBUSY);
        assertEquals(
                "ibv_destroy_srq",
                assertThrows(VerbsException.class, shared::close).operation());
        assertTrue(shared.isOpen(), "so that closing can be tried again");
    }

    @Test
    void shouldBeClosedBeforeItsDomain() {
        SharedReceiveQueue shared = shared(16, 1);

        assertTrue(assertThrows(IllegalStateException.class, domain::close)
                .getMessage()
                .contains("SharedReceiveQueue 1 of fake0"));
        shared.close();
        shared.close();
        assertFalse(shared.isOpen());
        assertEquals(1, FakeVerbs.calls("ibv_destroy_srq"));
        assertThrows(IllegalStateException.class, shared::query);
        assertThrows(IllegalStateException.class, () -> shared.armLimit(1));
        assertThrows(IllegalStateException.class, () -> shared.resize(1));
    }
}
