package io.github.verbs4j.internal;

import io.github.verbs4j.attr.OpenResource;
import io.github.verbs4j.event.CallEvent;
import io.github.verbs4j.event.CmEvent;
import io.github.verbs4j.event.CompletionEvent;
import io.github.verbs4j.event.CounterEvent;
import io.github.verbs4j.event.DeviceEvent;
import io.github.verbs4j.event.MemoryEvent;
import io.github.verbs4j.event.RegistrationEvent;
import io.github.verbs4j.event.ResourcesEvent;
import io.github.verbs4j.event.StateEvent;
import io.github.verbs4j.event.StepEvent;
import io.github.verbs4j.host.Host;
import io.github.verbs4j.host.RdmaDevice;
import java.util.List;
import java.util.stream.LongStream;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Makes the events known to Flight Recorder, as soon as that runs, be it from the start of the program or much later. An event class that
 * registered itself would start it: half a second, and memory, of every program that has no recording.
 */
final class Recorder implements FlightRecorderListener {
    private static final List<Class<? extends Event>> EVENTS = List.of(
            CallEvent.class,
            RegistrationEvent.class,
            StateEvent.class,
            CompletionEvent.class,
            DeviceEvent.class,
            StepEvent.class,
            CmEvent.class,
            ResourcesEvent.class,
            MemoryEvent.class,
            CounterEvent.class);

    private Recorder() {}

    /** From now on. */
    static void listen() {
        FlightRecorder.addListener(new Recorder());
    }

    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        EVENTS.forEach(FlightRecorder::register);
        FlightRecorder.addPeriodicEvent(ResourcesEvent.class, Recorder::tellResources);
        FlightRecorder.addPeriodicEvent(MemoryEvent.class, Recorder::tellMemory);
        FlightRecorder.addPeriodicEvent(CounterEvent.class, Recorder::tellCounters);
    }

    private static void tellResources() {
        Inventory.countByKind().forEach((kind, count) -> new ResourcesEvent().tell(kind, count));
    }

    private static void tellMemory() {
        for (OpenResource root : Inventory.open()) {
            long[] bytes = Inventory.all(root)
                    .mapToLong(OpenResource::registeredBytes)
                    .filter(length -> length > 0)
                    .toArray();
            if (bytes.length > 0) {
                new MemoryEvent()
                        .tell(root.name(), bytes.length, LongStream.of(bytes).sum());
            }
        }
    }

    private static void tellCounters() {
        List<String> opened = Inventory.devices();
        for (RdmaDevice device : Host.local().rdmaDevices()) {
            if (opened.contains(device.name())) {
                device.ports().forEach(port -> tellCounters(device.name(), port.number()));
            }
        }
    }

    private static void tellCounters(String device, int port) {
        Host.local()
                .counters(device, port)
                .all()
                .forEach(counter -> new CounterEvent().tell(device, port, counter.name(), counter.value()));
    }
}
