package io.github.verbs4j;

import io.github.verbs4j.attr.DeviceAttributes;
import io.github.verbs4j.attr.QueuePairCapacity;
import io.github.verbs4j.attr.SendOperation;
import io.github.verbs4j.error.Errno;
import io.github.verbs4j.error.Explanation;
import io.github.verbs4j.error.UnsupportedCapabilityException;
import io.github.verbs4j.error.VerbsException;
import io.github.verbs4j.ffi.CreatorVerbs;
import io.github.verbs4j.ffi.ErrnoVerbs;
import io.github.verbs4j.ffi.Pointers;
import io.github.verbs4j.ffi.ibv_qp;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.ffi.ibv_qp_init_attr_ex;
import io.github.verbs4j.ffi.verbs4j_h;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Abi;
import io.github.verbs4j.internal.Call;
import io.github.verbs4j.internal.Lifetime;
import io.github.verbs4j.internal.QueuePairAccount;
import io.github.verbs4j.internal.QueuePairHandle;
import io.github.verbs4j.internal.Slots;
import io.github.verbs4j.internal.TransitionTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** {@code ibv_create_qp}: room in the completion queues first, then the queue pair, then its account. */
final class QueuePairCreation {
    private final ProtectionDomain domain;
    /** Rc, Uc or Ud. */
    private final String kind;

    private final TransitionTable table;
    private final QueuePairOptions options;

    /** What every queue pair consists of, whatever its kind. */
    record Made(QueuePairOptions options, QueuePairHandle handle, QueuePairCapacity granted, Lifetime lifetime) {
        /** Gives back what the queue pair, which is gone, held in its completion queues. */
        void release() {
            CompletionQueue receives = options.receiveCompletions();
            if (options.sendCompletions() != receives) {
                options.sendCompletions().accounts().remove(handle.account());
            }
            options.sharedReceives()
                    .ifPresentOrElse(
                            shared -> {
                                receives.accounts().retire(handle.account());
                                shared.room().leave(receives);
                            },
                            () -> receives.accounts().remove(handle.account()));
            unreserve(options, granted);
        }
    }

    private QueuePairCreation(ProtectionDomain domain, String kind, TransitionTable table, QueuePairOptions options) {
        this.domain = domain;
        this.kind = kind;
        this.table = table;
        this.options = options;
    }

    static RcQueuePair rc(ProtectionDomain domain, QueuePairOptions options) {
        return new QueuePairCreation(domain, "Rc", TransitionTable.RC, options).create(RcQueuePair::new);
    }

    static UcQueuePair uc(ProtectionDomain domain, QueuePairOptions options) {
        return new QueuePairCreation(domain, "Uc", TransitionTable.UC, options).create(UcQueuePair::new);
    }

    static UdQueuePair ud(ProtectionDomain domain, QueuePairOptions options) {
        return new QueuePairCreation(domain, "Ud", TransitionTable.UD, options).create(UdQueuePair::new);
    }

    private <Q extends QueuePair> Q create(BiFunction<ProtectionDomain, Made, Q> constructor) {
        CompletionQueue sends = options.sendCompletions();
        CompletionQueue receives = options.receiveCompletions();
        requireSameContext(domain, sends);
        requireSameContext(domain, receives);
        options.sharedReceives().ifPresent(this::requireSameDomain);
        return Lifetime.create(
                "create" + kind,
                () -> {
                    Q queuePair = constructor.apply(
                            domain,
                            options.sharedReceives().map(this::makeSharing).orElseGet(this::make));
                    domain.context().events().sources().add(queuePair.handle(), queuePair);
                    return queuePair;
                },
                parents());
    }

    private Lifetime[] parents() {
        return Stream.concat(
                        Stream.of(
                                domain.lifetime(),
                                options.sendCompletions().lifetime(),
                                options.receiveCompletions().lifetime()),
                        options.sharedReceives().map(SharedReceiveQueue::lifetime).stream())
                .toArray(Lifetime[]::new);
    }

    private static void requireSameContext(ProtectionDomain domain, CompletionQueue queue) {
        if (queue.context() != domain.context()) {
            throw new IllegalArgumentException(queue + " was created on another device context than " + domain
                    + ": create both on the same DeviceContext");
        }
    }

    private void requireSameDomain(SharedReceiveQueue shared) {
        if (shared.domain() != domain) {
            throw new IllegalArgumentException(
                    shared + " belongs to " + shared.domain() + ", not to " + domain + ": create both in the same one");
        }
    }

    /** With room in the completion queue of receives for all that are shared. */
    private Made makeSharing(SharedReceiveQueue shared) {
        shared.room().enter(options.receiveCompletions(), options.mayOverrun());
        boolean created = false;
        try {
            Made made = make();
            created = true;
            return made;
        } finally {
            if (!created) {
                shared.room().leave(options.receiveCompletions());
            }
        }
    }

    private Made make() {
        reserve(options, options.capacity());
        QueuePairCapacity reserved = options.capacity();
        MemorySegment pointer = MemorySegment.NULL;
        boolean created = false;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = options.operations().isEmpty()
                    ? ibv_qp_init_attr.allocate(arena)
                    : ibv_qp_init_attr_ex.allocate(arena); // begins in the same way
            pointer = call(init);
            QueuePairCapacity granted = granted(init);
            unreserve(options, reserved);
            reserved = new QueuePairCapacity(0, 0, 0, 0, 0);
            reserve(options, granted);
            reserved = granted;
            MemorySegment qp = Pointers.segment(pointer, ibv_qp.sizeof());
            checkAbi(qp);
            Made made = assemble(pointer, ibv_qp.qp_num(qp), granted);
            created = true;
            return made;
        } finally {
            if (!created) {
                unreserve(options, reserved);
                if (pointer.address() != 0) {
                    destroy(pointer);
                }
            }
        }
    }

    private MemorySegment call(MemorySegment init) {
        ibv_qp_init_attr.send_cq(init, options.sendCompletions().handle());
        ibv_qp_init_attr.recv_cq(init, options.receiveCompletions().handle());
        ibv_qp_init_attr.srq(init, sharedQueue());
        ibv_qp_init_attr.qp_type(init, table.type().code());
        QueuePairHandle.writeCapacity(ibv_qp_init_attr.cap(init), options.capacity());
        Call call = Call.on(domain, this::asked).explained(this::explain);
        if (options.operations().isEmpty()) {
            return call.pointer(errno -> ErrnoVerbs.ibv_create_qp(errno, domain.handle(), init), this::name);
        }
        extend(init);
        return call.pointer(
                errno -> CreatorVerbs.ibv_create_qp_ex(errno, domain.context().handle(), init), this::name);
    }

    private void extend(MemorySegment init) {
        ibv_qp_init_attr_ex.comp_mask(
                init, verbs4j_h.IBV_QP_INIT_ATTR_PD() | verbs4j_h.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS());
        ibv_qp_init_attr_ex.pd(init, domain.handle());
        ibv_qp_init_attr_ex.send_ops_flags(
                init,
                options.operations().stream().mapToLong(SendOperation::code).sum());
    }

    private String name(MemorySegment pointer) {
        return kind + "QueuePair " + ibv_qp.qp_num(Pointers.segment(pointer, ibv_qp.sizeof())) + " of "
                + domain.context().device().name();
    }

    private void destroy(MemorySegment pointer) {
        String name = name(pointer);
        Call.on(
                        name,
                        () -> VerbsException.of("ibv_destroy_qp")
                                .device(domain.context().device().name()))
                .tryReturned(() -> verbs_h.ibv_destroy_qp(pointer));
    }

    private QueuePairCapacity granted(MemorySegment init) {
        QueuePairCapacity all = QueuePairHandle.readCapacity(ibv_qp_init_attr.cap(init));
        return options.sharedReceives().isEmpty()
                ? all
                : new QueuePairCapacity(all.sendDepth(), 0, all.sendSegments(), 0, all.inlineBytes());
    }

    private MemorySegment sharedQueue() {
        return options.sharedReceives().map(SharedReceiveQueue::handle).orElse(MemorySegment.NULL);
    }

    private VerbsException.Builder asked() {
        DeviceContext context = domain.context();
        DeviceAttributes device = context.attributes();
        QueuePairCapacity asked = options.capacity();
        return VerbsException.of(options.operations().isEmpty() ? "ibv_create_qp" : "ibv_create_qp_ex")
                .device(context.device().name())
                .argument("qp_type", table.type())
                .argument("srq", options.sharedReceives().map(Object::toString).orElse("none"))
                .argument("max_inline_data", asked.inlineBytes())
                .limit("max_send_wr", asked.sendDepth(), device.maxRequests(), "max_qp_wr")
                .limit("max_recv_wr", asked.receiveDepth(), device.maxRequests(), "max_qp_wr")
                .limit("max_send_sge", asked.sendSegments(), device.maxSegments(), "max_sge")
                .limit("max_recv_sge", asked.receiveSegments(), device.maxSegments(), "max_sge");
    }

    private void explain(VerbsException.Builder failure, int errno) {
        DeviceContext context = domain.context();
        QueuePairCapacity asked = options.capacity();
        if (!options.operations().isEmpty() && errno == Errno.EOPNOTSUPP.number()) {
            throw UnsupportedCapabilityException.of(
                    "ibv_create_qp_ex",
                    "building one of " + options.operations() + " in a queue pair of type " + table.type(),
                    context.device().name(),
                    context.provider(),
                    "the provider refused these send_ops_flags");
        }
        failure.argument("max_inline_data", asked.inlineBytes() + " (its limit cannot be queried; 0 always fits)")
                .explain(inlineData(errno, asked.inlineBytes()))
                .explain(context.creation(errno, asked.sendDepth(), asked.receiveDepth()));
    }

    /** The likely cause where all limits are kept. */
    private static Explanation inlineData(int errno, int bytes) {
        return errno == Errno.EINVAL.number() && bytes > 0
                ? new Explanation(
                        "max_inline_data=" + bytes + " is most likely too much: what has a limit is within it",
                        "ask for less with QueuePairOptions.inline; what was granted is in capacity()",
                        List.of())
                : Explanation.NONE;
    }

    private void checkAbi(MemorySegment qp) {
        Abi.check(
                "ibv_qp",
                "context",
                ibv_qp.context(qp).address() == domain.context().handle().address());
        Abi.check("ibv_qp", "srq", ibv_qp.srq(qp).address() == sharedQueue().address());
        Abi.check("ibv_qp", "pd", ibv_qp.pd(qp).address() == domain.handle().address());
        Abi.check(
                "ibv_qp",
                "send_cq",
                ibv_qp.send_cq(qp).address()
                        == options.sendCompletions().handle().address());
        Abi.check(
                "ibv_qp",
                "recv_cq",
                ibv_qp.recv_cq(qp).address()
                        == options.receiveCompletions().handle().address());
    }

    private Made assemble(MemorySegment pointer, int number, QueuePairCapacity granted) {
        String device = domain.context().device().name();
        String name = name(pointer);
        QueuePairAccount account = new QueuePairAccount(
                name,
                number,
                device,
                Slots.ofSends(granted.sendDepth()),
                options.sharedReceives()
                        .<Slots>map(SharedReceiveQueue::slots)
                        .orElseGet(() -> Slots.ofReceives(granted.receiveDepth())));
        QueuePairHandle handle = new QueuePairHandle(pointer, name, device, table, account);
        options.sendCompletions().accounts().add(account);
        options.receiveCompletions().accounts().add(account);
        Lifetime lifetime = new Lifetime(name, null, parents());
        return new Made(options, handle, granted, lifetime);
    }

    private static void reserve(QueuePairOptions options, QueuePairCapacity capacity) {
        CompletionQueue sends = options.sendCompletions();
        CompletionQueue receives = options.receiveCompletions();
        int send = capacity.sendDepth();
        int receive = capacity.receiveDepth();
        String granted = capacity.equals(options.capacity()) ? "" : "; the device grants more than was asked for";
        if (sends == receives) {
            sends.reserve(
                    (long) send + receive, send + " sends + " + receive + " receives" + granted, options.mayOverrun());
            return;
        }
        sends.reserve(send, send + " sends" + granted, options.mayOverrun());
        boolean both = false;
        try {
            receives.reserve(receive, receive + " receives" + granted, options.mayOverrun());
            both = true;
        } finally {
            if (!both) {
                sends.unreserve(send);
            }
        }
    }

    private static void unreserve(QueuePairOptions options, QueuePairCapacity capacity) {
        options.sendCompletions().unreserve(capacity.sendDepth());
        options.receiveCompletions().unreserve(capacity.receiveDepth());
    }
}
