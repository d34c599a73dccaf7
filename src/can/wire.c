// The line: who may send, how long it takes, and how it ends.
#include "can/bits.h"
#include "base/invariant.h"
#include "can/bus_private.h"

#include <linux/can/error.h>
#include <string.h>

#define NS_PER_S 1000000000
#define SUSPEND_BITS 8u // an error-passive node waits so long after a frame of its own
// An error flag, the flags of those who notice only by it, and the delimiter.
#define ERROR_FRAME_BITS (6u + 6u + 8u)
#define LONE_ERROR_FRAME_BITS (6u + 8u) // nobody answers
#define BITS_AFTER_ACKNOWLEDGE 8u       // delimiter, end of frame
#define ARBITRATION_KEY_BITS 32u

static duration bit_time(int64_t bits, int64_t bitrate_bit_s)
{
    return duration_ns(bits * NS_PER_S / bitrate_bit_s);
}

static duration nominal(const struct can_bus *bus, uint64_t bits)
{
    return bit_time((int64_t)bits, bus->bitrate_bit_s);
}

// ---- bus-off and recovery -----------------------------------------------------------------------

static void recover(struct can_bus *bus, unsigned i, uint64_t occurrences)
{
    expects((bus->off & node_bit(i)) != 0 && bus->node[i].controller.recovery > 0);
    if (!can_controller_recover(&bus->node[i].controller, occurrences))
        return;
    bus->off &= ~node_bit(i);
    node_report(bus, i);
}

// When a node that is bus-off takes part again if the bus stays idle.
static instant recovered_at(const struct can_bus *bus, unsigned i)
{
    expects(bus->node[i].controller.recovery > 0);
    return instant_add(bus->idle_from, nominal(bus, (uint64_t)bus->node[i].controller.recovery *
                                                        CAN_RECOVERY_BITS));
}

static void count_silence(struct can_bus *bus, instant until)
{
    int64_t ns = instant_sub(until, bus->idle_from).ns;
    if (ns <= 0)
        return;
    if (ns > NS_PER_S) // more than enough at any bitrate
        ns = NS_PER_S;
    const uint64_t bits = (uint64_t)((ns * bus->bitrate_bit_s + NS_PER_S - 1) / NS_PER_S);
    bus->event_at = until;
    for (uint64_t left = bus->off; left != 0; left &= left - 1)
        recover(bus, (unsigned)__builtin_ctzll(left), bits / CAN_RECOVERY_BITS);
}

void wire_idle(struct can_bus *bus, instant until)
{
    if (bus->sending)
        return;
    for (uint64_t left = bus->off; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(left);
        bus->event_at = recovered_at(bus, i);
        if (!instant_before(until, bus->event_at))
            recover(bus, i, CAN_RECOVERY_OCCURRENCES);
    }
}

static void after_failure(struct can_bus *bus, unsigned i)
{
    if (bus->node[i].controller.recovery > 0)
        bus->off |= node_bit(i);
    node_report(bus, i);
}

// ---- arbitration --------------------------------------------------------------------------------

struct contender {
    unsigned sender;
    int later; // index among the frames held back, -1: the node's own
    const struct can_stamped *frame;
    instant ready;
};

static void enter(struct can_bus *bus, struct contender *all, unsigned *count, unsigned sender,
                  int later, const struct can_stamped *frame)
{
    invariant(*count < NODES_MAX + LATER_MAX);
    instant ready = frame->time;
    if (bus->off & node_bit(sender))
        ready = instant_max(ready, recovered_at(bus, sender));
    else if (sender == bus->last_sender &&
             can_controller_state(&bus->node[sender].controller) == CAN_PASSIVE)
        ready = instant_max(ready, instant_add(bus->idle_from, nominal(bus, SUSPEND_BITS)));
    all[(*count)++] = (struct contender){sender, later, frame, ready};
}

static unsigned collect(struct can_bus *bus, struct contender *all)
{
    unsigned count = 0;
    for (unsigned i = 0; i < FIRST_OWN; i++)
        if (bus->node[i].has_frame)
            enter(bus, all, &count, i, -1, &bus->node[i].frame);
    for (uint64_t left = bus->queued; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(left);
        if (bus->node[i].has_frame)
            enter(bus, all, &count, i, -1, &bus->node[i].frame);
    }
    if (bus->node[STRANGER].has_frame)
        enter(bus, all, &count, STRANGER, -1, &bus->node[STRANGER].frame);
    for (unsigned i = 0, seen = 0; seen < bus->later_count && i < LATER_MAX; i++)
        if (bus->later[i].sender != NODES_MAX) {
            enter(bus, all, &count, bus->later[i].sender, (int)i, &bus->later[i].frame);
            seen++;
        }
    return count;
}

// Index of the frame that wins the bus at `start`. At least one must be ready by then.
static unsigned arbitrate(const struct contender *all, unsigned count, instant start)
{
    expects(count > 0);
    unsigned winner = count;
    uint32_t best = 0;
    for (unsigned i = 0; i < count; i++) {
        if (instant_before(start, all[i].ready))
            continue;
        const uint32_t key = can_frame_arbitration(&all[i].frame->frame);
        if (winner == count || key < best) {
            winner = i;
            best = key;
        }
    }
    ensures(winner < count); // somebody is ready at the instant that was chosen for that
    return winner;
}

// ---- how a frame ends ---------------------------------------------------------------------------

static struct can_length length_of(const struct can_stamped *frame)
{
    if (can_is_fd(&frame->fd))
        return can_fd_frame_length(&frame->fd);
    return (struct can_length){.nominal_bits = can_frame_bits(&frame->frame)};
}

static duration duration_of(const struct can_bus *bus, struct can_length length)
{
    const duration slow = nominal(bus, length.nominal_bits);
    return length.data_bits == 0
               ? slow
               : duration_ns(slow.ns + bit_time(length.data_bits, bus->data_bitrate_bit_s).ns);
}

static bool same_contents(const struct can_stamped *a, const struct can_stamped *b)
{
    return a->fd.len == b->fd.len && (a->fd.flags & CANFD_FDF) == (b->fd.flags & CANFD_FDF) &&
           memcmp(a->fd.data, b->fd.data, a->fd.len) == 0;
}

static bool is_host_side(unsigned node)
{
    return node < FIRST_OWN;
}

// Whether what `sender` sends comes to node `i`.
static bool reaches(const struct can_bus *bus, unsigned sender, unsigned i)
{
    const struct bus_node *node = &bus->node[i];
    return i != sender && node->present && !node->muted && !(bus->off & node_bit(i)) &&
           !(bus->cut && is_host_side(i) != is_host_side(sender));
}

static bool is_acknowledged(const struct can_bus *bus)
{
    for (unsigned i = 0; i < FIRST_OWN + bus->node_count; i++)
        if (reaches(bus, bus->sender, i))
            return true;
    return false;
}

// Others that started the same identifier at the same time: they send it together if it is the same
// to the last bit, otherwise they collide.
static bool collides(struct can_bus *bus, const struct contender *all, unsigned count,
                     unsigned winner, instant start)
{
    bool collision = false;
    const uint32_t key = can_frame_arbitration(&all[winner].frame->frame);
    for (unsigned i = 0; i < count; i++) {
        if (i == winner || all[i].sender == bus->sender || all[i].later >= 0 ||
            instant_before(start, all[i].ready) ||
            can_frame_arbitration(&all[i].frame->frame) != key)
            continue;
        bus->senders |= node_bit(all[i].sender);
        collision |= !same_contents(all[i].frame, all[winner].frame);
    }
    return collision;
}

// Decides the outcome of the frame that starts at `start`, and its end.
static void plan(struct can_bus *bus, bool collision, instant start)
{
    expects(!bus->sending);
    const struct can_length length = length_of(&bus->flying);
    const unsigned bits = length.nominal_bits + length.data_bits;
    unsigned sent_bits = bits;
    duration busy = duration_of(bus, length);
    if (collision) {
        bus->outcome = WIRE_COLLIDED;
        sent_bits = ARBITRATION_KEY_BITS; // they differ some time after it
        busy = nominal(bus, sent_bits + ERROR_FRAME_BITS);
    } else if (disturb_corrupts(bus, bus->sender, &bus->flying, bits, &sent_bits)) {
        bus->outcome = WIRE_CORRUPTED;
        busy = nominal(bus, sent_bits + ERROR_FRAME_BITS);
    } else if (!is_acknowledged(bus)) {
        bus->outcome = WIRE_UNACKNOWLEDGED;
        busy = duration_ns(busy.ns - nominal(bus, BITS_AFTER_ACKNOWLEDGE).ns +
                           nominal(bus, LONE_ERROR_FRAME_BITS).ns);
    } else {
        bus->outcome = WIRE_SENT;
    }
    invariant(sent_bits <= bits);
    bus->flying.time = instant_add(start, busy);
    // At one bitrate the sum is rounded once, so that lengths in bits are exact.
    if (bus->outcome == WIRE_SENT && length.data_bits == 0)
        busy = nominal(bus, length.nominal_bits + CAN_INTERFRAME_BITS);
    else
        busy = duration_ns(busy.ns + nominal(bus, CAN_INTERFRAME_BITS).ns);
    bus->idle_from = instant_add(start, busy);
    bus->load.busy.ns += busy.ns;
    ensures(instant_before(start, bus->flying.time));
    ensures(!instant_before(bus->idle_from, bus->flying.time));
}

bool wire_start(struct can_bus *bus, instant until)
{
    expects(!bus->sending);
    struct contender all[NODES_MAX + LATER_MAX];
    offer_all(bus);
    const unsigned count = collect(bus, all);
    instant start = INSTANT_NEVER;
    for (unsigned i = 0; i < count; i++)
        start = instant_min(start, all[i].ready);
    start = instant_max(start, bus->idle_from);
    if (count == 0 || !instant_before(start, until))
        return false;

    count_silence(bus, start);
    const unsigned winner = arbitrate(all, count, start);
    bus->sender = all[winner].sender;
    bus->senders = node_bit(bus->sender);
    bus->sent_later = all[winner].later;
    bus->copied = bus->sent_later >= 0 && bus->later[bus->sent_later].copied;
    bus->flying = *all[winner].frame;
    plan(bus, collides(bus, all, count, winner, start), start);
    if (bus->outcome == WIRE_SENT && bus->sender == STRANGER)
        disturb_stranger_starts(bus);
    bus->sending = true;
    return true;
}

// ---- the end of a frame -------------------------------------------------------------------------

// Takes the frame from those who have sent it.
static void take_sent(struct can_bus *bus)
{
    expects(bus->outcome == WIRE_SENT);
    if (bus->sent_later >= 0) {
        invariant(bus->later_count > 0 && bus->later[bus->sent_later].sender == bus->sender);
        bus->later[bus->sent_later].sender = NODES_MAX;
        bus->later_count--;
        return;
    }
    for (uint64_t left = bus->senders; left != 0; left &= left - 1)
        node_take_frame(bus, (unsigned)__builtin_ctzll(left));
}

static void count_sent(struct can_bus *bus)
{
    for (uint64_t left = bus->senders; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(left);
        if (i == STRANGER)
            continue;
        can_controller_sent(&bus->node[i].controller);
        bus_count(&bus->page->node[i].sent);
        node_report(bus, i);
    }
}

static void deliver(struct can_bus *bus, struct can_delivery *delivery)
{
    expects(bus->outcome == WIRE_SENT && (bus->senders & node_bit(bus->sender)) != 0);
    const bool lost = disturb_loses(bus, bus->sender, &bus->flying);
    if (!lost)
        disturb_spoof(bus, bus->sender, &bus->flying);
    // What hosts and strangers outside have sent has come over the interface.
    const enum can_mark mark = is_host_side(bus->sender) ? CAN_MARK_CAME : CAN_MARK_NONE;
    const bool carried = bus->line == NULL || is_host_side(bus->sender) || bus->cut || lost ||
                         carry_out(bus, &bus->flying);
    for (unsigned i = 0; i < FIRST_OWN + bus->node_count; i++) {
        if ((bus->senders & node_bit(i)) != 0 || !reaches(bus, bus->sender, i))
            continue;
        struct can_controller *controller = &bus->node[i].controller;
        if (controller->receive_errors > 0) {
            can_controller_received(controller);
            node_report(bus, i);
        }
        if (lost || (i < FIRST_OWN && !carried)) {
            bus_count(&bus->page->node[i].lost);
        } else if (i < FIRST_OWN) {
            node_hear(bus, i, &bus->flying, mark);
        } else {
            delivery->heard |= node_bit(i - FIRST_OWN);
            bus_count(&bus->page->node[i].received);
        }
    }
}

static void count_failed(struct can_bus *bus)
{
    expects(bus->outcome != WIRE_SENT && (bus->senders & node_bit(bus->sender)) != 0);
    const bool lone = bus->outcome == WIRE_UNACKNOWLEDGED;
    for (unsigned i = 0; i < FIRST_OWN + bus->node_count; i++) {
        struct can_controller *controller = &bus->node[i].controller;
        if (bus->senders & node_bit(i)) {
            can_controller_send_failed(controller, lone);
            bus_count(&bus->page->node[i].failed);
            after_failure(bus, i);
        } else if (!lone && reaches(bus, bus->sender, i)) {
            can_controller_receive_failed(controller);
            node_report(bus, i);
        }
    }
    static const uint8_t detail[][8] = {[WIRE_UNACKNOWLEDGED] = {[3] = CAN_ERR_PROT_LOC_ACK},
                                        [WIRE_CORRUPTED] = {[2] = CAN_ERR_PROT_BIT},
                                        [WIRE_COLLIDED] = {[2] = CAN_ERR_PROT_BIT1}};
    const uint32_t class = lone ? CAN_ERR_ACK : CAN_ERR_PROT | CAN_ERR_BUSERROR;
    node_tell_hosts(bus, class, NODES_MAX, detail[bus->outcome]);
}

// Whether it is the host that sends by this node.
static bool is_of_host(const struct can_bus *bus, unsigned node)
{
    if (node == CAN_OUTSIDE && bus->line != NULL)
        return bus->host_outside;
    const uint64_t name = atomic_load_explicit(&bus->hosts->host[node].name, memory_order_relaxed);
    return !bus->has_host || memcmp(&name, CAN_HOST_NODE, sizeof CAN_HOST_NODE - 1) == 0;
}

static int sender_for_listener(const struct can_bus *bus)
{
    if (bus->sender >= FIRST_OWN)
        return bus->sender == STRANGER ? CAN_BUS_FROM_STRANGER : (int)(bus->sender - FIRST_OWN);
    // A host that has sent a frame once did not send its copy.
    return is_of_host(bus, bus->sender) && !bus->copied ? CAN_BUS_FROM_HOST : CAN_BUS_FROM_STRANGER;
}

void wire_end(struct can_bus *bus)
{
    expects(bus->sending);
    struct can_delivery delivery = {.sender = sender_for_listener(bus),
                                    .failed = bus->outcome != WIRE_SENT};
    bus->sending = false;
    bus->event_at = bus->flying.time;
    bus->last_sender = bus->sender;
    // The end of a frame, of an error frame, and the intermission: 11 recessive bits.
    for (uint64_t left = bus->off; left != 0; left &= left - 1)
        recover(bus, (unsigned)__builtin_ctzll(left), 1);
    if (delivery.failed) {
        bus->load.error_frames++;
        bus_count(&bus->page->error_frames);
        count_failed(bus);
        disturb_notice_failure(bus);
    } else {
        bus->load.frames++;
        bus_count(&bus->page->frames);
        take_sent(bus);
        count_sent(bus);
        deliver(bus, &delivery);
    }
    atomic_store_explicit(&bus->page->busy_ns, bus->load.busy.ns, memory_order_relaxed);
    bus->listener(bus->listener_context, &bus->flying, &delivery);
}
