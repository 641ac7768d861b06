package io.github.verbs4j.text;

/** Words of users and peers as messages show them: of bearable length, with nothing that a terminal or a log would obey. */
public final class Quoted {
    /** The longest name in DNS has 253; paths are shorter, mostly. */
    private static final int LONGEST = 300;

    private Quoted() {}

    /**
     * {@return the words in quotes}
     *
     * @param words of whatever length
     */
    public static String of(String words) {
        return "'" + visible(words) + "'" + rest(words);
    }

    /**
     * {@return the words as they are, if they can be shown so}
     *
     * @param words of whatever length
     */
    public static String bare(String words) {
        return visible(words) + rest(words);
    }

    private static String visible(String words) {
        StringBuilder shown = new StringBuilder();
        words.codePoints().limit(LONGEST).forEach(point -> {
            if (Character.isISOControl(point)) {
                shown.append(String.format("\\u%04x", point));
            } else {
                shown.appendCodePoint(point);
            }
        });
        return shown.toString();
    }

    private static String rest(String words) {
        return words.codePointCount(0, words.length()) > LONGEST ? "... (" + words.length() + " characters)" : "";
    }
}
