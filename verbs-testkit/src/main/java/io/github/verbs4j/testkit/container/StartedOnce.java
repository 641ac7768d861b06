package io.github.verbs4j.testkit.container;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;

/** A container has started when its command has begun, even if that has ended since, whatever its exit status. */
final class StartedOnce extends StartupCheckStrategy {
    @Override
    public StartupStatus checkStartupState(DockerClient client, String containerId) {
        ContainerState state = getCurrentState(client, containerId);
        boolean begun = Boolean.TRUE.equals(state.getRunning()) || "exited".equals(state.getStatus());
        return begun ? StartupStatus.SUCCESSFUL : StartupStatus.NOT_YET_KNOWN;
    }
}
