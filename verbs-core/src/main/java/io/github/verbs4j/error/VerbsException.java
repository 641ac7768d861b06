package io.github.verbs4j.error;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The machine or the device said no. The message tells what was asked for, what the device allows, the likely cause and
 * the next step; each is also here as a value. Immutable, apart from what every exception lets callers add to it.
 */
public class VerbsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String operation;
    private final Errno errno;
    private final String device;

    @SuppressWarnings("serial") // an unmodifiable LinkedHashMap of strings
    private final Map<String, String> arguments;

    @SuppressWarnings("serial") // List.copyOf of a serializable record
    private final List<Limit> limits;

    private final String likelyCause;
    private final String nextStep;

    /**
     * Makes an exception of what a builder holds.
     *
     * @param builder the builder
     */
    protected VerbsException(Builder builder) {
        super(builder.message(), builder.thrown);
        operation = builder.operation;
        errno = builder.errno;
        device = builder.device;
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(builder.arguments));
        limits = List.copyOf(builder.limits);
        likelyCause = builder.likelyCause();
        nextStep = builder.nextStep();
    }

    /**
     * Begins an exception.
     *
     * @param operation what failed, as C names it, for example {@code ibv_create_qp}
     * @return a builder
     */
    public static Builder of(String operation) {
        return new Builder(operation);
    }

    /** {@return what failed, as C names it, for example {@code ibv_create_qp}} */
    public String operation() {
        return operation;
    }

    /** {@return the error number, if C gave one} */
    public Optional<Errno> errno() {
        return Optional.ofNullable(errno);
    }

    /** {@return the name of the device, if there is one} */
    public Optional<String> device() {
        return Optional.ofNullable(device);
    }

    /** {@return what was asked for, by the names that C uses, in order} */
    public Map<String, String> arguments() {
        return arguments;
    }

    /** {@return what was asked for held against what the device allows, exceeded or not} */
    public List<Limit> limits() {
        return limits;
    }

    /** {@return the limits that were exceeded} */
    public List<Limit> exceededLimits() {
        return limits.stream().filter(Limit::isExceeded).toList();
    }

    /** {@return the likely cause, if one is known} */
    public Optional<String> likelyCause() {
        return likelyCause.isEmpty() ? Optional.empty() : Optional.of(likelyCause);
    }

    /** {@return what to do next, if something is known to help} */
    public Optional<String> nextStep() {
        return nextStep.isEmpty() ? Optional.empty() : Optional.of(nextStep);
    }

    /**
     * Tells which error it was.
     *
     * @param other an error number
     * @return true if C gave this number
     */
    public boolean is(Errno other) {
        Objects.requireNonNull(other, "other");
        return other.equals(errno);
    }

    /** Collects what is known about a failure. For one thread; one exception each. */
    public static final class Builder {

        private final String operation;
        private String headline;
        private Errno errno;
        private String device;
        private final Map<String, String> arguments = new LinkedHashMap<>();
        private final List<Limit> limits = new ArrayList<>();
        private final List<String> facts = new ArrayList<>();
        private String cause = "";
        private String next = "";
        private String explainedCause = "";
        private String explainedNext = "";
        private Throwable thrown;

        private Builder(String operation) {
            this.operation = Objects.requireNonNull(operation, "operation");
        }

        /**
         * Gives the error number.
         *
         * @param number as C gave it; a negative one (some calls return {@code -errno}) is turned around, 0 means that
         *     C gave none
         * @return this
         */
        public Builder errno(int number) {
            errno = number == 0 ? null : new Errno(Math.abs(number));
            return this;
        }

        /**
         * Names the device.
         *
         * @param name for example {@code rxe0}; null or empty if there is none
         * @return this
         */
        public Builder device(String name) {
            device = name == null || name.isEmpty() ? null : name;
            return this;
        }

        /**
         * Adds something that was asked for.
         *
         * @param name as C names it, for example {@code max_send_wr}
         * @param value its value; written with {@link String#valueOf(Object)}
         * @return this
         */
        public Builder argument(String name, Object value) {
            arguments.put(Objects.requireNonNull(name, "name"), String.valueOf(value));
            return this;
        }

        /**
         * Holds something that was asked for against what the device allows. Give those that fit as well.
         *
         * @param field what was asked for, as C names it, for example {@code max_send_wr}
         * @param asked how much was asked for
         * @param allowed how much the device allows
         * @param deviceAttribute where the device says so, for example {@code max_qp_wr}
         * @return this
         */
        public Builder limit(String field, long asked, long allowed, String deviceAttribute) {
            limits.add(new Limit(field, asked, allowed, deviceAttribute));
            return this;
        }

        /**
         * Tells the likely cause; goes before what the limits and explanations say.
         *
         * @param text one line or more
         * @return this
         */
        public Builder cause(String text) {
            cause = Objects.requireNonNull(text, "text").strip();
            return this;
        }

        /**
         * Tells what to do next; goes before what the limits and explanations say.
         *
         * @param text one line or more
         * @return this
         */
        public Builder next(String text) {
            next = Objects.requireNonNull(text, "text").strip();
            return this;
        }

        /**
         * Adds what the machine has to do with it. Of several, the first with a cause gives the cause.
         *
         * @param explanation for example {@link Explanations#registration(long)}
         * @return this
         */
        public Builder explain(Explanation explanation) {
            Objects.requireNonNull(explanation, "explanation");
            facts.addAll(explanation.facts());
            explainedCause = explainedCause.isEmpty() ? explanation.cause() : explainedCause;
            explainedNext = explainedNext.isEmpty() ? explanation.next() : explainedNext;
            return this;
        }

        /**
         * Adds what the error number alone tells, read from the machine at this moment: the cause if nothing gave one so
         * far; of {@code EINVAL}, whose cause is a guess unless {@link #cause} or a limit gave it, how to let the
         * kernel say what it objects to. Last, behind all else that is known.
         *
         * @return this
         */
        public Builder explainErrno() {
            if (errno == null || !cause.isEmpty() || !exceeded().isEmpty()) {
                return this;
            }
            Explanation told = Explanations.refusal(errno, device == null ? "" : device);
            if (explainedCause.isEmpty()) {
                return explain(told);
            }
            if (errno.equals(Errno.EINVAL)) {
                explainedNext = (explainedNext + "\n" + told.next()).strip();
            }
            return this;
        }

        /**
         * Gives the exception that led to this one, for {@link Throwable#getCause()}.
         *
         * @param throwable the exception
         * @return this
         */
        public Builder thrown(Throwable throwable) {
            thrown = Objects.requireNonNull(throwable, "throwable");
            return this;
        }

        /** {@return the exception; its stack trace begins here} */
        public VerbsException build() {
            return new VerbsException(this);
        }

        /** {@return what failed, as C names it, or is going to be asked} */
        public String operation() {
            return operation;
        }

        /** {@return the name of the device; null if there is none} */
        public String deviceName() {
            return device;
        }

        /** {@return what was asked for, by the names that C uses: arguments, and what was held against limits} */
        public Map<String, String> asked() {
            Map<String, String> all = new LinkedHashMap<>(arguments);
            limits.forEach(limit -> all.put(limit.field(), Long.toString(limit.asked())));
            return all;
        }

        /**
         * Replaces the first line of the message, which otherwise says that the operation failed, where, and with which
         * error number.
         *
         * @param text one line
         * @return this
         */
        public Builder headline(String text) {
            headline = Objects.requireNonNull(text, "text");
            return this;
        }

        private String likelyCause() {
            if (!cause.isEmpty()) {
                return cause;
            }
            List<Limit> over = exceeded();
            if (over.isEmpty()) {
                return explainedCause;
            }
            String names = over.stream().map(Limit::field).collect(Collectors.joining(" and "));
            return names + (over.size() == 1 ? " is over the device's limit" : " are over the device's limits");
        }

        private String nextStep() {
            if (!next.isEmpty()) {
                return next;
            }
            List<Limit> over = exceeded();
            if (over.isEmpty()) {
                return explainedNext;
            }
            return "ask for at most "
                    + (over.size() == 1
                            ? Long.toString(over.getFirst().allowed())
                            : over.stream()
                                    .map(limit -> limit.field() + "=" + limit.allowed())
                                    .collect(Collectors.joining(", ")));
        }

        private List<Limit> exceeded() {
            return limits.stream().filter(Limit::isExceeded).toList();
        }

        private String message() {
            return new Report(headline != null ? headline : defaultHeadline())
                    .row("asked:", arguments)
                    .row(
                            "limits:",
                            limits.stream()
                                    .map(limit -> limit + (limit.isExceeded() ? "   <- over" : ""))
                                    .toList())
                    .row("machine:", facts)
                    .wrapped("cause:", likelyCause())
                    .row("next:", nextStep())
                    .toString();
        }

        private String defaultHeadline() {
            return operation + " failed" + (device == null ? "" : " on " + device)
                    + (errno == null ? " (no error number given)" : ": " + errno);
        }
    }
}
