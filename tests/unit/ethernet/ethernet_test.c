// ethernet: how long frames last, what relays decide, which copies are discarded; and a network of
// three rings, advanced in time.
#include "tests/unit/common/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "ethernet/network_private.h"

#define TYPE_RT 0x88B5
#define NODES 13

// ---- pure ---------------------------------------------------------------------------------------

START_TEST(a_frame_lasts_as_long_as_its_bits)
{
    ck_assert_int_eq(eth_time_ns(0, 100000000), 6720);
    ck_assert_int_eq(eth_time_ns(46, 100000000), 6720);
    ck_assert_int_eq(eth_time_ns(47, 100000000), 6800);
    ck_assert_int_eq(eth_time_ns(1500, 100000000), 123040);
    ck_assert_int_eq(eth_time_ns(1500, 1000000000), 12304);
}
END_TEST

static struct eth_decision decide(enum eth_redundancy redundancy, unsigned source,
                                  unsigned destination, unsigned turns, unsigned in, bool far_works)
{
    const struct eth_relay relay = {.host = 3,
                                    .redundancy = redundancy,
                                    .relay = true,
                                    .through = -1,
                                    .works = {in == 0 || far_works, in == 1 || far_works}};
    const struct eth_head head = {.source = source, .destination = destination, .turns = turns};
    return eth_relay(&relay, &head, in);
}

START_TEST(a_relay_sends_on_turns_round_once_and_drops_the_rest)
{
    ck_assert_int_eq(decide(ETH_SWITCH, 0, 3, 0, 0, true).fate, ETH_TAKEN);
    ck_assert_int_eq(decide(ETH_SWITCH, 0, 3, 1, 1, true).fate, ETH_TAKEN); // by either address
    struct eth_decision on = decide(ETH_SWITCH, 0, 4, 0, 0, true);
    ck_assert(on.fate == ETH_ON && on.port == 1 && !on.turned);
    struct eth_decision back = decide(ETH_SWITCH, 0, 4, 0, 0, false);
    ck_assert(back.fate == ETH_ON && back.port == 0 && back.turned);
    ck_assert_int_eq(decide(ETH_SWITCH, 0, 4, 1, 0, false).fate, ETH_NO_WAY);
    ck_assert_int_eq(decide(ETH_NONE, 0, 4, 0, 0, false).fate, ETH_NO_WAY);
    ck_assert_int_eq(decide(ETH_SEAMLESS, 0, 4, 0, 0, false).fate, ETH_NO_WAY);
    ck_assert_int_eq(decide(ETH_SWITCH, 3, 0, 0, 0, true).fate, ETH_HOME);
    ck_assert_int_eq(decide(ETH_SWITCH, 3, 0, 1, 0, true).fate, ETH_ON); // its own, turned round
    ck_assert_int_eq(decide(ETH_SWITCH, 0, ETH_NOBODY, 0, 0, true).fate, ETH_UNKNOWN);
    ck_assert_int_eq(decide(ETH_SWITCH, ETH_NOBODY, 4, 0, 0, true).fate, ETH_UNKNOWN);
}
END_TEST

START_TEST(second_copies_are_discarded_also_where_the_numbers_begin_anew)
{
    struct eth_copies copies = {0};
    for (unsigned i = 0; i < 70000; i++) { // past 2^16
        ck_assert(!eth_is_copy(&copies, (uint16_t)i, i));
        ck_assert(eth_is_copy(&copies, (uint16_t)i, i));
        ck_assert(i < 5 || eth_is_copy(&copies, (uint16_t)(i - 5), i));
    }
    ck_assert(!eth_is_copy(&copies, 69999 % 65536, 70000 + ETH_FORGET_NS)); // after silence
    ck_assert(!eth_is_copy(&copies, 7, 70000 + ETH_FORGET_NS)); // a sender that began anew
}
END_TEST

START_TEST(a_tag_is_that_of_the_standard)
{
    struct eth_frame frame = {.size_B = ETH_HEADER_B + 2};
    struct eth_head head;
    frame.bytes[12] = 0x88;
    frame.bytes[13] = 0xB5;
    frame.bytes[14] = 0xAA;
    eth_tag(&frame, 1, 0x1234);
    const uint8_t expected[] = {0x89, 0x2F, 0x10, 8, 0x12, 0x34, 0x88, 0xB5, 0xAA};
    ck_assert_mem_eq(frame.bytes + 12, expected, sizeof expected);
    ck_assert(eth_parse(&frame, 1, &head));
    ck_assert(head.tagged && head.sequence == 0x1234 && head.type == TYPE_RT &&
              head.payload_B == 2);
}
END_TEST

// ---- a network ----------------------------------------------------------------------------------

static struct eth_network *network;
static struct eth_page *page;
static char cell[64];
static unsigned crossings; // of cables, by frames that are no probes

static void count(void *context, unsigned cable, unsigned end, const struct eth_frame *frame)
{
    (void)context, (void)cable, (void)end;
    crossings += frame->bytes[12] != 0x88 || frame->bytes[13] != 0xB7;
}

static void build(enum eth_redundancy redundancy, int64_t hub_ns, int64_t relay_ns)
{
    static struct eth_plan plan;
    char name[NODES][ETH_NAME_MAX];
    plan = (struct eth_plan){.name = "eth0",
                             .bitrate_bit_s = 100000000,
                             .hub_ns = hub_ns,
                             .relay_ns = relay_ns,
                             .cycle_ns = 5000000,
                             .redundancy = redundancy};
    for (unsigned i = 0; i < NODES; i++)
        snprintf(name[i], sizeof name[i], "n%u", i + 1);
    make_folder(cell, sizeof cell);
    setenv("UKEMI_CELL", cell, 1);
    ck_assert_int_eq(eth_plan_host(&plan, "pc"), STATUS_OK);
    ck_assert_int_eq(eth_plan_host(&plan, "pc"), STATUS_INVALID);
    ck_assert_int_eq(eth_plan_ring(&plan, name, 5), STATUS_OK);
    ck_assert_int_eq(eth_plan_ring(&plan, name + 5, 4), STATUS_OK);
    ck_assert_int_eq(eth_plan_ring(&plan, name + 9, 4), STATUS_OK);
    ck_assert_int_eq(eth_network_create(cell, &plan, false), STATUS_OK);
    ck_assert_int_eq(eth_network_open("eth0", &network), STATUS_OK);
    ck_assert_int_eq(eth_page_map(cell, "eth0", &page), STATUS_OK);
    eth_network_listen(network, count, NULL);
    for (unsigned h = 0; h <= NODES; h++) {
        page->host[h].socket[0].owner = 1;
        page->host[h].socket[0].protocol = TYPE_RT;
        page->host[h].socket[0].peer = ETH_NOBODY;
    }
}

static void send(unsigned from, unsigned to, size_t payload_B, int64_t at_ns)
{
    struct eth_ring *ring = &page->host[from].socket[0].transmit;
    struct eth_frame *frame = eth_ring_room(ring);
    ck_assert_ptr_nonnull(frame);
    *frame = (struct eth_frame){.size_B = (uint16_t)(ETH_HEADER_B + payload_B), .time_ns = at_ns};
    eth_address(to, 0, frame->bytes);
    eth_address(from, 0, frame->bytes + 6);
    frame->bytes[12] = TYPE_RT >> 8;
    frame->bytes[13] = TYPE_RT & 0xFF;
    atomic_fetch_add(&ring->head, 1);
}

static unsigned received(unsigned host, int64_t *last_ns)
{
    unsigned number = 0;
    struct eth_ring *ring = &page->host[host].socket[0].receive;
    for (const struct eth_frame *frame; (frame = eth_ring_peek(ring)) != NULL; number++) {
        *last_ns = frame->time_ns;
        eth_ring_drop(ring);
    }
    return number;
}

START_TEST(the_last_of_many_commands_comes_when_the_formula_says)
{
    const int64_t hub_ns = 7000, relay_ns = 217000;
    build(ETH_SWITCH, hub_ns, relay_ns);
    eth_network_advance(network, instant_ns(1000000)); // links make themselves known
    for (unsigned k = 1; k <= 5; k++)
        for (size_t payload_B = 30; payload_B <= 1500; payload_B += 490) {
            const int64_t at_ns = network->now_ns, frame_ns = eth_time_ns(payload_B, 100000000);
            int64_t last_ns = 0;
            for (unsigned n = 0; n < NODES; n++)
                send(0, k, payload_B, at_ns);
            eth_network_advance(network, instant_ns(at_ns + 4900000));
            ck_assert_uint_eq(received(k, &last_ns), NODES);
            ck_assert_int_eq(last_ns - at_ns,
                             NODES * frame_ns + hub_ns + k * frame_ns + (k - 1) * relay_ns);
        }
}
END_TEST

// Any two hosts reach each other, with any one cable cut, and hear each frame once.
static void all_reach_each_other(enum eth_redundancy redundancy)
{
    build(redundancy, 10000, 10000);
    for (unsigned cut = 1; cut < network->plan->cable_count; cut++) {
        network->cut[cut] = true;
        eth_look_at_links(network);
        for (unsigned from = 0; from <= NODES; from++)
            for (unsigned to = 0; to <= NODES; to++) {
                int64_t last_ns;
                if (from == to)
                    continue;
                send(from, to, 30, network->now_ns);
                eth_network_advance(network, instant_ns(network->now_ns + 1000000));
                ck_assert_msg(received(to, &last_ns) == 1, "cable %s cut: %u to %u",
                              network->plan->cable[cut].name, from, to);
            }
        network->cut[cut] = false;
        eth_look_at_links(network);
    }
}

START_TEST(any_one_cable_may_be_cut_where_routes_are_switched)
{
    all_reach_each_other(ETH_SWITCH);
}
END_TEST

START_TEST(any_one_cable_may_be_cut_where_frames_go_both_ways)
{
    all_reach_each_other(ETH_SEAMLESS);
}
END_TEST

START_TEST(numbers_show_what_is_missing_what_comes_late_and_what_comes_twice)
{
    struct eth_numbers numbers = {0};
    const struct {
        uint32_t number;
        int32_t missing;
        bool twice;
    } story[] = {{UINT32_MAX - 1, 0, false}, // where it begins, nothing is missing
                 {UINT32_MAX, 0, false},
                 {3, 3, false},
                 {1, -1, false},
                 {1, 0, true},
                 {0, -1, false},
                 {4, 0, false},
                 {1000, 995, false},
                 {5, 0, false}, // too late to tell
                 {1001, 0, false}};
    for (unsigned i = 0; i < sizeof story / sizeof story[0]; i++) {
        bool twice;
        ck_assert_int_eq(eth_missing(&numbers, story[i].number, &twice), story[i].missing);
        ck_assert_int_eq(twice, story[i].twice);
    }
}
END_TEST

static void obey(struct eth_disturbance what)
{
    ck_assert_int_eq(eth_meddle_put(page, &what), STATUS_OK);
    eth_network_advance(network, instant_ns(network->now_ns));
}

static void undo(uint64_t tag)
{
    ck_assert_int_eq(eth_meddle_take(page, tag), STATUS_OK);
    eth_network_advance(network, instant_ns(network->now_ns));
}

// From the PC by hub-n1, n1-n2 and n2-n3: five frames are lost on the second.
START_TEST(holes_are_counted_behind_the_cable_that_made_them_and_nowhere_else)
{
    build((enum eth_redundancy)_i, 10000, 10000);
    const uint32_t cable = (uint32_t)eth_meddle_cable(page, "n1-n2");
    const unsigned far = network->plan->cable[cable].end[1];
    eth_network_advance(network, instant_ns(1000000));
    for (unsigned n = 0; n < 30; n++) {
        if (n == 10)
            obey((struct eth_disturbance){.kind = ETH_DISTURB_LOSE,
                                          .cable = cable,
                                          .host = 0,
                                          .share_ppm = 1000000,
                                          .tag = 7});
        if (n == 15) // before a switched link would be given up
            undo(7);
        send(0, 3, 30, network->now_ns);
        eth_network_advance(network, instant_ns(network->now_ns + 1000000));
    }
    for (unsigned p = 0; p < ETH_PORTS_MAX; p++)
        ck_assert_uint_eq(eth_network_counts(network, p)->holes, p == far ? 5 : 0);
}
END_TEST

START_TEST(a_cable_that_was_cut_twice_is_whole_when_both_are_undone)
{
    build(ETH_SWITCH, 10000, 10000);
    const struct eth_port_counts *port = eth_network_counts(network, 2);
    struct eth_disturbance what = {.kind = ETH_DISTURB_CUT, .cable = 1, .host = ETH_ANY, .tag = 7};
    ck_assert_uint_eq(network->plan->cable[1].end[1], 2);
    obey(what);
    what.tag = 8;
    obey(what);
    undo(7);
    ck_assert_uint_eq(port->works, 0);
    what.tag = 9;
    what.kind = ETH_DISTURB_FLAP;
    what.delay_ns = 1000000;
    obey(what);
    undo(8);
    ck_assert_uint_eq(port->works, 0);
    undo(9);
    ck_assert_uint_eq(port->works, 1);
}
END_TEST

// The payload of what a host gets next, or -1: nothing.
static int first_byte(unsigned host)
{
    struct eth_ring *ring = &page->host[host].socket[0].receive;
    const struct eth_frame *frame = eth_ring_peek(ring);
    if (frame == NULL)
        return -1;
    const int byte = frame->bytes[ETH_HEADER_B];
    eth_ring_drop(ring);
    return byte;
}

static void say(unsigned from, unsigned to, size_t payload_B, uint8_t byte)
{
    struct eth_ring *ring = &page->host[from].socket[0].transmit;
    const uint64_t at = atomic_load(&ring->head);
    send(from, to, payload_B, network->now_ns);
    ring->slot[at % ETH_RING_SLOTS].bytes[ETH_HEADER_B] = byte; // before the network takes it
    eth_network_advance(network, instant_ns(network->now_ns + 1000000));
}

START_TEST(frames_that_are_stuck_repeat_the_first_to_their_receiver)
{
    build((enum eth_redundancy)_i, 10000, 10000);
    eth_network_advance(network, instant_ns(1000000));
    const struct eth_disturbance what = {
        .kind = ETH_DISTURB_STICK, .cable = ETH_ANY, .host = 0, .share_ppm = 1000000, .tag = 7};
    struct eth_disturbance_count count;
    obey(what);
    say(0, 3, 30, 10);
    say(0, 4, 30, 20);
    ck_assert(eth_meddle_count(page, 7, &count) && count.hit == 0); // they are the first
    say(0, 3, 30, 11);
    ck_assert(eth_meddle_count(page, 7, &count) && count.hit > 0);
    say(0, 4, 30, 21);
    say(0, 3, 40, 12); // another message
    say(5, 3, 30, 13); // somebody else's
    ck_assert_int_eq(first_byte(3), 10);
    ck_assert_int_eq(first_byte(3), 10);
    ck_assert_int_eq(first_byte(3), 12);
    ck_assert_int_eq(first_byte(3), 13);
    ck_assert_int_eq(first_byte(4), 20);
    ck_assert_int_eq(first_byte(4), 20);
    struct eth_disturbance second = what; // of what is stuck already
    second.tag = 8;
    obey(second);
    say(0, 3, 30, 13);
    ck_assert_int_eq(first_byte(3), 10);
    ck_assert(eth_meddle_count(page, 8, &count) && count.hit > 0);
    undo(8);
    undo(7);
    say(0, 3, 30, 14);
    ck_assert_int_eq(first_byte(3), 14);
    obey(what);
    say(0, 3, 30, 15); // what was kept is forgotten
    ck_assert_int_eq(first_byte(3), 15);
}
END_TEST

// However wrong the wiring and whatever is cut, a frame is gone after two rounds of two rings.
START_TEST(no_frame_runs_for_ever)
{
    struct random_stream random;
    build((enum eth_redundancy)_i, 10000, 10000);
    random_start(&random, 1, "wiring");
    for (unsigned round = 0; round < 300; round++) {
        for (unsigned c = 0; c < network->plan->cable_count; c++)
            network->cut[c] = random_bits(&random) % 8 == 0;
        for (unsigned swaps = 0; swaps < round % 4; swaps++) {
            const unsigned a = (unsigned)(random_bits(&random) % ETH_PORTS_MAX),
                           b = (unsigned)(random_bits(&random) % ETH_PORTS_MAX);
            const struct port plug = network->port[a];
            if (network->port[a].link == LINK_ABSENT || network->port[b].link == LINK_ABSENT)
                continue;
            network->port[a].cable = network->port[b].cable;
            network->port[a].end = network->port[b].end;
            network->port[b].cable = plug.cable;
            network->port[b].end = plug.end;
        }
        eth_look_at_links(network);
        const unsigned from = (unsigned)(random_bits(&random) % (NODES + 1)),
                       to = (unsigned)(random_bits(&random) % (NODES + 3));
        crossings = 0;
        send(from, to, 30, network->now_ns);
        eth_network_advance(network, instant_ns(network->now_ns + 3000000));
        ck_assert_uint_le(crossings, 4 * network->plan->cable_count);
        const unsigned before = crossings;
        eth_network_advance(network, instant_ns(network->now_ns + 1000000));
        ck_assert_msg(crossings == before, "round %u: %u to %u still runs", round, from, to);
        for (unsigned h = 0; h <= NODES; h++) {
            int64_t last_ns;
            (void)received(h, &last_ns);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_frame_lasts_as_long_as_its_bits,
                                  a_relay_sends_on_turns_round_once_and_drops_the_rest,
                                  second_copies_are_discarded_also_where_the_numbers_begin_anew,
                                  a_tag_is_that_of_the_standard,
                                  the_last_of_many_commands_comes_when_the_formula_says,
                                  any_one_cable_may_be_cut_where_routes_are_switched,
                                  any_one_cable_may_be_cut_where_frames_go_both_ways,
                                  numbers_show_what_is_missing_what_comes_late_and_what_comes_twice,
                                  a_cable_that_was_cut_twice_is_whole_when_both_are_undone};
    Suite *suite = suite_create("ethernet");
    TCase *group = tcase_create("ethernet");
    tcase_set_timeout(group, 120);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(group, tests[i]);
    tcase_add_loop_test(group, holes_are_counted_behind_the_cable_that_made_them_and_nowhere_else,
                        ETH_NONE, ETH_SEAMLESS + 1);
    tcase_add_loop_test(group, frames_that_are_stuck_repeat_the_first_to_their_receiver, ETH_NONE,
                        ETH_SEAMLESS + 1);
    tcase_add_loop_test(group, no_frame_runs_for_ever, ETH_NONE, ETH_SEAMLESS + 1);
    suite_add_tcase(suite, group);
    return run_suite(suite);
}
