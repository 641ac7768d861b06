package io.github.verbs4j.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ErrnoTest {

    /** Linux leaves these out: they were EWOULDBLOCK and EDEADLOCK, now EAGAIN and EDEADLK. */
    private static final Set<Integer> HOLES = Set.of(41, 58);

    @Test
    void shouldReadLikePeopleWriteIt() {
        assertEquals("ENOMEM (12, Cannot allocate memory)", Errno.ENOMEM.toString());
        assertEquals("EOPNOTSUPP (95, Operation not supported)", Errno.EOPNOTSUPP.toString());
        assertEquals("EDEADLK", new Errno(35).name());
        assertEquals("Memory page has hardware error", new Errno(133).text());
    }

    @Test
    void shouldKnowEveryNumberOfLinux() {
        IntStream.rangeClosed(1, 133).filter(number -> !HOLES.contains(number)).forEach(number -> {
            Errno errno = new Errno(number);
            assertTrue(errno.name().matches("E[A-Z0-9]+"), errno::toString);
            assertFalse(errno.text().startsWith("Unknown"), errno::toString);
        });
        assertEquals(
                131,
                IntStream.rangeClosed(1, 133)
                        .mapToObj(Errno::new)
                        .map(Errno::name)
                        .filter(name -> name.startsWith("E"))
                        .distinct()
                        .count());
    }

    @Test
    void shouldSayWhenANumberIsUnknown() {
        for (int number : new int[] {Integer.MIN_VALUE, -1, 0, 41, 58, 134, Integer.MAX_VALUE}) {
            assertEquals("errno " + number, new Errno(number).name());
            assertEquals("Unknown error " + number, new Errno(number).text());
            assertEquals("errno " + number + " (unknown)", new Errno(number).toString());
        }
    }

    @Test
    void shouldGiveConstantsTheirNames() throws IllegalAccessException {
        for (var field : Errno.class.getFields()) {
            assertEquals(field.getName(), ((Errno) field.get(null)).name());
        }
    }
}
