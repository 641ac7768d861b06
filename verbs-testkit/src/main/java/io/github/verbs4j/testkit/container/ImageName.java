package io.github.verbs4j.testkit.container;

import java.util.Objects;
import java.util.regex.Pattern;
import org.testcontainers.utility.DockerImageName;

/** A name of an image, checked here: Testcontainers takes any text, or fails with an index out of bounds. */
final class ImageName {
    /** As engines define it: a registry, lower-case words with / between, a tag, a digest. */
    private static final Pattern REFERENCE = Pattern.compile(
            "(([a-zA-Z0-9.-]+|\\[[0-9a-fA-F:]+\\])(:[0-9]+)?/)?" // registry
                    + "[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*)*" // repository
                    + "(:\\w[\\w.-]{0,127})?(@sha256:[0-9a-fA-F]{64})?");

    private ImageName() {}

    /** The name in the system property, or the default if there is none, or a blank one as build files make it. */
    static String ofProperty() {
        String name = System.getProperty(SoftRoceContainer.IMAGE_PROPERTY, "");
        return name.isBlank()
                ? SoftRoceContainer.DEFAULT_IMAGE
                : require(name, "the system property " + SoftRoceContainer.IMAGE_PROPERTY);
    }

    static DockerImageName parse(String image) {
        Objects.requireNonNull(image, "image");
        return DockerImageName.parse(require(image, "image"));
    }

    static void require(DockerImageName image) {
        Objects.requireNonNull(image, "image");
        require(image.asCanonicalNameString(), "image");
    }

    private static String require(String name, String whose) {
        if (!REFERENCE.matcher(name).matches()) {
            throw new IllegalArgumentException(whose + " is '" + name + "', which is not the name of an image: that is"
                    + " [REGISTRY/]NAME[:TAG], the name in lower case, as " + SoftRoceContainer.DEFAULT_IMAGE
                    + " or registry.example.com/team/verbs4j:1");
        }
        return name;
    }
}
