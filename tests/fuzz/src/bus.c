// A bus's page with any contents, as processes gone mad leave it, read by its owner (the simulated
// robot) and by a host's port. Whatever is in rings, nodes and disturbances, an advance ends at its
// time, frames are frames, and no more of them are delivered than the wire can carry.
#include "tests/fuzz/fuzz.h"

#include "can/bus.h"
#include "can/page.h"

#define ADVANCES_MAX 24
#define ADVANCE_NS_MAX INT64_C(20000000)
#define NODES 3
#define DELIVERIES_MAX (ADVANCES_MAX * ADVANCE_NS_MAX / 40000) // 44 bits at 1 Mbit/s and slower

static struct can_page *page, *pristine; // the page as a mad process has it
static struct can_bus *bus;
static instant now;
static unsigned delivered;

static void start(void)
{
    const struct can_bus_config config = {.bitrates = {.nominal_bit_s = 1000000}};
    const char *cell = fuzz_cell();
    fuzz_check(can_bus_create(cell, "can0", &config) == STATUS_OK);
    fuzz_check(can_page_map(cell, "can0", &page) == STATUS_OK);
    pristine = malloc(sizeof *pristine);
    fuzz_check(pristine != NULL);
    memcpy(pristine, page, sizeof *page);
}

// Scribbles somewhere that matters, or anywhere.
static void scribble(struct fuzz_input *input)
{
    const uint8_t what = fuzz_u8(input), where = fuzz_u8(input);
    struct can_host_node *host = &page->host[where % CAN_HOST_NODES_MAX];
    struct can_ring *ring = where & 0x10 ? &host->receive : &host->transmit;
    uint64_t value = fuzz_special(what >> 4);
    if (what & 8)
        value = fuzz_u8(input);
    switch (what & 7) {
    case 0:
        atomic_store(&ring->head, value);
        break;
    case 1:
        atomic_store(&ring->tail, value);
        break;
    case 2: // a frame handed over
        fuzz_take(input, &ring->slot[atomic_load(&ring->head) % CAN_RING_SLOTS],
                  where & 0x20 ? sizeof ring->slot[0] : sizeof(struct can_frame));
        ring->slot[atomic_load(&ring->head) % CAN_RING_SLOTS].time =
            where & 0x40 ? instant_ns((int64_t)value) : now;
        atomic_fetch_add(&ring->head, 1);
        break;
    case 3:
        atomic_store(&host->generation, value);
        atomic_store(&host->name, value);
        atomic_store(&host->transmit_from, value);
        break;
    case 4:
    case 5: { // a disturbance, plausible but for some words
        struct can_disturbance_slot *slot = &page->disturbance[where % CAN_DISTURBANCES_MAX];
        slot->what = (struct can_disturbance){.kind = fuzz_u8(input) % (CAN_DISTURBANCE_KINDS + 1),
                                              .node = CAN_DISTURB_ANY_NODE,
                                              .share_ppm = 1000000,
                                              .burst = 1,
                                              .other_id = 0x123,
                                              .width_B = 2,
                                              .value = 1,
                                              .delay_ns = 100000};
        fuzz_disturb(input, &slot->what, sizeof slot->what);
        atomic_store(&slot->entry.active, atomic_fetch_add(&page->disturbances, 1) + 1);
        break;
    }
    case 6:
        memcpy((char *)page + where % 128 / 8 * 8, &value, sizeof value);
        break;
    default: {
        const size_t offset = (fuzz_u16(input) * 8u) % (sizeof *page - 8);
        memcpy((char *)page + offset, &value, sizeof value);
    }
    }
}

static void hear(void *context, const struct can_stamped *frame,
                 const struct can_delivery *delivery)
{
    (void)context;
    fuzz_check(!instant_before(now, frame->time));
    fuzz_check(frame->fd.flags & CANFD_FDF ? frame->fd.len <= CANFD_MAX_DLEN
                                           : frame->frame.can_dlc <= CAN_MAX_DLEN);
    fuzz_check(delivery->sender < NODES && delivery->sender >= CAN_BUS_FROM_STRANGER);
    fuzz_check(++delivered <= DELIVERIES_MAX);
    const struct can_frame reply = {.can_id = 0x40, .can_dlc = 8};
    if (delivery->sender == CAN_BUS_FROM_HOST && delivered % 4 == 0)
        (void)!(can_bus_send(bus, 0, &reply, now) == STATUS_OK); // full: not sent
}

// A host's port on the same page.
static void use_port(struct fuzz_input *input, struct can_port *port)
{
    struct can_stamped got;
    const struct can_frame frame = {.can_id = fuzz_u8(input), .can_dlc = 8};
    const enum status sent = can_send(port, &frame, now);
    fuzz_check(sent == STATUS_OK || sent == STATUS_FULL || sent == STATUS_DENIED);
    for (unsigned n = 0; n < 8 && can_receive(port, &got) == STATUS_OK; n++)
        continue;
    (void)can_lost(port);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (page == NULL)
        start();
    struct fuzz_input input = {.data = data, .size = size};
    memcpy(page, pristine, sizeof *page);
    now = instant_ns(0);
    delivered = 0;
    const uint8_t how = fuzz_u8(&input);
    struct can_port *port = NULL;
    if (how & 1)
        for (unsigned n = how >> 4; n > 0; n--)
            scribble(&input);
    const enum status opened = can_bus_open("can0", &bus);
    fuzz_check(opened == STATUS_OK || opened == STATUS_CORRUPT);
    if (opened != STATUS_OK)
        return 0;
    can_bus_listen(bus, hear, NULL);
    for (unsigned i = 0, node; i < NODES; i++)
        fuzz_check(can_bus_add_node(bus, "node", &node) == STATUS_OK && node == i);
    if (how & 2 && can_open("can0", "host", &port) != STATUS_OK)
        port = NULL;
    for (unsigned n = 0; fuzz_more(&input) && n < ADVANCES_MAX; n++) {
        const uint8_t what = fuzz_u8(&input);
        if (what & 1)
            scribble(&input);
        if (what & 2 && port != NULL)
            use_port(&input, port);
        now = instant_add(now, duration_us(10 * (what >> 2)));
        can_bus_advance(bus, now);
    }
    if (port != NULL)
        can_close(port);
    can_bus_close(bus);
    return 0;
}
