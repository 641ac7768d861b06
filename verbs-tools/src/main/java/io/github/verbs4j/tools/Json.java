package io.github.verbs4j.tools;

import com.fasterxml.jackson.jr.ob.JSON;
import io.github.verbs4j.attr.Gid;
import io.github.verbs4j.attr.Mtu;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;

/** How values become JSON: fields are named as the Java accessors, enumerations by their constants' names. */
final class Json {
    private Json() {}

    /** The fields of a record, in order; MTUs in bytes, GIDs as text. */
    static Map<String, Object> fields(Record values) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (RecordComponent component : values.getClass().getRecordComponents()) {
            try {
                fields.put(component.getName(), value(component.getAccessor().invoke(values)));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + component, e);
            }
        }
        return fields;
    }

    private static Object value(Object value) {
        return switch (value) {
            case Mtu mtu -> mtu.bytes();
            case Enum<?> constant -> constant.name();
            case Gid gid -> gid.toString();
            default -> value;
        };
    }

    /** Indented text. */
    static String text(Map<String, Object> object) {
        try {
            return JSON.std
                    .with(JSON.Feature.PRETTY_PRINT_OUTPUT, JSON.Feature.WRITE_NULL_PROPERTIES)
                    .asString(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
