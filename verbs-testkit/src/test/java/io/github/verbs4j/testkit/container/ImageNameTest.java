package io.github.verbs4j.testkit.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.containers.Network;
import org.testcontainers.utility.DockerImageName;

class ImageNameTest {
    private static final String DIGEST = "@sha256:" + "0a".repeat(32);

    private final String before = System.getProperty(SoftRoceContainer.IMAGE_PROPERTY);

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(SoftRoceContainer.IMAGE_PROPERTY);
        } else {
            System.setProperty(SoftRoceContainer.IMAGE_PROPERTY, before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "verbs4j",
                "verbs4j:latest",
                "team/verbs4j:1.0_a-B",
                "localhost/verbs4j",
                "registry.example.com:5000/team/sub/verbs4j:1",
                "[fd09::1]:5000/verbs4j",
                "verbs--4j__x.y"
            })
    void shouldTakeWhatEnginesTake(String name) {
        ImageName.parse(name);
        ImageName.parse(name + DIGEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "UPPER CASE::",
                "Verbs4J",
                "verbs4j:",
                "verbs4j:a:b",
                ":latest",
                "a//b",
                "verbs4j@sha256:12"
            })
    void shouldRefuseOthersByTheNameOfTheParameter(String name) {
        for (IllegalArgumentException refusal : new IllegalArgumentException[] {
            assertThrows(IllegalArgumentException.class, () -> new SoftRoceContainer(name)),
            assertThrows(IllegalArgumentException.class, () -> SoftRoceContainer.pair(Network.SHARED, name))
        }) {
            assertEquals(
                    "image is '" + name
                            + "', which is not the name of an image: that is [REGISTRY/]NAME[:TAG], the name in"
                            + " lower case, as verbs4j:latest or registry.example.com/team/verbs4j:1",
                    refusal.getMessage());
        }
    }

    @Test
    void shouldRefuseANameThatTestcontainersHasTaken() {
        DockerImageName name = DockerImageName.parse("Upper");
        assertThrows(IllegalArgumentException.class, () -> new SoftRoceContainer(name));
    }

    @Test
    void shouldNameThePropertyThatIsWrong() {
        System.setProperty(SoftRoceContainer.IMAGE_PROPERTY, "Upper");
        for (IllegalArgumentException refusal : new IllegalArgumentException[] {
            assertThrows(IllegalArgumentException.class, SoftRoceContainer::new),
            assertThrows(IllegalArgumentException.class, () -> SoftRoceContainer.pair(Network.SHARED))
        }) {
            assertTrue(
                    refusal.getMessage().startsWith("the system property verbs4j.image is 'Upper', which"),
                    refusal::getMessage);
        }
    }

    @Test
    void shouldTakeABlankPropertyForNone() {
        System.setProperty(SoftRoceContainer.IMAGE_PROPERTY, " ");
        assertEquals(SoftRoceContainer.DEFAULT_IMAGE, ImageName.ofProperty());
    }
}
