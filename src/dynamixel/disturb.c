// The owner's side of disturbances: which are active, whom they hit, and what they do to it.
#include <string.h>

#include "base/random.h"
#include "dynamixel/line_private.h"

static void publish(struct dxl_line *line, unsigned slot)
{
    const struct disturbance_tally *tally = &line->disturbance[slot].tally;
    disturbance_publish(&line->page->disturbance[slot].entry, tally->matched, tally->hit);
}

// ---- packets ------------------------------------------------------------------------------------

// Whether the packet is one of those that the disturbance is to hit.
static bool draws(struct disturbance_state *state)
{
    const struct dxl_disturbance *what = &state->what;
    const bool hit = disturbance_draws(
        &state->tally, (struct disturbance_odds){what->seed, what->share_ppm, what->burst});
    state->tally.hit += hit;
    return hit;
}

// A random number below `limit`, for the packet at hand.
static unsigned drawn(const struct disturbance_state *state, unsigned which, unsigned limit)
{
    return (unsigned)(random_at(~state->what.seed, state->tally.matched * 256 + which) % limit);
}

static void insert(const struct disturbance_state *state, uint8_t *bytes, unsigned *length)
{
    const unsigned count = state->what.count, at = drawn(state, 0, *length + 1);
    if (*length + count > BURST_MAX_B)
        return;
    memmove(bytes + at + count, bytes + at, *length - at);
    for (unsigned i = 0; i < count; i++)
        bytes[at + i] = (uint8_t)drawn(state, i + 1, 256);
    *length += count;
}

static void collide(struct dxl_line *line, const struct disturbance_state *state, instant start)
{
    uint8_t rubbish[DXL_DISTURB_BYTES_MAX];
    for (unsigned i = 0; i < state->what.count; i++)
        rubbish[i] = (uint8_t)drawn(state, i, 256);
    line_add(line, STRANGER, rubbish, state->what.count, start);
}

// False: it is not sent.
static bool change(struct dxl_line *line, const struct disturbance_state *state, uint8_t *bytes,
                   unsigned *length, instant *start)
{
    const struct dxl_disturbance *what = &state->what;
    switch (what->kind) {
    case DXL_DISTURB_LOSE:
        return false;
    case DXL_DISTURB_CORRUPT:
        bytes[drawn(state, 0, *length)] ^= (uint8_t)(1u << drawn(state, 1, 8));
        return true;
    case DXL_DISTURB_DELAY:
        *start = instant_add(*start, duration_ns(what->delay_ns));
        return true;
    case DXL_DISTURB_TRUNCATE:
        *length -= what->count < *length ? what->count : *length;
        return *length > 0;
    case DXL_DISTURB_INSERT:
        insert(state, bytes, length);
        return true;
    case DXL_DISTURB_COLLIDE:
        collide(line, state, *start);
        return true;
    default:
        return true;
    }
}

// A mute device does not hear anybody.
static bool concerns(const struct disturbance_state *state, unsigned sender, const uint8_t *bytes,
                     unsigned length)
{
    if (state->what.kind == DXL_DISTURB_STICK &&
        (is_host(sender) || !stick_concerns(bytes, length)))
        return false;
    return state->active != 0 && (state->what.node == DXL_ANY_NODE || state->what.node == sender ||
                                  state->what.kind == DXL_DISTURB_MUTE);
}

// Whether an answer differs now; `stuck`: it already did by another disturbance of this kind. One
// that says what it would say anyhow has not been hit.
static bool make_stuck(const struct dxl_line *line, struct disturbance_state *state, uint8_t *bytes,
                       unsigned length, bool stuck)
{
    if (!draws(state))
        return stuck;
    stuck |= stick(line, state, bytes, length);
    state->tally.hit -= !stuck;
    return stuck;
}

bool disturb_burst(struct dxl_line *line, unsigned sender, uint8_t *bytes, unsigned *length,
                   instant *start)
{
    bool sent = (line->muted & node_bit(sender)) == 0, stuck = false;
    if (is_host(sender))
        stick_ask(line, bytes, *length);
    for (unsigned i = 0; i < DXL_DISTURBANCES_MAX && line->disturbance_count > 0; i++) {
        struct disturbance_state *state = &line->disturbance[i];
        if (!concerns(state, sender, bytes, *length))
            continue;
        if (state->what.kind == DXL_DISTURB_STICK) {
            if (sent)
                stuck = make_stuck(line, state, bytes, *length, stuck);
        } else if (state->what.kind <= DXL_DISTURB_COLLIDE) {
            if (sent && draws(state))
                sent = change(line, state, bytes, length, start);
        } else if (state->what.kind == DXL_DISTURB_CUT || state->what.kind == DXL_DISTURB_MUTE ||
                   state->what.kind == DXL_DISTURB_LOW) {
            state->tally.matched++;
            state->tally.hit++;
        } else {
            continue;
        }
        publish(line, i);
    }
    return sent;
}

// Bytes of noise come at random instants, `delay_ns` apart on average.
static void make_noise(struct dxl_line *line, unsigned slot, instant until)
{
    struct disturbance_state *state = &line->disturbance[slot];
    while (instant_before(state->next, until) && line->burst_count + 2 < BURSTS_MAX) {
        const uint8_t byte = (uint8_t)drawn(state, 0, 256);
        line_add(line, STRANGER, &byte, 1, instant_max(state->next, line->advanced_to));
        state->tally.matched++;
        state->tally.hit++;
        const uint64_t most_ns = 2 * (uint64_t)state->what.delay_ns;
        state->next.ns +=
            1 + (int64_t)(random_at(state->what.seed, state->tally.matched) % most_ns);
    }
    publish(line, slot);
}

void disturb_advance(struct dxl_line *line, instant until)
{
    for (unsigned i = 0; i < DXL_DISTURBANCES_MAX && line->disturbance_count > 0; i++)
        if (line->disturbance[i].active != 0 && line->disturbance[i].what.kind == DXL_DISTURB_NOISE)
            make_noise(line, i, until);
}

// ---- coming and going ---------------------------------------------------------------------------

static struct dxl_device *device_of(const struct dxl_line *line, unsigned node)
{
    return node >= DXL_HOSTS_MAX && node < DXL_HOSTS_MAX + line->device_count
               ? line->device[node - DXL_HOSTS_MAX]
               : NULL;
}

static void disturb_table(struct disturbance_state *state, struct dxl_device *device)
{
    if (device == NULL)
        return;
    memcpy(state->before, device->table, sizeof state->before);
    if (state->what.kind == DXL_DISTURB_FORGET)
        dxl_device_forget(device);
    else
        dxl_put(device, dxl_row_at(state->what.address)->address, (unsigned)state->what.value);
    state->tally.hit++;
}

// Gives the device back what it had; what it was given since in other registers stays.
static void restore_table(const struct disturbance_state *state, struct dxl_device *device)
{
    if (device == NULL)
        return;
    if (state->what.kind == DXL_DISTURB_FORGET) {
        memcpy(device->table, state->before, DXL_RAM_FIRST);
        return;
    }
    const struct dxl_row *row = dxl_row_at(state->what.address);
    memcpy(device->table + row->address, state->before + row->address, row->bytes);
}

static void begin(struct dxl_line *line, unsigned slot)
{
    struct disturbance_state *state = &line->disturbance[slot];
    const struct dxl_disturbance *what = &state->what;
    state->next = line->advanced_to;
    switch (what->kind) {
    case DXL_DISTURB_LOW:
        line->low_from = line->advanced_to;
        line->low_to = INSTANT_NEVER;
        break;
    case DXL_DISTURB_CUT:
        line->cut = true;
        break;
    case DXL_DISTURB_MUTE:
        line->muted |= node_bit(what->node);
        break;
    case DXL_DISTURB_REGISTER:
    case DXL_DISTURB_FORGET:
        disturb_table(state, device_of(line, what->node));
        break;
    default:
        if (what->kind >= DXL_DISTURB_DEAD)
            state->tally.hit +=
                line->servo(line->servo_context, what->node - DXL_HOSTS_MAX, what, true);
        break;
    }
    state->tally.matched = state->tally.hit;
    publish(line, slot);
}

static void end(struct dxl_line *line, unsigned slot)
{
    const struct disturbance_state *state = &line->disturbance[slot];
    const struct dxl_disturbance *what = &state->what;
    switch (what->kind) {
    case DXL_DISTURB_LOW:
        line->low_to = line->advanced_to;
        for (unsigned i = 0; i < line->receiver_count; i++) // who waits for it to be high again
            line->receiver[i].from = instant_min(line->receiver[i].from, line->advanced_to);
        break;
    case DXL_DISTURB_CUT:
        line->cut = false;
        break;
    case DXL_DISTURB_MUTE:
        line->muted &= ~node_bit(what->node);
        break;
    case DXL_DISTURB_REGISTER:
    case DXL_DISTURB_FORGET:
        restore_table(state, device_of(line, what->node));
        break;
    default:
        if (what->kind >= DXL_DISTURB_DEAD)
            (void)line->servo(line->servo_context, what->node - DXL_HOSTS_MAX, what, false);
        break;
    }
}

void disturb_refresh(struct dxl_line *line)
{
    for (unsigned i = 0; i < DXL_DISTURBANCES_MAX; i++) {
        struct disturbance_state *state = &line->disturbance[i];
        struct dxl_disturbance_slot *shared = &line->page->disturbance[i];
        const uint64_t active = atomic_load_explicit(&shared->entry.active, memory_order_acquire);
        if (active == state->active)
            continue;
        if (state->active != 0) {
            end(line, i);
            atomic_store(&shared->entry.hit_when_taken, state->tally.hit);
            line->disturbance_count--;
        }
        *state = (struct disturbance_state){.active = active, .what = shared->what};
        if (active != 0 && !dxl_disturbance_is_sound(&state->what))
            state->active = 0; // somebody has scribbled over it
        if (state->active != 0) {
            line->disturbance_count++;
            begin(line, i);
        }
    }
}
