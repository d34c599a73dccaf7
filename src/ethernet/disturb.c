// The owner's side of disturbances: it obeys, and counts.
#include <string.h>

#include "base/invariant.h"
#include "base/random.h"
#include "ethernet/wire.h"

#define PPM 1000000u
#define NEVER_NS INT64_MAX
#define BABBLE_B ETH_PAYLOAD_MAX_B
#define RUNT_B 10
#define MARK_B 4 // of a payload made up here

static void publish(const struct eth_network *network, unsigned i)
{
    const struct disturbance *disturbance = &network->disturbance[i];
    disturbance_publish(&network->page->disturbance[i].entry, disturbance->matched,
                        disturbance->hit);
}

// A number that follows from the seed and the number of the frame.
static uint64_t draw(const struct disturbance *disturbance, uint64_t salt)
{
    struct random_stream stream;
    random_start(&stream, disturbance->what.seed + disturbance->matched * 2 + salt, "ethernet");
    return random_bits(&stream);
}

// ---- frames on a cable --------------------------------------------------------------------------

static bool concerns(const struct disturbance *disturbance, unsigned cable,
                     const struct eth_head *head)
{
    const struct eth_disturbance *what = &disturbance->what;
    return disturbance->active != 0 && (what->cable == ETH_ANY || what->cable == cable) &&
           (what->host == ETH_ANY || what->host == head->source);
}

// Whether this frame is of the share that is to be hit.
static bool is_drawn(struct disturbance *disturbance)
{
    disturbance->matched++;
    return draw(disturbance, 0) % PPM < disturbance->what.share_ppm;
}

// False: there is no room, and the frame is lost.
static bool hold(struct eth_network *network, unsigned port, uint16_t frame, int64_t at_ns)
{
    expects(at_ns >= network->now_ns && frame < ETH_FRAMES_MAX);
    for (unsigned i = 0; i < ETH_LATER_MAX; i++)
        if (network->later[i].frame == ETH_NO_FRAME) {
            network->later[i] = (struct later){.at_ns = at_ns, .port = port, .frame = frame};
            network->later_count++;
            return true;
        }
    // Or one of them is counted, and not there.
    invariant(network->later_count == ETH_LATER_MAX);
    eth_count(&eth_counts(network, port)->full);
    eth_frame_free(network, frame);
    return false;
}

// False: the payload has no such byte.
static bool change(const struct disturbance *disturbance, struct eth_frame *frame,
                   const struct eth_head *head)
{
    if (disturbance->what.byte >= head->payload_B || disturbance->what.mask == 0)
        return false;
    frame->bytes[head->payload_at + disturbance->what.byte] ^= (uint8_t)disturbance->what.mask;
    return true;
}

// False: no copy comes.
static bool copy_later(struct eth_network *network, const struct disturbance *disturbance,
                       unsigned port, uint16_t frame, int64_t at_ns)
{
    struct eth_head head;
    const uint16_t copy = eth_frame_new(network);
    if (copy == ETH_NO_FRAME)
        return false;
    memcpy(&network->frame[copy], &network->frame[frame], sizeof network->frame[frame]);
    if (disturbance->what.kind == ETH_DISTURB_SPOOF &&
        (!eth_parse(&network->frame[copy], network->plan->host_count, &head) ||
         !change(disturbance, &network->frame[copy], &head))) {
        eth_frame_free(network, copy);
        return false;
    }
    return hold(network, port, copy, at_ns);
}

// What disturbances have made of a frame so far.
struct so_far {
    bool late, stuck;
    int64_t late_ns;
};

// What one disturbance does to a frame; *hit: anything. False: it does not arrive.
static bool disturb(struct eth_network *network, struct disturbance *disturbance, unsigned port,
                    uint16_t i, const struct eth_head *head, struct so_far *so_far, bool *hit)
{
    struct eth_frame *frame = &network->frame[i];
    const int64_t now_ns = network->now_ns, delay_ns = disturbance->what.delay_ns;
    *hit = true;
    switch (disturbance->what.kind) {
    case ETH_DISTURB_LOSE:
        eth_frame_free(network, i);
        return false;
    case ETH_DISTURB_CORRUPT:
        frame->broken = 1;
        if (head->payload_B > 0)
            frame->bytes[head->payload_at + draw(disturbance, 1) % head->payload_B] ^= 0x10;
        return true;
    case ETH_DISTURB_PAYLOAD:
        *hit = change(disturbance, frame, head);
        return true;
    case ETH_DISTURB_STICK:
        *hit = eth_stick(network, disturbance->active, head, frame) || so_far->stuck;
        so_far->stuck = *hit;
        return true;
    case ETH_DISTURB_DELAY:
        *hit = delay_ns > 0;
        so_far->late |= *hit;
        so_far->late_ns += delay_ns;
        return true;
    case ETH_DISTURB_REORDER:
        *hit = delay_ns > 0;
        so_far->late |= *hit;
        so_far->late_ns += (int64_t)(draw(disturbance, 1) % (uint64_t)(delay_ns + 1));
        return true;
    case ETH_DISTURB_DUPLICATE:
    case ETH_DISTURB_SPOOF:
        *hit = copy_later(network, disturbance, port, i,
                          now_ns + (delay_ns > 0 ? delay_ns
                                                 : eth_time_ns(frame->size_B - ETH_HEADER_B,
                                                               network->plan->bitrate_bit_s)));
        return true;
    default:
        *hit = false;
        return true;
    }
}

bool eth_disturb_frame(struct eth_network *network, unsigned cable, unsigned port, uint16_t i)
{
    if (network->disturbance_count == 0)
        return true;
    struct eth_head head;
    struct so_far so_far = {0};
    if (!eth_parse(&network->frame[i], network->plan->host_count, &head))
        return true;
    for (unsigned d = 0; d < ETH_DISTURBANCES_MAX; d++) {
        struct disturbance *disturbance = &network->disturbance[d];
        const uint32_t kind = disturbance->what.kind;
        bool here = true, hit = false;
        if (disturbance->active == 0)
            continue;
        if (kind == ETH_DISTURB_ONE_WAY && disturbance->what.cable == cable &&
            network->port[port].end == 1) {
            disturbance->matched++;
            disturbance->hit++;
            eth_count(&eth_counts(network, port)->cut);
            eth_frame_free(network, i);
            here = false;
        } else if (kind <= ETH_DISTURB_SPOOF && head.type != ETH_TYPE_PROBE &&
                   concerns(disturbance, cable, &head) && is_drawn(disturbance))
            here = disturb(network, disturbance, port, i, &head, &so_far, &hit);
        disturbance->hit += hit;
        publish(network, d);
        if (!here)
            return false;
    }
    if (so_far.late) // with all that others have changed
        (void)hold(network, port, i, network->now_ns + so_far.late_ns);
    return !so_far.late;
}

// Counts something that disturbances of this kind, of this host or of any, do. False: there is
// none.
static bool count_all(struct eth_network *network, uint32_t kind, unsigned host, bool hit)
{
    bool found = false;
    for (unsigned d = 0; d < ETH_DISTURBANCES_MAX && network->disturbance_count > 0; d++) {
        struct disturbance *disturbance = &network->disturbance[d];
        if (disturbance->active == 0 || disturbance->what.kind != kind ||
            (host != ETH_ANY && disturbance->what.host != host))
            continue;
        disturbance->matched++;
        disturbance->hit += hit;
        publish(network, d);
        found = true;
    }
    return found;
}

bool eth_disturb_floods(struct eth_network *network)
{
    unsigned ports = 0; // of two, a frame that came by one leaves by the other, table or not
    for (unsigned p = ETH_HUB_PORT; p < ETH_PORTS_MAX && network->disturbance_count > 0; p++)
        ports += link_is_up(network->port[p].link);
    return count_all(network, ETH_DISTURB_FLOOD, ETH_ANY, ports > 2);
}

bool eth_disturb_relay(struct eth_network *network, unsigned host)
{
    expects(host < network->plan->host_count);
    if (network->slow_ns[host] > 0 && network->stalled[host] == 0)
        (void)count_all(network, ETH_DISTURB_SLOW, host, true);
    return network->stalled[host] > 0 && count_all(network, ETH_DISTURB_STALL, host, true);
}

// ---- frames of strangers ------------------------------------------------------------------------

static void inject(struct eth_network *network, struct disturbance *disturbance)
{
    expects(disturbance->what.host < network->plan->host_count);
    const struct eth_disturbance *what = &disturbance->what;
    const unsigned port = 2 * what->host;
    const uint16_t i = eth_frame_new(network);
    disturbance->matched++;
    if (i == ETH_NO_FRAME || network->port[port].count + 1 >= ETH_QUEUE_MAX) {
        if (i != ETH_NO_FRAME)
            eth_frame_free(network, i);
        return;
    }
    struct eth_frame *frame = &network->frame[i];
    *frame = (struct eth_frame){.size_B = ETH_HEADER_B + BABBLE_B, .taken_ns = network->now_ns};
    eth_address(0, 0, frame->bytes);
    eth_address(what->host, 0, frame->bytes + 6);
    frame->bytes[12] = 0x88;
    frame->bytes[13] = 0xB5;
    if (what->kind == ETH_DISTURB_STRANGER) {
        frame->bytes[1] = frame->bytes[7] = 0xEE; // nobody's
        frame->size_B = ETH_HEADER_B + ETH_PAYLOAD_MIN_B;
    } else if (what->kind == ETH_DISTURB_OVERSIZE)
        frame->size_B = ETH_SIZE_MAX_B + 1;
    else if (what->kind == ETH_DISTURB_RUNT)
        frame->size_B = RUNT_B;
    disturbance->hit += link_is_up(network->port[port].link);
    eth_enqueue(network, port, i, network->now_ns);
}

static bool injects(uint32_t kind)
{
    return kind >= ETH_DISTURB_BABBLE && kind <= ETH_DISTURB_RUNT;
}

int64_t eth_disturb_next_ns(const struct eth_network *network)
{
    int64_t next_ns = NEVER_NS;
    for (unsigned d = 0; d < ETH_DISTURBANCES_MAX && network->disturbance_count > 0; d++) {
        const struct disturbance *disturbance = &network->disturbance[d];
        if (disturbance->active != 0 && disturbance->next_ns < next_ns)
            next_ns = disturbance->next_ns;
    }
    return next_ns;
}

static int64_t period_ns(const struct eth_network *network, const struct eth_disturbance *what)
{
    return what->delay_ns > 0 ? what->delay_ns
                              : eth_time_ns(BABBLE_B, network->plan->bitrate_bit_s);
}

// ---- links --------------------------------------------------------------------------------------

// Whether any end of what a disturbance is about has a link.
static bool has_link(const struct eth_network *network, const struct eth_disturbance *what)
{
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++)
        if (link_is_up(network->port[p].link) &&
            (what->kind == ETH_DISTURB_DEAD ? p / 2 == what->host
                                            : network->port[p].cable == (int)what->cable))
            return true;
    return false;
}

static bool has_power(const struct eth_network *network, unsigned cable)
{
    for (unsigned e = 0; e < 2; e++) {
        const unsigned port = network->plan->cable[cable].end[e];
        if (port < ETH_HUB_PORT && network->dead[port / 2] > 0)
            return false;
    }
    return true;
}

// Looks at all links; whether one of this disturbance came or went by what has been done to it. The
// kernel's carriers need power at both ends.
static bool changes_links(struct eth_network *network, const struct eth_disturbance *what, bool had)
{
    eth_look_at_links(network);
    if (network->wire == NULL)
        return has_link(network, what) != had;
    return (what->kind == ETH_DISTURB_DEAD || has_power(network, what->cable)) &&
           eth_wire_confirms(network);
}

// Several disturbances may have the same: it is over with the last.
static void add(unsigned *count, bool stands)
{
    expects(stands || *count > 0); // what comes to stand ends once
    *count = stands ? *count + 1 : *count - 1;
}

static void cut(struct eth_network *network, const struct eth_disturbance *what, bool stands)
{
    add(&network->cut[what->cable], stands);
}

void eth_disturb_due(struct eth_network *network)
{
    for (unsigned d = 0; d < ETH_DISTURBANCES_MAX && network->disturbance_count > 0; d++) {
        struct disturbance *disturbance = &network->disturbance[d];
        if (disturbance->active == 0 || disturbance->next_ns > network->now_ns)
            continue;
        invariant(period_ns(network, &disturbance->what) > 0); // or time would stand still
        disturbance->next_ns += period_ns(network, &disturbance->what);
        if (injects(disturbance->what.kind))
            inject(network, disturbance);
        else { // FLAP
            disturbance->cut = !disturbance->cut;
            const bool had = has_link(network, &disturbance->what);
            disturbance->matched++;
            cut(network, &disturbance->what, disturbance->cut);
            disturbance->hit += changes_links(network, &disturbance->what, had);
        }
        publish(network, d);
    }
}

// ---- coming and going ---------------------------------------------------------------------------

// The second ends of two cables, plugged in for one another.
static void swap_ends(struct eth_network *network, unsigned a, unsigned b)
{
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++) {
        struct port *port = &network->port[p];
        if (port->link == LINK_ABSENT || (port->cable != (int)a && port->cable != (int)b))
            continue;
        eth_replug(network, p);
        if (port->end == 1)
            port->cable = (int)(port->cable == (int)a ? b : a);
    }
}

// Puts into force what lasts, or takes it back.
static void set(struct eth_network *network, const struct eth_disturbance *what, bool stands)
{
    switch (what->kind) {
    case ETH_DISTURB_CUT:
    case ETH_DISTURB_FLAP:
        cut(network, what, stands);
        break;
    case ETH_DISTURB_SWAP:
        swap_ends(network, what->cable, what->other);
        break;
    case ETH_DISTURB_DEAD:
        add(&network->dead[what->host], stands);
        break;
    case ETH_DISTURB_STALL:
        add(&network->stalled[what->host], stands);
        break;
    case ETH_DISTURB_SLOW:
        network->slow_ns[what->host] += stands ? what->delay_ns : -what->delay_ns;
        break;
        ensures(network->slow_ns[what->host] >= 0);
    default:
        return;
    }
    eth_look_at_links(network);
}

// Proven by the links that go; others by each frame that they meet.
static bool takes_links(uint32_t kind)
{
    return kind == ETH_DISTURB_CUT || kind == ETH_DISTURB_FLAP || kind == ETH_DISTURB_DEAD;
}

static void begin(struct eth_network *network, struct disturbance *disturbance)
{
    const uint32_t kind = disturbance->what.kind;
    disturbance->next_ns = NEVER_NS;
    if (injects(kind) || kind == ETH_DISTURB_FLAP)
        disturbance->next_ns = network->now_ns + period_ns(network, &disturbance->what);
    disturbance->cut = kind == ETH_DISTURB_FLAP;
    const bool had = has_link(network, &disturbance->what);
    set(network, &disturbance->what, true);
    disturbance->matched = kind == ETH_DISTURB_SWAP || takes_links(kind);
    if (kind == ETH_DISTURB_SWAP)
        disturbance->hit = disturbance->what.cable != disturbance->what.other;
    else if (takes_links(kind))
        disturbance->hit = had && changes_links(network, &disturbance->what, had);
}

static bool is_of_this(const struct eth_network *network, const struct eth_disturbance *what)
{
    return eth_disturbance_is_sound(what) &&
           (what->cable == ETH_ANY || what->cable < network->plan->cable_count) &&
           (what->host == ETH_ANY || what->host < network->plan->host_count) &&
           (what->kind != ETH_DISTURB_SWAP || what->other < network->plan->cable_count);
}

void eth_disturb_refresh(struct eth_network *network)
{
    for (unsigned i = 0; i < ETH_DISTURBANCES_MAX; i++) {
        struct disturbance *own = &network->disturbance[i];
        struct eth_disturbance_slot *shared = &network->page->disturbance[i];
        const uint64_t active = atomic_load_explicit(&shared->entry.active, memory_order_acquire);
        if (active == own->active)
            continue;
        invariant(own->active == 0 || network->disturbance_count > 0);
        if (own->active != 0) {
            if (own->what.kind != ETH_DISTURB_FLAP || own->cut)
                set(network, &own->what, false);
            eth_unstick(network, own->active);
            atomic_store(&shared->entry.hit_when_taken, own->hit);
            network->disturbance_count--;
        }
        *own = (struct disturbance){.active = active, .what = shared->what};
        if (active != 0 && !is_of_this(network, &own->what))
            own->active = 0; // somebody has scribbled over it
        if (own->active != 0) {
            invariant(network->disturbance_count <= ETH_DISTURBANCES_MAX);
            network->disturbance_count++;
            begin(network, own);
            publish(network, i);
        }
    }
}
