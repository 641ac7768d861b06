package io.github.verbs4j.bench.suite;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Two queue pairs of one device that talk to each other, a client and a server. The benchmark's thread serves both ends, so
 * that no scheduler and no second core is measured: what goes out comes back through the device. Each thread of JMH
 * ({@code -t}) has a link of its own.
 *
 * @param <E> the kind of its ends
 */
@State(Scope.Thread)
public abstract class Link<E extends End<?>> {
    /** Name of the device; the first one if empty. */
    @Param("")
    public String device;

    /** Port of the device, from 1. */
    @Param("1")
    public int port;

    /** Index in the port's GID table; the preferred one if negative. */
    @Param("-1")
    public int gid;

    private DeviceContext context;
    private ProtectionDomain domain;
    private E client;
    private E server;

    /** For JMH's subclasses. */
    Link() {}

    /** Makes an end. */
    abstract E end(DeviceContext context, ProtectionDomain domain);

    /** Bytes that a message, or whatever it does, moves. */
    abstract int bytes();

    final E client() {
        return client;
    }

    final E server() {
        return server;
    }

    /** Opens the device and lets the two ends know each other. */
    @Setup(Level.Trial)
    public void open() {
        context = (device.isEmpty() ? Device.first() : Device.named(device)).open();
        domain = context.allocateProtectionDomain();
        client = end(context, domain);
        server = end(context, domain);
        GidEntry entry =
                gid < 0 ? context.gids(port).preferred() : context.gids(port).byIndex(gid);
        QueuePairAddress ofClient = client.initialize(entry);
        QueuePairAddress ofServer = server.initialize(entry);
        client.receive(End.DEPTH);
        server.receive(End.DEPTH);
        client.connect(ofServer);
        server.connect(ofClient);
    }

    /** Closes everything, once what is under way has arrived. */
    @TearDown(Level.Trial)
    public void close() {
        settle();
        client.close();
        server.close();
        domain.close();
        context.close();
    }

    /** The client posts sends, in one batch. */
    final void send(int count) {
        client.send(count);
        server.expect(count);
    }

    /** The client sends requests, in one batch; when all have arrived the server sends as many answers, in one batch. */
    final void request(int count) {
        send(count);
        server.await(0);
        server.send(count);
        client.expect(count);
    }

    /** Waits until everything has completed, at both ends. */
    final void settle() {
        server.await(0);
        client.await(0);
    }

    /** Waits until one batch at most is under way. */
    final void advance(int batch) {
        server.await(batch);
        client.await(1);
    }
}
