package io.github.verbs4j.internal;

import io.github.verbs4j.attr.CreationPlace;

/**
 * What is built on a {@link Lifetime} and is none itself, with the place where it was made.
 *
 * @param object what it is
 * @param place where it was made
 */
public record Leaf(Object object, CreationPlace place) {
    /**
     * {@return what to {@linkplain Lifetime#add add} for an object: itself, unless places are remembered}
     *
     * @param object that the calling thread makes
     */
    public static Object here(Object object) {
        CreationPlace place = Places.here();
        return place == null ? object : new Leaf(object, place);
    }

    @Override
    public String toString() {
        return object.toString();
    }
}
