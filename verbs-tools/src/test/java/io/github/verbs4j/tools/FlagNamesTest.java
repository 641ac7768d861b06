package io.github.verbs4j.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlagNamesTest {
    @Test
    void theFlagsOfSoftRoceAsIbvDevinfoNamesThem() {
        assertEquals(
                List.of(
                        "BAD_PKEY_CNTR",
                        "BAD_QKEY_CNTR",
                        "AUTO_PATH_MIG",
                        "CHANGE_PHY_PORT",
                        "UD_AV_PORT_ENFORCE",
                        "PORT_ACTIVE_EVENT",
                        "SYS_IMAGE_GUID",
                        "RC_RNR_NAK_GEN",
                        "SRQ_RESIZE",
                        "MEM_WINDOW",
                        "MEM_MGT_EXTENSIONS",
                        "MEM_WINDOW_TYPE_2B"),
                FlagNames.DEVICE.of(0x01223c76));
        assertEquals(List.of("CM_SUP"), FlagNames.PORT.of(0x00010000));
        assertEquals(List.of(), FlagNames.PORT_2.of(0));
    }

    @Test
    void aBitWithoutANameIsNotLost() {
        assertEquals(List.of("BIT_31"), FlagNames.DEVICE.of(1 << 31));
    }
}
