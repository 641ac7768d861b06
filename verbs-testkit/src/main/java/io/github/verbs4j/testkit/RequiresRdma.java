package io.github.verbs4j.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test, or all tests of a class, need an RDMA device. Parameters of these types are given to them:
 *
 * <ul>
 *   <li>{@link io.github.verbs4j.DeviceContext}: the device, open until the test is over; one that a constructor or
 *       {@code @BeforeAll} method was given is open until the tests of the class are over, and is given to them too. What is
 *       still open on it then fails the test, by name.
 *   <li>{@link io.github.verbs4j.attr.GidEntry} and {@link io.github.verbs4j.attr.Gid}: the address to use.
 *   <li>{@link io.github.verbs4j.Device}, and {@link TestDevice}, which is device, port and GID.
 * </ul>
 *
 * <p>The device is chosen once for a run, and printed. What the choice depends on is a configuration parameter of JUnit (a
 * system property, or a line of {@code junit-platform.properties}) or a variable of the environment:
 *
 * <table>
 *   <caption>Settings</caption>
 *   <tr><th>parameter, variable</th><th>meaning</th><th>default</th></tr>
 *   <tr><td>{@code verbs.device}, {@code VERBS_DEVICE}</td><td>name of the device</td>
 *       <td>the first that has an active port</td></tr>
 *   <tr><td>{@code verbs.required}, {@code VERBS_REQUIRED}</td>
 *       <td>{@code true}: where there is no such device, tests fail; {@code false}: they are skipped</td>
 *       <td>{@code true} if a device is named, else {@code false}</td></tr>
 * </table>
 *
 * <p>Either way the reason is told, with what this machine lacks and what to do about it.
 *
 * <p>Such tests have the tag {@code rdma}, by which a build runs them in a virtual machine of their own.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Tag("rdma")
@ExtendWith(RdmaExtension.class)
public @interface RequiresRdma {}
