// A network's page with any contents, as hosts gone mad leave it, read by its owner. Whatever is in
// rings, sockets and disturbances, an advance ends at its time, and no more frames cross a cable
// than it can carry.
#include "tests/fuzz/fuzz.h"

#include "ethernet/network_private.h"

#define ADVANCES_MAX 16
#define ADVANCE_NS_MAX INT64_C(5000000)
#define BITRATE_BIT_S 100000000

static const char *cell;
static struct eth_network *network;
static unsigned crossed;

static void on_frame(void *context, unsigned cable, unsigned end, const struct eth_frame *frame)
{
    (void)context, (void)cable, (void)end;
    fuzz_check(frame->size_B <= ETH_ROOM_B);
    crossed++;
}

static void build(unsigned redundancy)
{
    static struct eth_plan plan;
    static const char name[3][ETH_NAME_MAX] = {"a", "b", "c"};
    plan = (struct eth_plan){.name = "eth0",
                             .bitrate_bit_s = BITRATE_BIT_S,
                             .hub_ns = 10000,
                             .relay_ns = 10000,
                             .cycle_ns = 1000000,
                             .redundancy = redundancy % 3};
    fuzz_check(eth_plan_host(&plan, "pc") == STATUS_OK);
    fuzz_check(eth_plan_ring(&plan, name, 3) == STATUS_OK);
    fuzz_check(eth_network_create(cell, &plan, false) == STATUS_OK);
    fuzz_check(eth_network_open("eth0", &network) == STATUS_OK);
    eth_network_listen(network, on_frame, NULL);
}

// A frame of any bytes, or a disturbance of any.
static void scribble(struct fuzz_input *input)
{
    struct eth_page *page = network->page;
    const uint8_t what = fuzz_u8(input), host = fuzz_u8(input) % 4;
    struct eth_socket_page *sock = &page->host[host].socket[what >> 2 & 3];
    struct eth_frame *frame =
        &sock->transmit.slot[atomic_load(&sock->transmit.head) % ETH_RING_SLOTS];
    struct eth_disturbance_slot *slot = &page->disturbance[what >> 5];
    switch (what & 3) {
    case 0:
        fuzz_take(input, frame, 64);
        frame->time_ns = network->now_ns;
        atomic_fetch_add(&sock->transmit.head, 1);
        break;
    case 1: // for somebody here
        eth_address(fuzz_u8(input) % 5, 0, frame->bytes);
        eth_address(fuzz_u8(input) % 5, 0, frame->bytes + 6);
        frame->bytes[5] = fuzz_u8(input);
        frame->bytes[12] = fuzz_u8(input);
        frame->size_B = (uint16_t)(fuzz_u8(input) * 7);
        frame->time_ns = network->now_ns;
        atomic_fetch_add(&sock->transmit.head, 1);
        break;
    case 2:
        fuzz_take(input, &slot->what, sizeof slot->what);
        slot->what.kind %= ETH_DISTURBANCE_KINDS + 1;
        atomic_store(&slot->entry.active, atomic_fetch_add(&page->disturbances, 1) + 1);
        break;
    default:
        atomic_store(&slot->entry.active, 0);
        atomic_store(&sock->transmit.head, fuzz_special(host));
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    if (cell == NULL)
        cell = fuzz_cell();
    build(fuzz_u8(&input));
    for (unsigned i = 0; i < ADVANCES_MAX && fuzz_more(&input); i++) {
        for (unsigned n = fuzz_u8(&input) % 8; n > 0; n--)
            scribble(&input);
        const int64_t step_ns = ADVANCE_NS_MAX / (1 + fuzz_u8(&input)),
                      to_ns = network->now_ns + step_ns;
        crossed = 0;
        eth_network_advance(network, instant_ns(to_ns));
        fuzz_check(network->now_ns == to_ns);
        // Two directions of five cables, and what was held back.
        fuzz_check(crossed <= 2 * 5 * (step_ns / 6720 + 2) + ETH_LATER_MAX);
    }
    eth_network_close(network);
    return 0;
}
