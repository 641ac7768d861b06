package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Linker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkageTest {
    @ParameterizedTest
    @CsvSource({
        "mlx5, true, true",
        "mlx4, true, true",
        "efa, true, false",
        "hns, false, false",
        "irdma, true, true",
        "rxe, false, true",
        "siw, false, false",
        "hfi1verbs, false, false",
        "ibverbs, false, false",
        "'', false, false"
    })
    void shouldLinkCriticallyWhatIsKnownNotToBlock(String provider, boolean post, boolean poll) {
        assertEquals(new Linkage(provider, post, poll), Linkage.of(provider, "auto"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "none; false; false",
                "post; true; false",
                "poll; false; true",
                "post,poll; true; true",
                "poll,post; true; true"
            })
    void shouldLetTheUserDecide(String choice, boolean post, boolean poll) {
        assertEquals(new Linkage("mlx5", post, poll), Linkage.of("mlx5", choice));
        assertEquals(new Linkage("", post, poll), Linkage.of("", choice));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "all", "post poll", "POST", "true"})
    void shouldRefuseAnotherChoice(String choice) {
        String message = assertThrows(IllegalArgumentException.class, () -> Linkage.of("rxe", choice))
                .getMessage();
        assertTrue(message.contains("-Dio.github.verbs4j.critical=" + choice + " is none of auto, none"), message);
    }

    @ParameterizedTest
    @CsvSource({
        "/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so, rxe",
        "/usr/lib/x86_64-linux-gnu/libmlx5.so.1.24.44.0, mlx5",
        "/usr/lib64/libibverbs/libhns-rdmav57.so, hns",
        "/usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0, ibverbs",
        "/opt/driver/other.so, ''"
    })
    void shouldTellTheProviderByItsFile(String file, String provider) {
        assertEquals(provider, Linkage.providerName(file));
    }

    @Test
    void shouldFindTheLibraryThatAFunctionLiesIn() {
        long strlen =
                Linker.nativeLinker().defaultLookup().findOrThrow("strlen").address();
        assertEquals("c", Linkage.of(strlen).provider());
        assertEquals("", Linkage.of(1).provider());
    }
}
