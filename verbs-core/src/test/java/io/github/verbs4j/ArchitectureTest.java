package io.github.verbs4j;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.github.verbs4j.internal.Lifetime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows between the packages, as the design has them; and that these rules bite. */
class ArchitectureTest {
    private static final String ROOT = "io.github.verbs4j";
    private static final String ATTR = ROOT + ".attr";
    private static final String HOST = ROOT + ".host";
    private static final String ERROR = ROOT + ".error";
    private static final String EVENT = ROOT + ".event";
    private static final String INTERNAL = ROOT + ".internal";
    private static final String FFI = ROOT + ".ffi";
    private static final String CM = ROOT + ".cm";
    private static final String DOCTOR = ROOT + ".doctor";
    private static final String TEXT = ROOT + ".text";
    private static final String JDK = "java..";
    private static final String RECORDER = "jdk.jfr..";

    private static JavaClasses product;

    @BeforeAll
    static void readClasses() {
        product = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("/fake/"))
                .importPackages(ROOT);
    }

    private static ArchRule mayUse(String user, String... used) {
        List<String> allowed = new ArrayList<>(List.of(used));
        allowed.add(user);
        allowed.add(JDK);
        allowed.add(""); // primitives and arrays of them
        return classes()
                .that()
                .resideInAPackage(user)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed.toArray(String[]::new)));
    }

    static Stream<Arguments> arrows() {
        return Stream.of(
                Arguments.argumentSet("ffi", mayUse(FFI)),
                Arguments.argumentSet("text", mayUse(TEXT)),
                Arguments.argumentSet("attr", mayUse(ATTR, TEXT)),
                Arguments.argumentSet("host", mayUse(HOST, ATTR)),
                Arguments.argumentSet("error", mayUse(ERROR, ATTR, HOST, TEXT)),
                Arguments.argumentSet("doctor", mayUse(DOCTOR, ATTR, HOST, ERROR)),
                Arguments.argumentSet("event", mayUse(EVENT, RECORDER)),
                Arguments.argumentSet("internal", mayUse(INTERNAL, FFI, ATTR, HOST, ERROR, EVENT, RECORDER)),
                Arguments.argumentSet("root", mayUse(ROOT, FFI, ATTR, HOST, ERROR, EVENT, INTERNAL)),
                Arguments.argumentSet("cm", mayUse(CM, ROOT, FFI, ATTR, HOST, ERROR, EVENT, INTERNAL)));
    }

    @ParameterizedTest
    @MethodSource("arrows")
    void shouldOnlyPointOneWay(ArchRule arrow) {
        arrow.check(product);
    }

    @Test
    void shouldKnowEveryPackage() {
        assertEquals(
                List.of(ROOT, ATTR, CM, DOCTOR, ERROR, EVENT, FFI, HOST, INTERNAL, TEXT),
                product.stream()
                        .map(JavaClass::getPackageName)
                        .distinct()
                        .sorted()
                        .toList());
    }

    @Test
    void shouldHaveNoCycles() {
        SlicesRuleDefinition.slices()
                .matching(ROOT + ".(*)..")
                .should()
                .beFreeOfCycles()
                .check(product);
    }

    @Test
    void shouldKeepNativeCodeInRootAndInternal() {
        noClasses()
                .that()
                .resideInAnyPackage(ATTR, HOST, ERROR, DOCTOR)
                .should()
                .dependOnClassesThat(resideInAnyPackage(FFI, "java.lang.foreign.."))
                .check(product);
    }

    @Test
    void shouldNotShowInternalsToUsers() {
        ArchRule rule = notShow(INTERNAL, ROOT, ATTR, HOST, ERROR, CM, DOCTOR);
        rule.check(product);
        notShow(FFI, ROOT, ATTR, HOST, ERROR, CM, DOCTOR).check(product);
        notShow(EVENT, ROOT, ATTR, HOST, ERROR, CM, DOCTOR).check(product);
    }

    /** Public and protected members of public types of some packages do not mention types of a package. */
    private static ArchRule notShow(String hidden, String... packages) {
        return classes()
                .that()
                .resideInAnyPackage(packages)
                .and()
                .arePublic()
                .should(new ArchCondition<>("not mention " + hidden + " where users see it") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        shown(type)
                                .forEach(mentioned -> events.add(new SimpleConditionEvent(
                                        type,
                                        !mentioned.startsWith(hidden + "."),
                                        type.getName() + " shows " + mentioned)));
                    }
                });
    }

    private static List<String> shown(JavaClass type) {
        List<JavaType> shown = new ArrayList<>();
        type.getSuperclass().ifPresent(shown::add);
        shown.addAll(type.getInterfaces());
        for (JavaCodeUnit unit : type.getCodeUnits()) {
            if (isShown(unit.getModifiers())) {
                shown.add(unit.getReturnType());
                shown.addAll(unit.getParameterTypes());
                shown.addAll(unit.getExceptionTypes());
            }
        }
        type.getFields().stream()
                .filter(field -> isShown(field.getModifiers()))
                .forEach(field -> shown.add(field.getType()));
        return shown.stream()
                .flatMap(one -> one.getAllInvolvedRawTypes().stream())
                .map(raw -> raw.getBaseComponentType().getName())
                .toList();
    }

    private static boolean isShown(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    @Test
    void shouldHaveOnePublicTypePerFile() {
        // of top-level types the compiler sees to it; those inside others are few, and named here
        List<String> nested = product.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type ->
                        !type.isTopLevelClass() && !type.getPackageName().equals(FFI))
                .map(JavaClass::getName)
                .sorted()
                .toList();
        assertEquals(List.of(ERROR + ".VerbsException$Builder", HOST + ".Container$Kind"), nested);
    }

    // ---- the rules bite ----

    @Test
    void shouldNoticeAnArrowThatPointsTheOtherWay() {
        assertTrue(assertThrows(
                        AssertionError.class,
                        () -> mayUse(ROOT, FFI, ATTR, HOST, ERROR).check(product))
                .getMessage()
                .contains(INTERNAL));
        assertTrue(assertThrows(AssertionError.class, () -> mayUse(ERROR, ATTR).check(product))
                .getMessage()
                .contains(HOST));
        assertTrue(assertThrows(
                        AssertionError.class,
                        () -> mayUse(INTERNAL, FFI, ATTR, HOST, EVENT, RECORDER).check(product))
                .getMessage()
                .contains(ERROR));
    }

    @Test
    void shouldNoticeWhatUsersMustNotSee() {
        JavaClasses exposed = new ClassFileImporter().importClasses(Exposing.class);

        assertTrue(
                assertThrows(AssertionError.class, () -> notShow(INTERNAL, ROOT).check(exposed))
                        .getMessage()
                        .contains("shows " + INTERNAL + ".Lifetime"));
    }

    /** What must not be. */
    public static final class Exposing {
        private Exposing() {}

        public static List<Lifetime> all() {
            return List.of();
        }
    }

    @Test
    void shouldLookAtSomething() {
        assertFalse(product.isEmpty());
        assertTrue(product.contain(SendQueue.class));
    }
}
