package io.github.verbs4j.ffi;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/** The members that the product reads behind a mutex, as checks of where it believes they are. */
final class MutexMemberChecks {
    private static final List<Class<?>> READERS =
            List.of(BuilderVerbs.class, BuilderDataVerbs.class, ExtendedPolling.class, WorkQueueVerbs.class);

    private MutexMemberChecks() {}

    /** All checks for a processor whose pthread mutex is so many bytes longer than the one of the bindings. */
    static List<Check> of(long mutexGrowth) {
        List<Check> checks = new ArrayList<>();
        for (Class<?> reader : READERS) {
            for (Field field : reader.getDeclaredFields()) {
                if (field.getType() == MutexMember.class) {
                    MutexMember member = value(field);
                    checks.add(new Check(
                            "offset of " + member.struct() + "." + member.name() + " in " + reader.getSimpleName(),
                            "offsetof(struct " + member.struct() + ", " + member.name() + ")",
                            member.offset() - Architecture.mutexGrowth() + mutexGrowth));
                }
            }
        }
        return checks;
    }

    private static MutexMember value(Field field) {
        try {
            field.setAccessible(true);
            return (MutexMember) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
