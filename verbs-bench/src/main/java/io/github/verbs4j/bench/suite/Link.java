package io.github.verbs4j.bench.suite;

import io.github.verbs4j.Device;
import io.github.verbs4j.DeviceContext;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.attr.GidEntry;
import io.github.verbs4j.attr.QueuePairAddress;
import io.github.verbs4j.attr.RcPath;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Two queue pairs of one device, connected to each other, a client and a server. The benchmark's thread serves both ends, so
 * that no scheduler and no second core is measured: what goes out comes back through the device. Each thread of JMH
 * ({@code -t}) has a link of its own.
 */
@State(Scope.Thread)
public class Link {
    /** Name of the device; the first one if empty. */
    @Param("")
    public String device;

    /** Port of the device, from 1. */
    @Param("1")
    public int port;

    /** Index in the port's GID table; the preferred one if negative. */
    @Param("-1")
    public int gid;

    /** Bytes of a message. */
    @Param({"8", "64", "1024", "4096", "65536", "1048576"})
    public int size;

    /** Messages of up to so many bytes are sent inline. */
    @Param("0")
    public int inline;

    private DeviceContext context;
    private ProtectionDomain domain;
    private End client;
    private End server;

    /** Made by JMH. */
    public Link() {}

    /** Opens the device and connects the two ends. */
    @Setup(Level.Trial)
    public void open() {
        context = (device.isEmpty() ? Device.first() : Device.named(device)).open();
        domain = context.allocateProtectionDomain();
        client = new End(context, domain, size, inline);
        server = new End(context, domain, size, inline);
        GidEntry entry =
                gid < 0 ? context.gids(port).preferred() : context.gids(port).byIndex(gid);
        QueuePairAddress ofClient = client.pair().initialize(entry);
        QueuePairAddress ofServer = server.pair().initialize(entry);
        client.receive(End.DEPTH);
        server.receive(End.DEPTH);
        client.pair().connect(ofServer, RcPath.defaults());
        server.pair().connect(ofClient, RcPath.defaults());
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
    void send(int count) {
        client.send(count);
        server.expect(count);
    }

    /** The client posts writes into the server's memory, in one batch. */
    void write(int count) {
        client.write(count, server.remote());
    }

    /** The client posts reads of the server's memory, in one batch. */
    void read(int count) {
        client.read(count, server.remote());
    }

    /** The client sends requests, in one batch; when all have arrived the server sends as many answers, in one batch. */
    void request(int count) {
        send(count);
        server.await(0);
        server.send(count);
        client.expect(count);
    }

    /** Waits until everything has completed, at both ends. */
    void settle() {
        server.await(0);
        client.await(0);
    }

    /** Waits until one batch at most is under way. */
    void advance(int batch) {
        server.await(batch);
        client.await(1);
    }
}
