/**
 * Immutable values asked for or reported: attributes, addresses, keys, states.
 *
 * <p>Nothing here touches native code, so these types can be built, compared, printed and tested on any machine. Numbers
 * are in host byte order unless a method says otherwise; codes are those of {@code infiniband/verbs.h}, and a test holds
 * each of them against the header.
 */
package io.github.verbs4j.attr;
