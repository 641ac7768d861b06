package io.github.verbs4j.ffi;

import static java.lang.foreign.MemorySegment.NULL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The errno of a call is the one that this call set: each function of the fake library sets another. */
class ErrnoVerbsTest {
    @Test
    void shouldCaptureTheErrnoOfEachCall() {
        Map<String, String> expected = new TreeMap<>();
        expected.put("ibv_get_device_list", "0 errno 101");
        expected.put("ibv_open_device", "0 errno 102");
        expected.put("ibv_close_device", "-1 errno 103");
        expected.put("ibv_alloc_pd", "0 errno 104");
        expected.put("ibv_reg_mr_iova2", "0 errno 105");
        expected.put("ibv_create_comp_channel", "0 errno 106");
        expected.put("ibv_create_cq", "0 errno 107");
        expected.put("ibv_create_qp", "0 errno 108");
        expected.put("ibv_query_pkey", "-1 errno 109");
        expected.put("ibv_get_cq_event", "-1 errno 110");
        expected.put("ibv_create_srq", "0 errno 111");
        expected.put("ibv_get_async_event", "-1 errno 112");
        expected.put("ibv_create_ah", "0 errno 113");
        expected.put("ibv_create_ah_from_wc", "0 errno 114");
        expected.put("ibv_init_ah_from_wc", "-1 errno 115");
        expected.put("ibv_import_device", "0 errno 116");
        expected.put("ibv_import_pd", "0 errno 117");
        expected.put("ibv_import_mr", "0 errno 118");
        expected.put("ibv_import_dm", "0 errno 119");
        expected.put("ibv_reg_dmabuf_mr", "0 errno 120");
        expected.put("ibv_rereg_mr", "-4 errno 121");
        expected.put("ibv_query_gid", "-1 errno 122");
        expected.put("ibv_get_pkey_index", "-1 errno 123");

        assertEquals(expected, new TreeMap<>(ChildJvm.withFakeLibrary(Calls.class)));
    }

    static final class Calls {
        private Calls() {}

        public static void main(String[] arguments) {
            NativeLibrary.libibverbs().open();
            call(
                    "ibv_get_device_list",
                    errno -> ErrnoVerbs.ibv_get_device_list(errno, NULL).address());
            call(
                    "ibv_open_device",
                    errno -> ErrnoVerbs.ibv_open_device(errno, NULL).address());
            call("ibv_close_device", errno -> ErrnoVerbs.ibv_close_device(errno, NULL));
            call("ibv_alloc_pd", errno -> ErrnoVerbs.ibv_alloc_pd(errno, NULL).address());
            call(
                    "ibv_reg_mr_iova2",
                    errno -> ErrnoVerbs.ibv_reg_mr_iova2(errno, NULL, NULL, 0, 0, 0)
                            .address());
            call(
                    "ibv_create_comp_channel",
                    errno -> ErrnoVerbs.ibv_create_comp_channel(errno, NULL).address());
            call(
                    "ibv_create_cq",
                    errno -> ErrnoVerbs.ibv_create_cq(errno, NULL, 0, NULL, NULL, 0)
                            .address());
            call(
                    "ibv_create_qp",
                    errno -> ErrnoVerbs.ibv_create_qp(errno, NULL, NULL).address());
            call(
                    "ibv_create_srq",
                    errno -> ErrnoVerbs.ibv_create_srq(errno, NULL, NULL).address());
            call("ibv_query_pkey", errno -> ErrnoVerbs.ibv_query_pkey(errno, NULL, (byte) 1, 0, NULL));
            call("ibv_get_cq_event", errno -> ErrnoVerbs.ibv_get_cq_event(errno, NULL, NULL, NULL));
            call("ibv_get_async_event", errno -> ErrnoVerbs.ibv_get_async_event(errno, NULL, NULL));
            callAddresses();
            callImports();
            callRegions();
            call("ibv_query_gid", errno -> QueryVerbs.ibv_query_gid(errno, NULL, (byte) 1, 0, NULL));
            call("ibv_get_pkey_index", errno -> QueryVerbs.ibv_get_pkey_index(errno, NULL, (byte) 1, (short) 0));
        }

        private static void callAddresses() {
            call(
                    "ibv_create_ah",
                    errno -> AddressVerbs.ibv_create_ah(errno, NULL, NULL).address());
            call(
                    "ibv_create_ah_from_wc",
                    errno -> AddressVerbs.ibv_create_ah_from_wc(errno, NULL, NULL, NULL, (byte) 1)
                            .address());
            call(
                    "ibv_init_ah_from_wc",
                    errno -> AddressVerbs.ibv_init_ah_from_wc(errno, NULL, (byte) 1, NULL, NULL, NULL));
        }

        private static void callImports() {
            call(
                    "ibv_import_device",
                    errno -> ImportVerbs.ibv_import_device(errno, 0).address());
            call(
                    "ibv_import_pd",
                    errno -> ImportVerbs.ibv_import_pd(errno, NULL, 0).address());
            call(
                    "ibv_import_mr",
                    errno -> ImportVerbs.ibv_import_mr(errno, NULL, 0).address());
            call(
                    "ibv_import_dm",
                    errno -> ImportVerbs.ibv_import_dm(errno, NULL, 0).address());
        }

        private static void callRegions() {
            call(
                    "ibv_reg_dmabuf_mr",
                    errno -> RegionVerbs.ibv_reg_dmabuf_mr(errno, NULL, 0, 0, 0, 0, 0)
                            .address());
            call("ibv_rereg_mr", errno -> RegionVerbs.ibv_rereg_mr(errno, NULL, 0, NULL, NULL, 0, 0));
        }

        private static void call(String name, ToLongFunction<CapturedErrno> function) {
            CapturedErrno errno = CapturedErrno.create();
            long result = function.applyAsLong(errno);
            ChildJvm.print(name, result + " errno " + errno.value());
        }
    }

    /** The descriptors are written by hand, so that the generated handle need not be linked. */
    @Test
    void shouldHaveTheTypesOfTheGeneratedHandles() throws ReflectiveOperationException {
        for (Class<?> holder : holders()) {
            String function =
                    holder.getSimpleName().replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            MethodHandle generated =
                    (MethodHandle) verbs_h.class.getMethod(function + "$handle").invoke(null);
            Field field = holder.getDeclaredField("HANDLE");
            field.setAccessible(true);
            MethodHandle ours = (MethodHandle) field.get(null);
            assertEquals(generated.type(), ours.type().dropParameterTypes(0, 1), function);
        }
    }

    private static List<Class<?>> holders() {
        return Stream.of(ErrnoVerbs.class, AddressVerbs.class, ImportVerbs.class, RegionVerbs.class, QueryVerbs.class)
                .flatMap(room -> Stream.of(room.getDeclaredClasses()))
                .toList();
    }
}
