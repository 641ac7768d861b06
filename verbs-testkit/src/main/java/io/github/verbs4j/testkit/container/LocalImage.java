package io.github.verbs4j.testkit.container;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/** An image that only the engine here can have: Testcontainers would try for minutes to pull it. */
final class LocalImage {
    private LocalImage() {}

    /** Refuses a name without a registry and an owner, such as {@code verbs4j:latest}, if there is no such image. */
    static void require(DockerClient engine, DockerImageName image) {
        String name = ImageNameSubstitutor.instance().apply(image).asCanonicalNameString();
        if (name.contains("/")) {
            return; // it can be pulled
        }
        try {
            engine.inspectImageCmd(name).exec();
        } catch (NotFoundException e) {
            throw new IllegalStateException(
                    "the container engine has no image " + name
                            + ": build it with ./verbs image in a clone of Verbs4J, or"
                            + " name another one, by -D" + SoftRoceContainer.IMAGE_PROPERTY
                            + "=NAME or to the constructor",
                    e);
        }
    }
}
