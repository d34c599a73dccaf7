// can: every disturbance does what it says, counts what it did, and leaves no trace when it is
// taken out.
#include "tests/unit/common/unit.h"

#include "can/page.h"
#include "can_cell.h"

#define HOST 0 // node numbers on the bus
#define BOARD 4

static struct can_bus *bus;
static struct can_port *host;
static struct log heard;
static unsigned board;

static void start(void)
{
    bus = new_bus();
    host = open_host();
    board = add_node(bus);
    (void)add_node(bus); // somebody who always acknowledges
    heard.count = 0;
    can_bus_listen(bus, record, &heard);
}

static void stop(void)
{
    can_close(host);
    end_bus(bus);
}

static struct can_disturbance_count count_of(unsigned slot)
{
    struct can_page *page;
    ck_assert_int_eq(can_meddle_open(cell, "can0", &page), STATUS_OK);
    const struct can_disturbance_count count = can_meddle_count(page, slot);
    can_meddle_close(page);
    return count;
}

// The board sends `count` frames with identifier `id`, a millisecond apart from t on; the frames
// the host gets are counted, and the last one is left in *last.
static unsigned transmit(uint32_t id, unsigned count, int64_t *t_ns, struct can_stamped *last)
{
    unsigned received = 0;
    struct can_stamped got;
    for (unsigned i = 0; i < count; i++) {
        struct can_frame frame = {.can_id = id, .can_dlc = 8};
        frame.data[0] = (uint8_t)i;
        ck_assert_int_eq(can_bus_send(bus, board, &frame, instant_ns(*t_ns)), STATUS_OK);
        *t_ns += 1000000;
        can_bus_advance(bus, instant_ns(*t_ns));
        while (can_receive(host, &got) == STATUS_OK) {
            received++;
            *last = got;
        }
    }
    return received;
}

START_TEST(loss_takes_its_share_in_bursts_of_those_it_concerns)
{
    start();
    int64_t t_ns = 0;
    struct can_stamped last;
    unsigned slot = disturb((struct can_disturbance){.kind = CAN_DISTURB_LOSE,
                                                     .node = CAN_DISTURB_ANY_NODE,
                                                     .id = 0x60,
                                                     .id_mask = 0x7FF,
                                                     .share_ppm = 100000,
                                                     .burst = 3,
                                                     .seed = 7});
    const unsigned received = transmit(0x60, 1000, &t_ns, &last);
    const struct can_disturbance_count count = count_of(slot);
    ck_assert_uint_eq(count.matched, 1000);
    ck_assert_uint_eq(received, 1000 - count.hit);
    ck_assert_uint_gt(count.hit, 150); // 0.1 * 3 / (1 + 0.1 * 2): a quarter
    ck_assert_uint_lt(count.hit, 350);
    ck_assert_uint_eq(heard.count, 1000); // they cost their time all the same
    ck_assert_uint_eq(node_report("host").lost, count.hit);
    ck_assert_uint_eq(transmit(0x61, 100, &t_ns, &last), 100);
    calm(slot);
    ck_assert_uint_eq(transmit(0x60, 100, &t_ns, &last), 100);
    ck_assert_uint_eq(count_of(slot).hit, count.hit);
    stop();
}
END_TEST

START_TEST(payloads_identifiers_and_copies_are_changed_before_the_checksum)
{
    start();
    int64_t t_ns = 0;
    struct can_stamped last;
    unsigned slot = disturb((struct can_disturbance){.kind = CAN_DISTURB_OFFSET,
                                                     .node = BOARD,
                                                     .id = 0x60,
                                                     .id_mask = 0x7FF,
                                                     .first_B = 0,
                                                     .width_B = 4,
                                                     .value = -2});
    ck_assert_uint_eq(transmit(0x60, 4, &t_ns, &last), 4);
    ck_assert_mem_eq(last.frame.data, "\1\0\0\0", 4); // 3 - 2
    calm(slot);
    slot = disturb((struct can_disturbance){
        .kind = CAN_DISTURB_PAYLOAD, .node = BOARD, .first_B = 1, .width_B = 1, .value = 0x80});
    ck_assert_uint_eq(transmit(0x60, 4, &t_ns, &last), 4);
    ck_assert_mem_eq(last.frame.data, "\3\x80\0\0", 4);
    calm(slot);
    slot = disturb((struct can_disturbance){
        .kind = CAN_DISTURB_DRIFT, .node = BOARD, .first_B = 0, .width_B = 2, .value = -1});
    ck_assert_uint_eq(transmit(0x60, 4, &t_ns, &last), 4);
    ck_assert_mem_eq(last.frame.data, "\xff\xff\0\0", 4); // 3 - 4, the fourth one
    calm(slot);
    slot = disturb((struct can_disturbance){
        .kind = CAN_DISTURB_SET, .node = BOARD, .first_B = 0, .width_B = 2, .value = 0x7fff});
    ck_assert_uint_eq(transmit(0x60, 4, &t_ns, &last), 4);
    ck_assert_mem_eq(last.frame.data, "\xff\x7f\0\0", 4);
    calm(slot);
    slot = disturb((struct can_disturbance){
        .kind = CAN_DISTURB_EXCHANGE, .node = BOARD, .first_B = 0, .width_B = 2});
    ck_assert_uint_eq(transmit(0x60, 4, &t_ns, &last), 4);
    ck_assert_mem_eq(last.frame.data, "\0\0\3\0", 4);
    calm(slot);
    slot = disturb((struct can_disturbance){
        .kind = CAN_DISTURB_STICK, .node = BOARD, .id = 0x60, .id_mask = 0x7FF});
    ck_assert_uint_eq(transmit(0x60, 4, &t_ns, &last), 4);
    ck_assert_mem_eq(last.frame.data, "\0\0\0\0", 4);
    calm(slot);
    slot = disturb(
        (struct can_disturbance){.kind = CAN_DISTURB_RENAME, .node = BOARD, .other_id = 0x83});
    ck_assert_uint_eq(transmit(0x60, 4, &t_ns, &last), 4);
    ck_assert_uint_eq(last.frame.can_id, 0x83);
    calm(slot);
    slot = disturb((struct can_disturbance){.kind = CAN_DISTURB_DUPLICATE, .node = BOARD});
    ck_assert_uint_eq(transmit(0x60, 4, &t_ns, &last), 8);
    calm(slot);
    ck_assert_uint_eq(transmit(0x60, 4, &t_ns, &last), 4);
    ck_assert_uint_eq(last.frame.can_id, 0x60);
    ck_assert_mem_eq(last.frame.data, "\3\0\0\0", 4);
    stop();
}
END_TEST

START_TEST(delay_and_reordering_let_others_pass)
{
    start();
    int64_t t_ns = 0;
    struct can_stamped last;
    unsigned slot = disturb((struct can_disturbance){.kind = CAN_DISTURB_DELAY,
                                                     .node = BOARD,
                                                     .id = 0x60,
                                                     .id_mask = 0x7FF,
                                                     .delay_ns = 500000});
    ck_assert_uint_eq(transmit(0x60, 1, &t_ns, &last), 1);
    ck_assert_int_ge(last.time.ns, 500000);
    const struct can_frame delayed = data_frame(0x60, 1, 0), other = data_frame(0x300, 1, 0);
    heard.count = 0;
    ck_assert_int_eq(can_bus_send(bus, board, &delayed, instant_ns(t_ns)), STATUS_OK);
    ck_assert_int_eq(can_bus_send(bus, board, &other, instant_ns(t_ns)), STATUS_OK);
    t_ns += 1000000;
    can_bus_advance(bus, instant_ns(t_ns));
    ck_assert_uint_eq(heard.count, 2);
    ck_assert_uint_eq(heard.frame[0].frame.can_id, 0x300);
    calm(slot);
    slot = disturb((struct can_disturbance){
        .kind = CAN_DISTURB_REORDER, .node = BOARD, .delay_ns = 900000, .seed = 3});
    unsigned overtaken = 0;
    for (int round = 0; round < 20; round++) {
        heard.count = 0;
        for (unsigned i = 0; i < 4; i++) {
            const struct can_frame frame = data_frame(0x100 + i, 1, 0);
            ck_assert_int_eq(can_bus_send(bus, board, &frame, instant_ns(t_ns)), STATUS_OK);
        }
        t_ns += 2000000;
        can_bus_advance(bus, instant_ns(t_ns));
        ck_assert_uint_eq(heard.count, 4);
        for (unsigned i = 1; i < 4; i++)
            overtaken += heard.frame[i].frame.can_id < heard.frame[i - 1].frame.can_id;
    }
    ck_assert_uint_gt(overtaken, 10);
    ck_assert_uint_eq(count_of(slot).hit, 80);
    stop();
}
END_TEST

START_TEST(a_muted_board_is_neither_heard_nor_does_it_hear_and_a_reset_one_starts_anew)
{
    start();
    int64_t t_ns = 0;
    struct can_stamped last;
    const unsigned slot =
        disturb((struct can_disturbance){.kind = CAN_DISTURB_MUTE, .node = BOARD});
    ck_assert_uint_eq(transmit(0x60, 5, &t_ns, &last), 0);
    ck_assert_uint_eq(heard.count, 0);
    ck_assert_uint_eq(count_of(slot).hit, 5); // what it would have said
    const struct can_frame request = data_frame(0x01, 3, 0);
    ck_assert_int_eq(can_send(host, &request, instant_ns(t_ns)), STATUS_OK);
    can_bus_advance(bus, instant_ns(t_ns + 500000));
    ck_assert_uint_eq(heard.heard[0], 2); // the other one only
    ck_assert_uint_eq(count_of(slot).hit, 6);
    calm(slot);
    t_ns += 1000000;
    ck_assert_uint_eq(transmit(0x60, 5, &t_ns, &last), 5);
    stop();
}
END_TEST

static unsigned resets;
static void count_reset(void *context, unsigned node, instant t)
{
    (void)context, (void)t;
    ck_assert_uint_eq(node, 0);
    resets++;
}

START_TEST(a_reset_empties_the_node_once)
{
    start();
    resets = 0;
    can_bus_on_reset(bus, count_reset, NULL);
    const struct can_frame frame = data_frame(0x60, 1, 0);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(can_bus_send(bus, board, &frame, instant_ns(0)), STATUS_OK);
    const unsigned slot =
        disturb((struct can_disturbance){.kind = CAN_DISTURB_RESET, .node = BOARD});
    can_bus_advance(bus, instant_ns(1000000));
    can_bus_advance(bus, instant_ns(2000000));
    ck_assert_uint_eq(resets, 1);
    ck_assert_uint_eq(heard.count, 0);
    ck_assert_uint_eq(count_of(slot).hit, 1);
    calm(slot);
    stop();
}
END_TEST

START_TEST(a_cut_separates_hosts_from_boards_until_it_is_mended)
{
    start();
    int64_t t_ns = 0;
    struct can_stamped last;
    const unsigned slot =
        disturb((struct can_disturbance){.kind = CAN_DISTURB_CUT, .node = CAN_DISTURB_ANY_NODE});
    ck_assert_uint_eq(transmit(0x60, 3, &t_ns, &last), 0);
    ck_assert_uint_eq(heard.count, 3); // among themselves the boards go on
    const struct can_frame request = data_frame(0x01, 3, 0);
    ck_assert_int_eq(can_send(host, &request, instant_ns(t_ns)), STATUS_OK);
    can_bus_advance(bus, instant_ns(t_ns += 5000000));
    ck_assert(heard.failed[heard.count - 1]); // nobody acknowledges
    ck_assert_uint_eq(node_report("host").state, CAN_PASSIVE);
    calm(slot);
    can_bus_advance(bus, instant_ns(t_ns += 1000000));
    ck_assert(!heard.failed[heard.count - 1]);
    ck_assert_uint_eq(heard.frame[heard.count - 1].frame.can_id, 0x01);
    ck_assert_uint_eq(transmit(0x60, 3, &t_ns, &last), 3);
    stop();
}
END_TEST

START_TEST(a_flood_of_high_priority_starves_everybody_and_one_of_low_priority_nobody)
{
    start();
    int64_t t_ns = 0;
    struct can_stamped last;
    unsigned slot = disturb((struct can_disturbance){
        .kind = CAN_DISTURB_FLOOD, .node = CAN_DISTURB_ANY_NODE, .other_id = 0});
    ck_assert_uint_gt(transmit(0x60, 1, &t_ns, &last), 5); // the flood itself
    ck_assert_uint_eq(last.frame.can_id, 0);
    ck_assert_int_gt(can_bus_load(bus).busy.ns, 990000); // of 1 ms
    calm(slot);
    t_ns += 2000000;
    can_bus_advance(bus, instant_ns(t_ns));
    ck_assert_uint_eq(heard.frame[heard.count - 1].frame.can_id, 0x60); // its turn at last
    slot = disturb((struct can_disturbance){.kind = CAN_DISTURB_FLOOD,
                                            .node = CAN_DISTURB_ANY_NODE,
                                            .other_id = 0x7FF,
                                            .delay_ns = 200000});
    heard.count = 0;
    (void)transmit(0x60, 10, &t_ns, &last);
    unsigned own = 0;
    for (unsigned i = 0; i < heard.count; i++)
        own += heard.sender[i] == (int)board;
    ck_assert_uint_eq(own, 10);
    ck_assert_uint_ge(heard.count, 10 + 49);
    ck_assert_uint_eq(count_of(slot).hit, heard.count - own);
    ck_assert_uint_eq(count_of(slot).matched, heard.count - own + 1); // one is on offer
    calm(slot);
    stop();
}
END_TEST

START_TEST(what_a_stranger_offers_beyond_what_the_bus_takes_is_dropped_and_counted)
{
    start();
    int64_t t_ns = 0;
    struct can_stamped last;
    const unsigned slot = disturb((struct can_disturbance){.kind = CAN_DISTURB_FLOOD,
                                                           .node = CAN_DISTURB_ANY_NODE,
                                                           .other_id = 0x7FF,
                                                           .delay_ns = 50000}); // twice as much
    (void)transmit(0x60, 100, &t_ns, &last);
    const struct can_disturbance_count count = count_of(slot);
    const uint64_t dropped = node_report("outside").lost;
    ck_assert_uint_eq(count.hit, heard.count - 100 + 1); // one is on the wire
    ck_assert_uint_gt(dropped, count.hit / 2);
    ck_assert_uint_eq(count.matched, count.hit + dropped + (count.matched > count.hit + dropped));
    ck_assert_int_le(llabs((int64_t)(count.hit + dropped) - 2000), CAN_BUS_QUEUE_MAX + 2);
    calm(slot);
    can_bus_advance(bus, instant_ns(t_ns += 10000000));
    ck_assert_uint_eq(heard.count, count.hit + 100); // then it is silent
    ck_assert_uint_eq(node_report("outside").lost, dropped);
    stop();
}
END_TEST

START_TEST(a_spoofed_reply_follows_the_true_one_and_none_follows_its_end)
{
    start();
    int64_t t_ns = 0;
    struct can_stamped last;
    const unsigned slot = disturb((struct can_disturbance){.kind = CAN_DISTURB_SPOOF,
                                                           .node = CAN_DISTURB_ANY_NODE,
                                                           .id = 0x60,
                                                           .id_mask = 0x7FF,
                                                           .width_B = 4,
                                                           .value = 1000,
                                                           .delay_ns = 200000});
    ck_assert_uint_eq(transmit(0x61, 3, &t_ns, &last), 3); // not concerned
    ck_assert_uint_eq(transmit(0x60, 3, &t_ns, &last), 6);
    ck_assert_uint_eq(heard.count, 9);
    for (unsigned i = 3; i < 9; i += 2) {
        const struct can_stamped *reply = &heard.frame[i], *forged = &heard.frame[i + 1];
        ck_assert_int_eq(heard.sender[i], (int)board);
        ck_assert_int_eq(heard.sender[i + 1], CAN_BUS_FROM_STRANGER);
        ck_assert_uint_eq(forged->frame.can_id, 0x60);
        ck_assert_uint_eq(forged->frame.data[0], (reply->frame.data[0] + 1000) & 0xFF);
        ck_assert_uint_eq(forged->frame.data[1], 1000 >> 8);
        ck_assert_int_gt(instant_sub(forged->time, reply->time).ns, 200000);
    }
    ck_assert_uint_eq(count_of(slot).matched, 3);
    ck_assert_uint_eq(count_of(slot).hit, 3);
    const struct can_frame reply = data_frame(0x60, 8, 0);
    ck_assert_int_eq(can_bus_send(bus, board, &reply, instant_ns(t_ns)), STATUS_OK);
    can_bus_advance(bus, instant_ns(t_ns += 200000)); // it has been heard, and not been sent again
    calm(slot);
    can_bus_advance(bus, instant_ns(t_ns += 10000000));
    ck_assert_uint_eq(heard.count, 10);
    ck_assert_uint_eq(count_of(slot).hit, 3);
    stop();
}
END_TEST

START_TEST(what_it_had_hit_when_it_ended_is_the_owners_to_say)
{
    start();
    int64_t t_ns = 0;
    struct can_stamped last;
    struct can_page *page;
    const unsigned slot =
        disturb((struct can_disturbance){.kind = CAN_DISTURB_LOSE, .node = CAN_DISTURB_ANY_NODE});
    (void)transmit(0x60, 5, &t_ns, &last);
    calm(slot);
    ck_assert_uint_eq(count_of(slot).hit_when_taken, 5); // as far as is known at once
    // In real time the owner may hit once more between that look and its noticing.
    ck_assert_int_eq(can_meddle_open(cell, "can0", &page), STATUS_OK);
    atomic_store(&page->disturbance[slot].entry.hit_when_taken, 4);
    can_meddle_close(page);
    (void)transmit(0x60, 5, &t_ns, &last);
    ck_assert_uint_eq(count_of(slot).hit_when_taken, 5);
    ck_assert_uint_eq(count_of(slot).hit, 5);
    stop();
}
END_TEST

START_TEST(what_makes_no_sense_is_refused_and_the_table_is_bounded)
{
    start();
    struct can_page *page;
    unsigned slot;
    ck_assert_int_eq(can_meddle_open(cell, "can0", &page), STATUS_OK);
    const struct can_disturbance bad[] = {
        {.kind = CAN_DISTURB_NONE},
        {.kind = CAN_DISTURBANCE_KINDS},
        {.kind = CAN_DISTURB_MUTE, .node = CAN_DISTURB_ANY_NODE},
        {.kind = CAN_DISTURB_MUTE, .node = CAN_BUS_NODES_TOTAL_MAX},
        {.kind = CAN_DISTURB_RESET, .node = HOST},
        {.kind = CAN_DISTURB_OFFSET, .width_B = 3},
        {.kind = CAN_DISTURB_LOSE, .share_ppm = 1000001},
        {.kind = CAN_DISTURB_DELAY, .delay_ns = -1},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_int_eq(can_meddle_put(page, &bad[i], &slot), STATUS_INVALID);
    const struct can_disturbance good = {.kind = CAN_DISTURB_LOSE};
    for (unsigned i = 0; i < 2; i++) { // what one has done can be asked for while there is room
        ck_assert_int_eq(can_meddle_put(page, &good, &slot), STATUS_OK);
        ck_assert_uint_eq(slot, i);
        ck_assert_int_eq(can_meddle_take(page, slot), STATUS_OK);
    }
    for (unsigned i = 0; i < CAN_DISTURBANCES_MAX; i++)
        ck_assert_int_eq(can_meddle_put(page, &good, &slot), STATUS_OK);
    ck_assert_int_eq(can_meddle_put(page, &good, &slot), STATUS_FULL);
    ck_assert_int_eq(can_meddle_take(page, 3), STATUS_OK);
    ck_assert_int_eq(can_meddle_take(page, 3), STATUS_NOT_FOUND);
    ck_assert_int_eq(can_meddle_put(page, &good, &slot), STATUS_OK);
    ck_assert_uint_eq(slot, 3);
    ck_assert_int_eq(can_meddle_node(page, "nobody"), -1);
    can_meddle_close(page);
    stop();
}
END_TEST

// What the table of kinds says is what is asked of a disturbance, and a fault of the catalogue puts
// it in.
START_TEST(each_kind_asks_for_what_its_row_says_and_has_its_fault)
{
#define KIND_NAME(kind, name, where, change, trace) name,
    static const char *const name[] = {CAN_DISTURBANCE_LIST(KIND_NAME)};
#undef KIND_NAME
    static char faults[1 << 16];
    FILE *file = fopen("faults/can.yaml", "r");
    struct can_page *page;
    unsigned slot;
    ck_assert_ptr_nonnull(file);
    faults[fread(faults, 1, sizeof faults - 1, file)] = '\0';
    (void)fclose(file);
    start();
    ck_assert_int_eq(can_meddle_open(cell, "can0", &page), STATUS_OK);
    for (uint32_t kind = 1; kind < CAN_DISTURBANCE_KINDS; kind++) {
        const struct can_disturbance_traits *traits = &can_disturbance_traits[kind];
        struct can_disturbance what = {.kind = kind, .node = BOARD, .width_B = 3};
        char entry[64];
        const bool number = traits->change != CAN_CHANGE_NOTHING;
        ck_assert_int_eq(can_meddle_put(page, &what, &slot), number ? STATUS_INVALID : STATUS_OK);
        what.width_B = 2;
        what.node = CAN_DISTURB_ANY_NODE;
        const bool named = traits->where == CAN_AT_NODE;
        if (!number)
            ck_assert_int_eq(can_meddle_take(page, slot), STATUS_OK);
        ck_assert_int_eq(can_meddle_put(page, &what, &slot), named ? STATUS_INVALID : STATUS_OK);
        if (!named)
            ck_assert_int_eq(can_meddle_take(page, slot), STATUS_OK);
        snprintf(entry, sizeof entry, "- name: %s\n", name[kind - 1]);
        ck_assert_msg(strstr(faults, entry) != NULL, "no fault %s", name[kind - 1]);
    }
    can_meddle_close(page);
    stop();
}
END_TEST

CAN_UNIT_MAIN("can-disturb", each_kind_asks_for_what_its_row_says_and_has_its_fault,
              loss_takes_its_share_in_bursts_of_those_it_concerns,
              payloads_identifiers_and_copies_are_changed_before_the_checksum,
              delay_and_reordering_let_others_pass,
              a_muted_board_is_neither_heard_nor_does_it_hear_and_a_reset_one_starts_anew,
              a_reset_empties_the_node_once, a_cut_separates_hosts_from_boards_until_it_is_mended,
              a_flood_of_high_priority_starves_everybody_and_one_of_low_priority_nobody,
              what_a_stranger_offers_beyond_what_the_bus_takes_is_dropped_and_counted,
              a_spoofed_reply_follows_the_true_one_and_none_follows_its_end,
              what_it_had_hit_when_it_ended_is_the_owners_to_say,
              what_makes_no_sense_is_refused_and_the_table_is_bounded)
