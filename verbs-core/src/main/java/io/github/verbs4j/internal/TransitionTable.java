package io.github.verbs4j.internal;

import static io.github.verbs4j.attr.QueuePairAttribute.ACCESS;
import static io.github.verbs4j.attr.QueuePairAttribute.ACK_TIMEOUT;
import static io.github.verbs4j.attr.QueuePairAttribute.ALTERNATE_PATH;
import static io.github.verbs4j.attr.QueuePairAttribute.CURRENT_STATE;
import static io.github.verbs4j.attr.QueuePairAttribute.DESTINATION;
import static io.github.verbs4j.attr.QueuePairAttribute.DRAINED_NOTIFICATION;
import static io.github.verbs4j.attr.QueuePairAttribute.MIN_RNR_TIMER;
import static io.github.verbs4j.attr.QueuePairAttribute.PARTITION_KEY_INDEX;
import static io.github.verbs4j.attr.QueuePairAttribute.PATH;
import static io.github.verbs4j.attr.QueuePairAttribute.PATH_MIGRATION;
import static io.github.verbs4j.attr.QueuePairAttribute.PATH_MTU;
import static io.github.verbs4j.attr.QueuePairAttribute.PORT;
import static io.github.verbs4j.attr.QueuePairAttribute.QUEUE_KEY;
import static io.github.verbs4j.attr.QueuePairAttribute.READS_AS_INITIATOR;
import static io.github.verbs4j.attr.QueuePairAttribute.READS_AS_RESPONDER;
import static io.github.verbs4j.attr.QueuePairAttribute.RECEIVE_PSN;
import static io.github.verbs4j.attr.QueuePairAttribute.RETRY_COUNT;
import static io.github.verbs4j.attr.QueuePairAttribute.RNR_RETRY;
import static io.github.verbs4j.attr.QueuePairAttribute.SEND_PSN;
import static io.github.verbs4j.attr.QueuePairAttribute.STATE;
import static io.github.verbs4j.attr.QueuePairState.ERR;
import static io.github.verbs4j.attr.QueuePairState.INIT;
import static io.github.verbs4j.attr.QueuePairState.RESET;
import static io.github.verbs4j.attr.QueuePairState.RTR;
import static io.github.verbs4j.attr.QueuePairState.RTS;
import static io.github.verbs4j.attr.QueuePairState.SQD;
import static io.github.verbs4j.attr.QueuePairState.SQE;

import io.github.verbs4j.attr.QueuePairAttribute;
import io.github.verbs4j.attr.QueuePairState;
import io.github.verbs4j.attr.QueuePairType;
import io.github.verbs4j.attr.Transition;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The steps that a queue pair of one type can take, with the attributes that each must and may set: the kernel's own
 * table (drivers/infiniband/core/verbs.c, qp_state_table), asked before the kernel, whose only answer is EINVAL.
 */
public final class TransitionTable {
    /** Reliable connection. */
    public static final TransitionTable RC = new TransitionTable(QueuePairType.RC)
            .step(RESET, INIT, EnumSet.of(PARTITION_KEY_INDEX, PORT, ACCESS), none())
            .step(INIT, INIT, none(), EnumSet.of(PARTITION_KEY_INDEX, PORT, ACCESS))
            .step(
                    INIT,
                    RTR,
                    EnumSet.of(PATH, PATH_MTU, DESTINATION, RECEIVE_PSN, READS_AS_RESPONDER, MIN_RNR_TIMER),
                    EnumSet.of(ALTERNATE_PATH, ACCESS, PARTITION_KEY_INDEX))
            .step(
                    RTR,
                    RTS,
                    EnumSet.of(ACK_TIMEOUT, RETRY_COUNT, RNR_RETRY, SEND_PSN, READS_AS_INITIATOR),
                    EnumSet.of(CURRENT_STATE, ALTERNATE_PATH, ACCESS, MIN_RNR_TIMER, PATH_MIGRATION))
            .step(RTS, RTS, none(), EnumSet.of(CURRENT_STATE, ACCESS, ALTERNATE_PATH, PATH_MIGRATION, MIN_RNR_TIMER))
            .step(RTS, SQD, none(), EnumSet.of(DRAINED_NOTIFICATION))
            .step(SQD, RTS, none(), EnumSet.of(CURRENT_STATE, ALTERNATE_PATH, ACCESS, MIN_RNR_TIMER, PATH_MIGRATION))
            .step(
                    SQD,
                    SQD,
                    none(),
                    EnumSet.of(
                            PORT,
                            PATH,
                            ACK_TIMEOUT,
                            RETRY_COUNT,
                            RNR_RETRY,
                            READS_AS_INITIATOR,
                            READS_AS_RESPONDER,
                            ALTERNATE_PATH,
                            ACCESS,
                            PARTITION_KEY_INDEX,
                            MIN_RNR_TIMER,
                            PATH_MIGRATION))
            .fromEverywhere(RESET, EnumSet.noneOf(QueuePairState.class))
            .fromEverywhere(ERR, EnumSet.of(RESET));

    /**
     * Unreliable connection. In SQD the kernel's table has the path too, but its uverbs adds the port to that, which the
     * table then refuses.
     */
    public static final TransitionTable UC = new TransitionTable(QueuePairType.UC)
            .step(RESET, INIT, EnumSet.of(PARTITION_KEY_INDEX, PORT, ACCESS), none())
            .step(INIT, INIT, none(), EnumSet.of(PARTITION_KEY_INDEX, PORT, ACCESS))
            .step(
                    INIT,
                    RTR,
                    EnumSet.of(PATH, PATH_MTU, DESTINATION, RECEIVE_PSN),
                    EnumSet.of(ALTERNATE_PATH, ACCESS, PARTITION_KEY_INDEX))
            .step(RTR, RTS, EnumSet.of(SEND_PSN), EnumSet.of(CURRENT_STATE, ALTERNATE_PATH, ACCESS, PATH_MIGRATION))
            .step(RTS, RTS, none(), EnumSet.of(CURRENT_STATE, ACCESS, ALTERNATE_PATH, PATH_MIGRATION))
            .step(RTS, SQD, none(), EnumSet.of(DRAINED_NOTIFICATION))
            .step(SQD, RTS, none(), EnumSet.of(CURRENT_STATE, ALTERNATE_PATH, ACCESS, PATH_MIGRATION))
            .step(SQD, SQD, none(), EnumSet.of(ALTERNATE_PATH, ACCESS, PARTITION_KEY_INDEX, PATH_MIGRATION))
            .step(SQE, RTS, none(), EnumSet.of(CURRENT_STATE, ACCESS))
            .fromEverywhere(RESET, EnumSet.noneOf(QueuePairState.class))
            .fromEverywhere(ERR, EnumSet.of(RESET));

    /** Unreliable datagram. */
    public static final TransitionTable UD = new TransitionTable(QueuePairType.UD)
            .step(RESET, INIT, EnumSet.of(PARTITION_KEY_INDEX, PORT, QUEUE_KEY), none())
            .step(INIT, INIT, none(), EnumSet.of(PARTITION_KEY_INDEX, PORT, QUEUE_KEY))
            .step(INIT, RTR, none(), EnumSet.of(PARTITION_KEY_INDEX, QUEUE_KEY))
            .step(RTR, RTS, EnumSet.of(SEND_PSN), EnumSet.of(CURRENT_STATE, QUEUE_KEY))
            .step(RTS, RTS, none(), EnumSet.of(CURRENT_STATE, QUEUE_KEY))
            .step(RTS, SQD, none(), EnumSet.of(DRAINED_NOTIFICATION))
            .step(SQD, RTS, none(), EnumSet.of(CURRENT_STATE, QUEUE_KEY))
            .step(SQD, SQD, none(), EnumSet.of(PARTITION_KEY_INDEX, QUEUE_KEY))
            .step(SQE, RTS, none(), EnumSet.of(CURRENT_STATE, QUEUE_KEY))
            .fromEverywhere(RESET, EnumSet.noneOf(QueuePairState.class))
            .fromEverywhere(ERR, EnumSet.of(RESET));

    private record Rule(Set<QueuePairAttribute> required, Set<QueuePairAttribute> optional) {}

    private final QueuePairType type;
    private final Map<QueuePairState, Map<QueuePairState, Rule>> rules = new EnumMap<>(QueuePairState.class);

    private TransitionTable(QueuePairType type) {
        this.type = type;
    }

    private static EnumSet<QueuePairAttribute> none() {
        return EnumSet.noneOf(QueuePairAttribute.class);
    }

    private TransitionTable step(
            QueuePairState from,
            QueuePairState to,
            EnumSet<QueuePairAttribute> required,
            EnumSet<QueuePairAttribute> optional) {
        rules.computeIfAbsent(from, key -> new EnumMap<>(QueuePairState.class)).put(to, new Rule(required, optional));
        return this;
    }

    private TransitionTable fromEverywhere(QueuePairState to, Set<QueuePairState> except) {
        for (QueuePairState from : QueuePairState.values()) {
            if (from != QueuePairState.UNKNOWN && !except.contains(from)) {
                step(from, to, none(), none());
            }
        }
        return this;
    }

    /** {@return the type of the queue pairs that take these steps} */
    public QueuePairType type() {
        return type;
    }

    /**
     * Refuses a step that the kernel would refuse.
     *
     * @param queuePair what messages call it
     * @param from the state it is in
     * @param step the step
     * @throws IllegalStateException if there is no such step from that state; says which there are
     * @throws IllegalArgumentException if an attribute is missing or one too many; says which
     */
    public void check(Object queuePair, QueuePairState from, Transition step) {
        QueuePairState to = step.state();
        Map<QueuePairState, Rule> leads = rules.getOrDefault(from, Map.of());
        Rule rule = leads.get(to);
        String name = queuePair + ": " + from + " -> " + to;
        if (rule == null) {
            throw new IllegalStateException(name + " is not a transition of " + type + " queue pairs; from " + from
                    + " they can go to "
                    + leads.keySet().stream().map(Enum::name).collect(Collectors.joining(", ")));
        }
        Set<QueuePairAttribute> given = EnumSet.copyOf(step.attributes().keySet());
        Set<QueuePairAttribute> missing = EnumSet.copyOf(rule.required);
        missing.removeAll(given);
        given.remove(STATE);
        given.removeAll(rule.required);
        given.removeAll(rule.optional);
        if (!missing.isEmpty() || !given.isEmpty()) {
            throw new IllegalArgumentException(name
                    + (missing.isEmpty() ? "" : " lacks " + list(missing))
                    + (missing.isEmpty() || given.isEmpty() ? "" : " and")
                    + (given.isEmpty() ? "" : " must not set " + list(given))
                    + "; it needs " + list(rule.required) + " and may set " + list(rule.optional));
        }
    }

    private static String list(Collection<QueuePairAttribute> attributes) {
        return attributes.isEmpty()
                ? "nothing"
                : attributes.stream()
                        .map(attribute -> attribute.setter() + " (" + attribute.field() + ")")
                        .collect(Collectors.joining(", "));
    }
}
