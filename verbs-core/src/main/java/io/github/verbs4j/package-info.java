/**
 * Things with a native life: open, use, close.
 *
 * <p>{@link io.github.verbs4j.Device} is what the machine has. Opened, it is a
 * {@link io.github.verbs4j.DeviceContext}; on it a {@link io.github.verbs4j.ProtectionDomain} holds
 * {@link io.github.verbs4j.MemoryRegion}s and queue pairs ({@link io.github.verbs4j.RcQueuePair}), which report to a
 * {@link io.github.verbs4j.CompletionQueue}. These are thread-safe. Work is done through three objects that belong to one
 * thread at a time: {@link io.github.verbs4j.SendQueue}, {@link io.github.verbs4j.ReceiveQueue} and
 * {@link io.github.verbs4j.Completions}.
 *
 * <p>Everything is closed in the reverse order of opening; closing twice is harmless, and closing out of order is refused
 * with the names of what is still open. Nothing is freed by a finalizer. A mistake of the caller is an
 * {@link java.lang.IllegalArgumentException}, {@link java.lang.IllegalStateException},
 * {@link java.lang.IndexOutOfBoundsException} or {@link java.lang.WrongThreadException}; a refusal of the machine is a
 * {@link io.github.verbs4j.error.VerbsException}. Whatever is not documented to take null, in this package and those below,
 * throws {@link java.lang.NullPointerException} with the name of the argument.
 */
package io.github.verbs4j;
