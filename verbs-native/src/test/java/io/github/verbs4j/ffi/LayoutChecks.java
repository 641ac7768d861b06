package io.github.verbs4j.ffi;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every size and offset of every generated struct, as checks. They follow from the classes alone, so a struct or field
 * that appears there is checked without anyone's doing.
 */
final class LayoutChecks {
    /** Types that C knows without the word struct or union. */
    private static final Set<String> TYPEDEFS =
            Set.of("pthread_mutex_t", "pthread_cond_t", "__pthread_list_t", "__atomic_wide_counter");

    /** The insides of libc's own types, which differ between processors and which the product never reads. */
    private static final Set<String> INSIDES_OF_PTHREADS = Set.of(
            "pthread_mutex_t",
            "pthread_cond_t",
            "__pthread_list_t",
            "__atomic_wide_counter",
            "__pthread_mutex_s",
            "__pthread_cond_s",
            "__pthread_internal_list");

    /**
     * Structs to which newer releases append (rdma-core 65: speed in ibv_port_attr, flush in ibv_qp_ex), which is allowed
     * since the library is told the size that is meant, or allocates the struct itself. Here, the size in rdma-core 44, the
     * release that the bindings were generated from.
     */
    private static final Map<String, Long> GROWING = Map.of("ibv_port_attr", 52L, "ibv_qp_ex", 352L);

    /** {@code __builtin_classify_type} of gcc. */
    private static final int INTEGER = 1;

    private static final int REAL = 8;
    private static final int POINTER = 5;

    private final long mutexGrowth;
    private final List<Check> checks = new ArrayList<>();

    private LayoutChecks(long mutexGrowth) {
        this.mutexGrowth = mutexGrowth;
    }

    /** All checks for a processor whose pthread mutex is so many bytes longer than the one of the bindings. */
    static List<Check> of(long mutexGrowth) {
        LayoutChecks all = new LayoutChecks(mutexGrowth);
        for (Class<?> struct : GeneratedClasses.structs()) {
            if (mutexGrowth == 0 || !INSIDES_OF_PTHREADS.contains(struct.getSimpleName())) {
                all.addNamed(struct);
            }
        }
        return List.copyOf(all.checks);
    }

    private void addNamed(Class<?> struct) {
        String name = struct.getSimpleName();
        GroupLayout layout = GeneratedClasses.layout(struct);
        String type = TYPEDEFS.contains(name) ? name : (layout instanceof UnionLayout ? "union " : "struct ") + name;
        long size = sizeof(struct) + mutexGrowth * mutexesBefore(layout, layout.byteSize());
        if (struct == verbs_context.class) {
            // grows in front, so it is measured from its last member
            add(
                    "size from context of " + name,
                    "sizeof(" + type + ") - offsetof(" + type + ", context)",
                    size - verbs_context.context$offset());
        } else if (GROWING.containsKey(name)) {
            add("size of " + name + " if it is shorter", least("sizeof(" + type + ")", size), size);
            add("size of " + name + " in rdma-core 44", GROWING.get(name).toString(), sizeof(struct));
        } else {
            add("size of " + name, "sizeof(" + type + ")", size);
        }
        add("alignment of " + name, "_Alignof(" + type + ")", layout.byteAlignment());
        addFields(struct, new Place(type, name, "", layout, 0));
    }

    private void addFields(Class<?> struct, Place outer) {
        for (String field : GeneratedClasses.methods(struct, "$offset")) {
            long relative = (long) GeneratedClasses.call(struct, field + "$offset");
            MemoryLayout layout = (MemoryLayout) GeneratedClasses.call(struct, field + "$layout");
            addField(outer, field, relative, layout);
        }
        for (Class<?> nested : GeneratedClasses.nestedStructs(struct)) {
            String field = nested.getSimpleName();
            long relative = (long) GeneratedClasses.call(struct, field + "$offset");
            Place place = outer.inside(field, relative);
            add("size of the class of " + place.words(), "sizeof(" + place.value() + ")", sizeof(nested));
            addFields(nested, place);
        }
    }

    private void addField(Place outer, String field, long relative, MemoryLayout layout) {
        Place place = outer.inside(field, relative);
        long offset = moved(place.top(), place.offset());
        if (place.top().equals(verbs_context.layout())) {
            add(
                    "distance below context of " + place.words(),
                    "offsetof(" + place.type() + ", context) - offsetof(" + place.type() + ", " + place.path() + ")",
                    verbs_context.context$offset() - offset);
        } else {
            add("offset of " + place.words(), "offsetof(" + place.type() + ", " + place.path() + ")", offset);
        }
        add("size of " + place.words(), "sizeof(" + place.value() + ")", size(layout));
        if (layout instanceof SequenceLayout array) {
            add(
                    "size of an element of " + place.words(),
                    "sizeof(" + place.value() + "[0])",
                    size(array.elementLayout()));
        }
        if (layout instanceof ValueLayout value) {
            add("kind of " + place.words(), "__builtin_classify_type(" + place.value() + ")", kind(value));
        }
    }

    private static String least(String size, long enough) {
        return size + " < " + enough + " ? " + size + " : " + enough;
    }

    private static long sizeof(Class<?> struct) {
        return (long) GeneratedClasses.call(struct, "sizeof");
    }

    private static int kind(ValueLayout layout) {
        if (layout instanceof AddressLayout) {
            return POINTER;
        }
        return layout instanceof ValueLayout.OfFloat || layout instanceof ValueLayout.OfDouble ? REAL : INTEGER;
    }

    private long size(MemoryLayout layout) {
        return layout.byteSize() + mutexGrowth * mutexesBefore(layout, layout.byteSize());
    }

    private long moved(MemoryLayout layout, long offset) {
        return offset + mutexGrowth * mutexesBefore(layout, offset);
    }

    /** How many mutexes a struct embeds up to an offset. */
    static int mutexesBefore(MemoryLayout layout, long end) {
        if (end < pthread_mutex_t.sizeof()) {
            return 0;
        }
        if (layout.withoutName().equals(pthread_mutex_t.layout().withoutName())) {
            return 1;
        }
        int count = 0;
        if (layout instanceof StructLayout struct) {
            long offset = 0;
            for (MemoryLayout member : struct.memberLayouts()) {
                count += mutexesBefore(member, end - offset);
                offset += member.byteSize();
            }
        }
        return count;
    }

    private void add(String what, String expression, long value) {
        checks.add(new Check(what, expression, value));
    }

    /** A member: the type it is in, the path to it in C, and its offset from the start of that type. */
    private record Place(String type, String name, String path, GroupLayout top, long offset) {
        Place inside(String field, long relative) {
            return new Place(type, name, path.isEmpty() ? field : path + "." + field, top, offset + relative);
        }

        String value() {
            return "((" + type + " *)0)->" + path;
        }

        String words() {
            return name + "." + path;
        }
    }
}
