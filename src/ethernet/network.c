#include "ethernet/network.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "ethernet/wire.h"

// Of a cycle: without a frame sent, until a probe is; without one heard, until a link is taken for
// broken. One lost frame breaks no link, and a cut one way costs two cycles at most: what is under
// way, and the next; or, cut behind a probe, the two that come.
#define PROBE_PERCENT 75
#define NEVER_NS INT64_MAX

// ---- ports --------------------------------------------------------------------------------------

// Which of the waiting frames goes next, or -1: the first of those that are ready first.
static int first_ready(const struct port *port)
{
    int first = -1;
    for (unsigned i = 0; i < port->count; i++)
        if (first < 0 || port->queue[i].ready_ns < port->queue[first].ready_ns)
            first = (int)i;
    return first;
}

static void start(struct eth_network *network, unsigned number)
{
    invariant(network->port[number].count <= ETH_QUEUE_MAX);
    struct port *port = &network->port[number];
    const int i = first_ready(port);
    if (port->sender != SENDER_IDLE || i < 0 || port->queue[i].ready_ns > network->now_ns)
        return;
    port->frame = port->queue[i].frame;
    port->count--;
    memmove(&port->queue[i], &port->queue[i + 1],
            (port->count - (unsigned)i) * sizeof port->queue[0]);
    if (network->wire != NULL) { // its time on the wire is the kernel's
        eth_wire_send(network, number, &network->frame[port->frame]);
        port->sent_ns = network->now_ns;
        eth_frame_free(network, port->frame);
        return;
    }
    const size_t size_B = network->frame[port->frame].size_B;
    port->sender = port_sender_step(port->sender, SENDER_STARTS);
    if (!link_is_up(port->link))
        port->sender = port_sender_step(port->sender, SENDER_CUT);
    port->ends_ns = network->now_ns + eth_time_ns(size_B > ETH_HEADER_B ? size_B - ETH_HEADER_B : 0,
                                                  network->plan->bitrate_bit_s);
}

// A frame whose sender wants to know when has left it.
static void stamp(struct eth_network *network, unsigned port, struct eth_frame *frame)
{
    struct eth_stamp *stamp = &network->page->host[port / 2].stamp[frame->stamp % ETH_STAMPS];
    atomic_store_explicit(&stamp->time_ns, eth_stamp_ns(network), memory_order_relaxed);
    atomic_store_explicit(&stamp->number, frame->stamp, memory_order_release);
    frame->stamp = 0;
}

static void end(struct eth_network *network, unsigned number)
{
    invariant(network->port[number].frame < ETH_FRAMES_MAX);
    struct port *port = &network->port[number];
    if (port->sender == SENDER_IDLE || port->ends_ns > network->now_ns)
        return;
    const bool wasted = port->sender == SENDER_WASTES;
    port->sender = port_sender_step(port->sender, SENDER_ENDS);
    eth_note_sent(network, number, port->frame);
    if (network->frame[port->frame].stamp != 0)
        stamp(network, number, &network->frame[port->frame]);
    if (wasted || port->cable < 0 || port->peer == ETH_PORTS_MAX) {
        eth_count(&eth_counts(network, number)->cut);
        eth_frame_free(network, port->frame);
        return;
    }
    const unsigned cable = (unsigned)port->cable;
    const unsigned to = port->peer;
    if (eth_disturb_frame(network, cable, to, port->frame))
        eth_arrive(network, to, port->frame);
}

// ---- probes -------------------------------------------------------------------------------------

static void probe(struct eth_network *network, unsigned number)
{
    struct port *port = &network->port[number];
    const int64_t due_ns = port->sent_ns + network->plan->cycle_ns * PROBE_PERCENT / 100;
    if (!link_is_up(port->link) || port->sender != SENDER_IDLE || port->count > 0 ||
        due_ns > network->now_ns)
        return;
    const uint16_t i = eth_frame_new(network);
    port->sent_ns = network->now_ns;
    if (i == ETH_NO_FRAME)
        return;
    static const uint8_t to[6] = {0x01, 0x80, 0xC2, 0x00, 0x00, 0x0E};
    struct eth_frame *frame = &network->frame[i];
    *frame = (struct eth_frame){.size_B = ETH_HEADER_B + 1, .taken_ns = network->now_ns};
    frame->bytes[ETH_HEADER_B] = link_hears(port->link);
    memcpy(frame->bytes, to, sizeof to);
    eth_probe_address(number, frame->bytes + 6);
    frame->bytes[12] = ETH_TYPE_PROBE >> 8;
    frame->bytes[13] = ETH_TYPE_PROBE & 0xFF;
    eth_enqueue(network, number, i, network->now_ns);
}

// ---- time ---------------------------------------------------------------------------------------

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t port_next_ns(const struct eth_network *network, const struct port *port)
{
    int64_t next_ns = NEVER_NS;
    const int i = first_ready(port);
    if (port->sender != SENDER_IDLE)
        next_ns = port->ends_ns;
    else if (i >= 0)
        next_ns = port->queue[i].ready_ns;
    if (!eth_is_watched(network) || !link_is_up(port->link))
        return next_ns;
    if (port->sender == SENDER_IDLE && i < 0)
        next_ns = port->sent_ns + network->plan->cycle_ns * PROBE_PERCENT / 100;
    return link_hears(port->link) ? earlier(next_ns, eth_silent_at_ns(network, port)) : next_ns;
}

// Ports that this network has, with those of hosts on the hub that there are not.
static unsigned ports_end(const struct eth_network *network)
{
    return ETH_HUB_PORT + network->plan->hub_count;
}

static unsigned port_after(const struct eth_network *network, unsigned port)
{
    return port + 1 == 2 * network->plan->host_count ? ETH_HUB_PORT : port + 1;
}

static int64_t next_ns(const struct eth_network *network)
{
    int64_t next = eth_disturb_next_ns(network);
    for (unsigned p = 0; p < ports_end(network); p = port_after(network, p))
        if (network->port[p].link != LINK_ABSENT)
            next = earlier(next, port_next_ns(network, &network->port[p]));
    for (unsigned i = 0; i < ETH_LATER_MAX && network->later_count > 0; i++)
        if (network->later[i].frame != ETH_NO_FRAME)
            next = earlier(next, network->later[i].at_ns);
    return next == NEVER_NS || next > network->now_ns ? next : network->now_ns;
}

static void arrive_later(struct eth_network *network, int64_t until_ns)
{
    for (unsigned i = 0; i < ETH_LATER_MAX && network->later_count > 0; i++) {
        struct later *later = &network->later[i];
        if (later->frame == ETH_NO_FRAME || later->at_ns > network->now_ns)
            continue;
        const uint16_t frame = later->frame;
        eth_note_lateness(network, until_ns - later->at_ns);
        later->frame = ETH_NO_FRAME;
        network->later_count--;
        eth_arrive(network, later->port, frame);
    }
}

static void turn(struct eth_network *network, int64_t until_ns)
{
    for (unsigned p = 0; p < ports_end(network); p = port_after(network, p))
        if (network->port[p].sender != SENDER_IDLE)
            end(network, p);
    arrive_later(network, until_ns);
    eth_disturb_due(network);
    for (unsigned p = 0; p < ports_end(network); p = port_after(network, p)) {
        struct port *port = &network->port[p];
        if (port->link == LINK_ABSENT)
            continue;
        if (eth_is_watched(network)) {
            if (link_hears(port->link) && network->now_ns >= eth_silent_at_ns(network, port))
                eth_look_at_link(network, p);
            probe(network, p);
        }
        start(network, p);
    }
}

// ---- what hosts have queued ---------------------------------------------------------------------

// Ports that a frame leaves by, as bits; 0: no link works.
static unsigned ways_out(const struct eth_network *network, unsigned host,
                         const struct eth_frame *given, bool tagged)
{
    const bool works[2] = {network->port[2 * host].link == LINK_WORKS,
                           network->port[2 * host + 1].link == LINK_WORKS};
    if (network->plan->host[host].ring < 0)
        return 1;
    if ((given->port & 3u) != 0)
        return given->port & 3u;
    if (tagged)
        return 3;
    const int port = eth_leaves_by((enum eth_redundancy)network->plan->redundancy, works);
    return port < 0 ? 0 : 1u << port;
}

static bool is_sound(uint16_t size_B)
{
    return size_B >= ETH_HEADER_B && size_B <= ETH_SIZE_MAX_B;
}

static void leave(struct eth_network *network, unsigned host, const struct eth_frame *given)
{
    expects(host < network->plan->host_count);
    const bool tagged = network->plan->redundancy == ETH_SEAMLESS && (given->bytes[0] & 1) == 0;
    const unsigned ports = ways_out(network, host, given, tagged);
    const uint16_t size_B = *(const volatile uint16_t *)&given->size_B; // once: a host may write it
    const uint16_t sequence = network->sequence[host]++;
    if (ports == 0 || !is_sound(size_B))
        eth_count(ports == 0 ? &eth_counts(network, 2 * host)->cut
                             : &eth_counts(network, 2 * host)->malformed);
    for (unsigned p = 0; p < 2 && is_sound(size_B); p++) {
        const uint16_t i = ports >> p & 1 ? eth_frame_new(network) : ETH_NO_FRAME;
        if (i == ETH_NO_FRAME)
            continue;
        struct eth_frame *frame = &network->frame[i];
        memcpy(frame, given, offsetof(struct eth_frame, bytes) + size_B);
        frame->size_B = size_B;
        frame->broken = 0;
        if (tagged)
            eth_tag(frame, p, sequence);
        eth_enqueue(network, 2 * host + p, i,
                    given->time_ns > network->now_ns ? given->time_ns : network->now_ns);
    }
}

static void take_in(struct eth_network *network, int64_t until_ns)
{
    for (unsigned host = 0; host < network->plan->host_count; host++)
        for (unsigned s = 0; s < ETH_SOCKETS_MAX; s++) {
            struct eth_socket_page *sock = &network->page->host[host].socket[s];
            // No more than a ring holds: a host gone mad may claim any number.
            for (unsigned n = 0; n < ETH_RING_SLOTS; n++) {
                const struct eth_frame *frame = eth_ring_peek(&sock->transmit);
                if (frame == NULL || frame->time_ns > until_ns)
                    break;
                if (atomic_load(&sock->transmit.tail) >= atomic_load(&sock->from))
                    leave(network, host, frame);
                eth_ring_drop(&sock->transmit);
            }
        }
}

static void go_on(struct eth_network *network, instant until)
{
    // Every turn ends or starts a frame, or is one that a disturbance has in its time.
    for (int64_t next = next_ns(network); next <= until.ns; next = next_ns(network)) {
        network->now_ns = next;
        if (network->wire == NULL)
            eth_note_lateness(network, until.ns - next);
        turn(network, until.ns);
    }
    if (network->now_ns < until.ns)
        network->now_ns = until.ns;
}

// Every frame waits at one port, is being sent by one, is held back, or is free.
static bool frames_balance(const struct eth_network *network)
{
    unsigned count = network->free_count + network->later_count;
    for (unsigned p = 0; p < ports_end(network); p = port_after(network, p))
        count += network->port[p].count + (network->port[p].sender != SENDER_IDLE);
    return count == ETH_FRAMES_MAX;
}

void eth_network_advance(struct eth_network *network, instant until)
{
    eth_disturb_refresh(network);
    if (network->wire != NULL)
        eth_wire_pump(network, until.ns);
    else
        take_in(network, until.ns);
    go_on(network, until);
    ensures(network->now_ns >= until.ns && frames_balance(network));
    atomic_store_explicit(&network->page->time_ns, network->now_ns, memory_order_relaxed);
}

instant eth_network_next(const struct eth_network *network)
{
    return instant_ns(next_ns(network));
}

struct clk_watch eth_network_watch(const struct eth_network *network)
{
    return (struct clk_watch){.word = &network->page->activity,
                              .seen = atomic_load(&network->page->activity),
                              .id = network->page->watch_id};
}

// Whether a host waits for a frame.
static bool is_awaited(const struct eth_network *network)
{
    for (unsigned h = 0; h < network->plan->host_count; h++)
        for (unsigned s = 0; s < ETH_SOCKETS_MAX; s++)
            if (atomic_load(&network->page->host[h].socket[s].awaited) != 0)
                return true;
    return false;
}

// Where the owner goes first at each instant, a host that has woken by itself finds all frames that
// have come by then; only one that waits for a frame must be woken by it.
static bool may_rest(const struct eth_network *network, const struct clk *clk)
{
    const struct eth_page *page = network->page;
    return !page->wakes && network->wire == NULL && clk_goes_first(clk) && !is_awaited(network);
}

enum status eth_network_serve(struct eth_network *network, struct clk *clk, instant deadline)
{
    const struct clk_watch watch = eth_network_watch(network);
    eth_network_advance(network, clk_now(clk));
    const bool rests = may_rest(network, clk);
    atomic_store(&network->page->rests, rests);
    const instant next = rests ? deadline : instant_min(eth_network_next(network), deadline);
    const enum status status =
        network->wire != NULL ? eth_wire_wait(network, clk, next) : clk_wait(clk, &watch, 1, next);
    return status == STATUS_TIMEOUT ? STATUS_OK : status;
}

// Nothing under way, not even a probe, and nobody in the middle.
static bool is_idle(const struct eth_network *network)
{
    return network->free_count == ETH_FRAMES_MAX && network->disturbance_count == 0;
}

enum status eth_network_await_turn(struct eth_network *network, struct clk *clk, instant deadline)
{
    const struct clk_watch watch = eth_network_watch(network);
    enum status status;
    const bool idle = is_idle(network), awaited = is_awaited(network);
    atomic_store(&network->page->rests, !idle && !awaited);
    if (idle) {
        status = clk_rest(clk, &watch, 1, deadline);
        if (status == STATUS_OK) // what begins now finds the network as it is now
            go_on(network, clk_now(clk));
    } else
        status = clk_wait(clk, &watch, 1,
                          awaited ? instant_min(eth_network_next(network), deadline) : deadline);
    return status == STATUS_TIMEOUT ? STATUS_OK : status;
}

// ---- opening ------------------------------------------------------------------------------------

static void begin(struct eth_network *network)
{
    for (unsigned i = 0; i < ETH_FRAMES_MAX; i++)
        network->free[network->free_count++] = (uint16_t)i;
    for (unsigned i = 0; i < ETH_LATER_MAX; i++)
        network->later[i].frame = ETH_NO_FRAME;
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++)
        network->port[p].cable = -1;
    for (unsigned c = 0; c < network->plan->cable_count; c++)
        for (unsigned e = 0; e < 2; e++) {
            struct port *port = &network->port[network->plan->cable[c].end[e] % ETH_PORTS_MAX];
            port->link = LINK_DOWN;
            port->cable = (int)c;
            port->end = e;
        }
    for (unsigned h = 0; h < network->plan->host_count; h++)
        network->learned[h] = network->plan->host[h].hub_port[0];
    eth_look_at_links(network);
}

enum status eth_network_open(const char *name, struct eth_network **network)
{
    const char *cell = getenv("UKEMI_CELL");
    struct eth_page *page;
    if (cell == NULL)
        return STATUS_NOT_FOUND;
    const enum status status = eth_page_map(cell, name, &page);
    if (status != STATUS_OK)
        return status;
    struct eth_network *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        eth_page_unmap(page);
        return STATUS_NO_MEMORY;
    }
    opened->page = page;
    opened->own_plan = page->plan; // hosts may scribble over the page's
    opened->plan = &opened->own_plan;
    const char *seed = getenv("UKEMI_SEED");
    random_start(&opened->jitter, seed == NULL ? 0 : strtoull(seed, NULL, 10), "ethernet-jitter");
    random_start(&opened->noise, seed == NULL ? 0 : strtoull(seed, NULL, 10), "ethernet-noise");
    const enum status wired = page->plan.medium == ETH_VETH ? eth_wire_open(opened) : STATUS_OK;
    if (wired != STATUS_OK) {
        eth_network_close(opened);
        return wired;
    }
    begin(opened);
    *network = opened;
    return STATUS_OK;
}

void eth_network_close(struct eth_network *network)
{
    if (network == NULL)
        return;
    eth_wire_close(network);
    eth_page_unmap(network->page);
    free(network);
}

const struct eth_plan *eth_network_plan(const struct eth_network *network)
{
    return network->plan;
}

const struct eth_port_counts *eth_network_counts(const struct eth_network *network, unsigned port)
{
    expects(port < ETH_PORTS_MAX);
    return &network->page->port[port];
}

int eth_network_broken(const struct eth_network *network, unsigned *down)
{
    const struct eth_plan *plan = eth_network_plan(network);
    int first = -1;
    *down = 0;
    for (unsigned c = 0; c < plan->cable_count; c++) {
        if (eth_network_counts(network, plan->cable[c].end[0])->works != 0 &&
            eth_network_counts(network, plan->cable[c].end[1])->works != 0)
            continue;
        first = first < 0 ? (int)c : first;
        ++*down;
    }
    return first;
}

void eth_network_listen(struct eth_network *network, eth_listener *listener, void *context)
{
    network->listener = listener;
    network->listener_context = context;
}
