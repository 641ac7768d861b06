package io.github.verbs4j.cm;

import io.github.verbs4j.event.StepEvent;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionException;

/** Tells Flight Recorder of a step, which ends in another thread than it began in. */
final class StepWatch {
    private final StepEvent event = new StepEvent();
    private final Identifier identifier;
    private final Step step;
    private final InetSocketAddress towards;

    StepWatch(Identifier identifier, Step step, InetSocketAddress towards) {
        this.identifier = identifier;
        this.step = step;
        this.towards = towards;
    }

    void begin() {
        event.begin();
    }

    /** Thrown is null if it went well. */
    void end(Throwable thrown) {
        event.end();
        if (event.shouldCommit()) {
            String peer = towards == null ? null : Way.text(towards);
            event.asked(
                    identifier.toString(), step.operation(), peer, step.from().name());
            State reached = thrown == null ? step.reached() : State.FAILED;
            event.tell(reached.name(), thrown == null ? null : headline(thrown));
        }
    }

    private static String headline(Throwable thrown) {
        Throwable failure = thrown instanceof CompletionException wrapped ? wrapped.getCause() : thrown;
        return failure.getMessage().lines().findFirst().orElse("");
    }
}
