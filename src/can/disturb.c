// The owner's side of disturbances: which are active, whom they hit, and what they do to it.
#include <string.h>

#include "base/invariant.h"
#include "base/random.h"
#include "can/bits.h"
#include "can/bus_private.h"

#define ARBITRATION_BITS_MAX 34u // a flip during arbitration would only change who wins
#define END_BITS 10u             // from the CRC delimiter on

// ---- who is hit ---------------------------------------------------------------------------------

static void publish(struct can_bus *bus, unsigned slot)
{
    const struct disturbance_tally *tally = &bus->disturbance[slot].tally;
    disturbance_publish(&bus->page->disturbance[slot].entry, tally->matched, tally->hit);
}

static void count_hit(struct can_bus *bus, unsigned slot)
{
    bus->disturbance[slot].tally.matched++;
    bus->disturbance[slot].tally.hit++;
    publish(bus, slot);
}

static bool concerns(const struct can_disturbance *what, unsigned node,
                     const struct can_stamped *frame)
{
    const uint32_t id = frame->frame.can_id & CAN_EFF_MASK;
    return (what->node == CAN_DISTURB_ANY_NODE || what->node == node) &&
           (id & what->id_mask) == (what->id & what->id_mask);
}

// Whether a frame is one of those that a disturbance is to hit; it has been matched then.
static bool draws(struct disturbance_state *state, unsigned node, const struct can_stamped *frame)
{
    const struct can_disturbance *what = &state->what;
    return concerns(what, node, frame) &&
           disturbance_draws(&state->tally,
                             (struct disturbance_odds){what->seed, what->share_ppm, what->burst});
}

// The same for one that is hit at once.
static bool hits(struct can_bus *bus, unsigned slot, unsigned node, const struct can_stamped *frame)
{
    const bool hit = draws(&bus->disturbance[slot], node, frame);
    bus->disturbance[slot].tally.hit += hit;
    publish(bus, slot);
    return hit;
}

// ---- what it does to a frame before it is sent --------------------------------------------------

static void hold_back(struct can_bus *bus, unsigned node, const struct can_stamped *frame,
                      int64_t delay_ns, bool copied, unsigned slot)
{
    for (unsigned i = 0; i < LATER_MAX; i++)
        if (bus->later[i].sender == NODES_MAX) {
            bus->later[i].sender = node;
            bus->later[i].copied = copied;
            bus->later[i].slot = slot;
            bus->later[i].frame = *frame;
            bus->later[i].frame.time = instant_add(frame->time, duration_ns(delay_ns));
            bus->later_count++;
            return;
        }
    invariant(bus->later_count == LATER_MAX); // or one of them is counted, and not there
    // No room: it is lost. The owner's report counts frames sent, so the gap is seen.
}

static uint32_t changed(const struct can_disturbance *what, uint32_t value, uint64_t hit)
{
    switch (can_disturbance_traits[what->kind].change) { // each of them, or it does not compile
    case CAN_CHANGE_XOR:
        return value ^ (uint32_t)what->value;
    case CAN_CHANGE_ADD:
        return value + (uint32_t)what->value;
    case CAN_CHANGE_DRIFT:
        return value + (uint32_t)((uint64_t)what->value * hit);
    case CAN_CHANGE_SET:
        return (uint32_t)what->value;
    case CAN_CHANGE_SWAP: // of two numbers
    case CAN_CHANGE_NOTHING:
        break;
    }
    return value;
}

// `hit`: frames so far, with this one.
static void change_payload(const struct can_disturbance *what, uint64_t hit,
                           struct canfd_frame *frame)
{
    expects(what->width_B <= sizeof(uint32_t));
    uint8_t *number = frame->data + what->first_B;
    if (what->first_B + what->width_B > frame->len)
        return;
    uint32_t value = 0;
    memcpy(&value, number, what->width_B); // little-endian machines only: base/time of the frames
    value = changed(what, value, hit);
    memcpy(number, &value, what->width_B);
}

static void exchange(const struct can_disturbance *what, struct canfd_frame *frame)
{
    expects(what->width_B <= sizeof(uint32_t));
    uint8_t first[4], *number = frame->data + what->first_B;
    if (what->first_B + 2 * what->width_B > frame->len)
        return;
    memcpy(first, number, what->width_B);
    memcpy(number, number + what->width_B, what->width_B);
    memcpy(number + what->width_B, first, what->width_B);
}

static void stick(struct disturbance_state *state, struct canfd_frame *frame)
{
    if (!state->stuck) {
        state->first_hit = *frame;
        state->stuck = true;
    }
    frame->len = state->first_hit.len;
    if (!can_is_fd(frame) && frame->len > CAN_MAX_DLEN) // the first one was an FD frame
        frame->len = CAN_MAX_DLEN;
    memcpy(frame->data, state->first_hit.data, sizeof frame->data);
}

static enum hand_over change(struct can_bus *bus, unsigned slot, unsigned node,
                             struct can_stamped *frame)
{
    struct disturbance_state *state = &bus->disturbance[slot];
    const struct can_disturbance *what = &state->what;
    switch (what->kind) {
    case CAN_DISTURB_PAYLOAD:
    case CAN_DISTURB_OFFSET:
    case CAN_DISTURB_DRIFT:
    case CAN_DISTURB_SET:
        change_payload(what, state->tally.hit, &frame->fd);
        return HAND_OVER_NOW;
    case CAN_DISTURB_EXCHANGE:
        exchange(what, &frame->fd);
        return HAND_OVER_NOW;
    case CAN_DISTURB_STICK:
        stick(state, &frame->fd);
        return HAND_OVER_NOW;
    case CAN_DISTURB_RENAME:
        frame->frame.can_id =
            (frame->frame.can_id & ~CAN_SFF_MASK) | (what->other_id & CAN_SFF_MASK);
        return HAND_OVER_NOW;
    case CAN_DISTURB_DELAY:
    case CAN_DISTURB_REORDER:
        return HAND_OVER_LATER;
    case CAN_DISTURB_DUPLICATE:
        hold_back(bus, node, frame, 0, true, slot);
        return HAND_OVER_NOW;
    default:
        return HAND_OVER_NOW;
    }
}

static int64_t late_by_ns(const struct disturbance_state *state)
{
    const struct can_disturbance *what = &state->what;
    return what->kind == CAN_DISTURB_REORDER
               ? (int64_t)(random_at(~what->seed, state->tally.matched) %
                           (uint64_t)(what->delay_ns + 1))
               : what->delay_ns;
}

static bool works_at_hand_over(uint32_t kind)
{
    return can_disturbance_traits[kind].where == CAN_AT_HAND_OVER;
}

enum hand_over disturb_hand_over(struct can_bus *bus, unsigned node, struct can_stamped *frame)
{
    if (bus->disturbance_count == 0)
        return HAND_OVER_NOW;
    unsigned late = CAN_DISTURBANCES_MAX; // the last that delays it
    int64_t late_ns = 0;
    for (unsigned i = 0; i < CAN_DISTURBANCES_MAX; i++) {
        struct disturbance_state *state = &bus->disturbance[i];
        if (state->active == 0)
            continue;
        if (state->what.kind == CAN_DISTURB_MUTE && state->what.node == node) {
            count_hit(bus, i);
            return HAND_OVER_NEVER;
        }
        if (state->what.kind == CAN_DISTURB_SWAP && node < FIRST_OWN)
            count_hit(bus, i);
        if (works_at_hand_over(state->what.kind) && hits(bus, i, node, frame) &&
            change(bus, i, node, frame) == HAND_OVER_LATER) {
            late = i;
            late_ns += late_by_ns(state);
        }
    }
    if (late == CAN_DISTURBANCES_MAX)
        return HAND_OVER_NOW;
    hold_back(bus, node, frame, late_ns, false, late); // with all that others have changed
    return HAND_OVER_LATER;
}

// ---- on the wire --------------------------------------------------------------------------------

bool disturb_corrupts(struct can_bus *bus, unsigned node, const struct can_stamped *frame,
                      unsigned bits, unsigned *after_bits)
{
    expects(bits > END_BITS);
    for (unsigned i = 0; i < CAN_DISTURBANCES_MAX && bus->disturbance_count > 0; i++) {
        const struct disturbance_state *state = &bus->disturbance[i];
        if (state->active == 0 || state->what.kind != CAN_DISTURB_CORRUPT ||
            !hits(bus, i, node, frame))
            continue;
        const unsigned first =
            ARBITRATION_BITS_MAX < bits - END_BITS ? ARBITRATION_BITS_MAX : bits - END_BITS;
        *after_bits = first + (unsigned)(random_at(~state->what.seed, state->tally.matched) %
                                         (bits - END_BITS - first + 1));
        return true;
    }
    return false;
}

bool disturb_loses(struct can_bus *bus, unsigned node, const struct can_stamped *frame)
{
    bool lost = false;
    for (unsigned i = 0; i < CAN_DISTURBANCES_MAX && bus->disturbance_count > 0; i++) {
        const struct disturbance_state *state = &bus->disturbance[i];
        if (state->active == 0)
            continue;
        if (state->what.kind == CAN_DISTURB_LOSE)
            lost |= hits(bus, i, node, frame);
        else if (state->what.kind == CAN_DISTURB_MUTE && node != state->what.node)
            count_hit(bus, i); // it does not hear this one
        else if (state->what.kind == CAN_DISTURB_CUT)
            (void)hits(bus, i, node, frame); // every frame comes to one side only
    }
    return lost;
}

void disturb_notice_failure(struct can_bus *bus)
{
    for (unsigned i = 0; i < CAN_DISTURBANCES_MAX && bus->cut; i++)
        if (bus->disturbance[i].active != 0 && bus->disturbance[i].what.kind == CAN_DISTURB_CUT)
            count_hit(bus, i);
}

// A stranger queues no more than a node does: what it would have sent meanwhile is dropped.
static void drop_overdue(struct can_bus *bus, struct disturbance_state *state)
{
    const int64_t period_ns = state->what.delay_ns;
    const int64_t behind_ns = instant_sub(bus->idle_from, state->next).ns;
    if (period_ns == 0 || behind_ns / period_ns <= CAN_BUS_QUEUE_MAX)
        return;
    const int64_t dropped = behind_ns / period_ns - CAN_BUS_QUEUE_MAX;
    state->next = instant_add(state->next, duration_ns(dropped * period_ns));
    state->tally.matched += (uint64_t)dropped;
    atomic_fetch_add_explicit(&bus->page->node[CAN_OUTSIDE].lost, (uint64_t)dropped,
                              memory_order_relaxed);
}

void disturb_offer_flood(struct can_bus *bus)
{
    struct bus_node *stranger = &bus->node[STRANGER];
    for (unsigned i = 0; i < CAN_DISTURBANCES_MAX && !stranger->has_frame; i++) {
        struct disturbance_state *state = &bus->disturbance[i];
        if (state->active == 0 || state->what.kind != CAN_DISTURB_FLOOD)
            continue;
        drop_overdue(bus, state);
        stranger->frame = (struct can_stamped){
            .frame = {.can_id = state->what.other_id & CAN_SFF_MASK, .can_dlc = CAN_MAX_DLEN}};
        memset(stranger->frame.frame.data, 0xAA, CAN_MAX_DLEN);
        stranger->frame.time =
            state->what.delay_ns > 0 ? state->next : instant_max(state->next, bus->idle_from);
        stranger->has_frame = true;
        state->next = instant_add(stranger->frame.time, duration_ns(state->what.delay_ns));
        state->tally.matched++;
        bus->flood = i;
        publish(bus, i);
    }
}

void disturb_spoof(struct can_bus *bus, unsigned node, const struct can_stamped *frame)
{
    for (unsigned i = 0; i < CAN_DISTURBANCES_MAX && bus->disturbance_count > 0; i++) {
        struct disturbance_state *state = &bus->disturbance[i];
        if (state->active == 0 || state->what.kind != CAN_DISTURB_SPOOF || node == STRANGER)
            continue;
        if (draws(state, node, frame)) {
            struct can_stamped forged = *frame;
            change_payload(&state->what, 0, &forged.fd);
            hold_back(bus, STRANGER, &forged, state->what.delay_ns, false, i);
        }
        publish(bus, i);
    }
}

void disturb_stranger_starts(struct can_bus *bus)
{
    const unsigned slot = bus->sent_later < 0 ? bus->flood : bus->later[bus->sent_later].slot;
    bus->disturbance[slot].tally.hit++;
    publish(bus, slot);
}

// ---- coming and going ---------------------------------------------------------------------------

// Returns how many frames were in its queue.
static unsigned empty_node(struct can_bus *bus, unsigned i)
{
    const unsigned queued = bus->node[i].count + bus->node[i].has_frame;
    bus->node[i].count = 0;
    node_take_frame(bus, i);
    return queued;
}

static void swap_hosts(struct can_bus *bus)
{
    if (bus->beside == NULL)
        return;
    struct can_page *page = bus->hosts;
    bus->hosts = bus->beside->hosts;
    bus->beside->hosts = page;
    struct can_line *line = bus->line;
    bus->line = bus->beside->line;
    bus->beside->line = line;
    uint64_t arrived[CAN_HOST_NODES_MAX];
    memcpy(arrived, bus->arrived, sizeof arrived);
    memcpy(bus->arrived, bus->beside->arrived, sizeof arrived);
    memcpy(bus->beside->arrived, arrived, sizeof arrived);
    bus->swapped = !bus->swapped;
}

// What is done once, when a disturbance is put in.
static void begin(struct can_bus *bus, unsigned slot)
{
    struct disturbance_state *state = &bus->disturbance[slot];
    const unsigned node = state->what.node;
    state->next = bus->advanced_to;
    switch (state->what.kind) {
    case CAN_DISTURB_MUTE:
        state->tally.hit = empty_node(bus, node);
        bus->node[node].muted = true;
        break;
    case CAN_DISTURB_RESET:
        state->tally.hit = 1;
        (void)empty_node(bus, node);
        bus->node[node].controller = (struct can_controller){0};
        bus->off &= ~node_bit(node);
        node_report(bus, node);
        bus->reset(bus->reset_context, node - FIRST_OWN, bus->advanced_to);
        break;
    case CAN_DISTURB_BUS_OFF:
        state->tally.hit = 1;
        bus->node[node].controller.transmit_errors = CAN_BUS_OFF_LIMIT;
        can_controller_send_failed(&bus->node[node].controller, false);
        bus->off |= node_bit(node);
        bus->event_at = bus->advanced_to;
        node_report(bus, node);
        break;
    case CAN_DISTURB_CUT:
        bus->cut = true;
        break;
    case CAN_DISTURB_SWAP:
        swap_hosts(bus);
        break;
    default:
        break;
    }
    state->tally.matched = state->tally.hit;
    publish(bus, slot);
}

// The stranger falls silent, but for a frame on the wire.
static void drop_forged(struct can_bus *bus, unsigned slot)
{
    for (unsigned i = 0; i < LATER_MAX; i++)
        if (bus->later[i].sender == STRANGER && bus->later[i].slot == slot &&
            !(bus->sending && bus->sent_later == (int)i)) {
            bus->later[i].sender = NODES_MAX;
            bus->later_count--;
        }
}

static void end(struct can_bus *bus, unsigned slot)
{
    const struct disturbance_state *state = &bus->disturbance[slot];
    if (state->what.kind == CAN_DISTURB_MUTE)
        bus->node[state->what.node].muted = false;
    else if (state->what.kind == CAN_DISTURB_CUT)
        bus->cut = false;
    else if (state->what.kind == CAN_DISTURB_SWAP)
        swap_hosts(bus);
    else if (state->what.kind == CAN_DISTURB_FLOOD)
        node_take_frame(bus, STRANGER);
    else if (state->what.kind == CAN_DISTURB_SPOOF)
        drop_forged(bus, slot);
}

void disturb_refresh(struct can_bus *bus)
{
    for (unsigned i = 0; i < CAN_DISTURBANCES_MAX; i++) {
        struct disturbance_state *state = &bus->disturbance[i];
        struct can_disturbance_slot *shared = &bus->page->disturbance[i];
        const uint64_t active = atomic_load_explicit(&shared->entry.active, memory_order_acquire);
        if (active == state->active)
            continue;
        if (state->active != 0) {
            end(bus, i);
            atomic_store(&shared->entry.hit_when_taken, state->tally.hit);
            invariant(bus->disturbance_count > 0);
            bus->disturbance_count--;
        }
        *state = (struct disturbance_state){.active = active, .what = shared->what};
        if (active != 0 && !can_disturbance_is_sound(&state->what))
            state->active = 0; // somebody has scribbled over it
        if (state->active != 0) {
            bus->disturbance_count++;
            begin(bus, i);
        }
    }
}
