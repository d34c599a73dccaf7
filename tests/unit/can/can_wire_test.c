// can: the protocol on the wire: acknowledgement, error frames and counters, error-passive, bus-off
// and recovery, collisions, CAN FD.
#include "tests/unit/common/unit.h"

#include "can_cell.h"

#include <linux/can/error.h>

#include "base/random.h"
#include "can/bits.h"
#include "can/controller.h"

// ---- CAN FD lengths -----------------------------------------------------------------------------

// The wire bit by bit, as the standard words it: stuff bits inserted after five equal bits, except
// at the end of the data.
struct naive_wire {
    unsigned bits[2], run, last, phase;
};

static void naive_put(struct naive_wire *wire, uint32_t value, unsigned width)
{
    while (width-- > 0) {
        const unsigned bit = value >> width & 1;
        if (wire->run == 5) {
            wire->bits[wire->phase]++;
            wire->last ^= 1;
            wire->run = 1;
        }
        wire->bits[wire->phase]++;
        wire->run = bit == wire->last ? wire->run + 1 : 1;
        wire->last = bit;
    }
}

START_TEST(fd_frames_have_the_length_of_published_worst_and_best_cases)
{
    // Without any dynamic stuff bit a frame of n bytes with an 11-bit identifier takes 1 + 11 + 2 +
    // 2 + 1 nominal bits to the end of BRS and 10 after the CRC, and 1 + 4 + 8 n + 27 (n <= 16) or
    // 32 bits in between.
    struct canfd_frame frame = {.can_id = 0x555, .len = 64, .flags = CANFD_FDF | CANFD_BRS};
    memset(frame.data, 0x55, sizeof frame.data);
    struct can_length length = can_fd_frame_length(&frame);
    ck_assert_uint_eq(length.nominal_bits, 17 + 10);
    ck_assert_uint_eq(length.data_bits, 1 + 4 + 512 + 32);
    frame.len = 16;
    ck_assert_uint_eq(can_fd_frame_length(&frame).data_bits, 1 + 4 + 128 + 27);
    frame.flags = CANFD_FDF; // no bitrate switch: all at the nominal bitrate
    length = can_fd_frame_length(&frame);
    ck_assert_uint_eq(length.data_bits, 0);
    ck_assert_uint_eq(length.nominal_bits, 17 + 10 + 1 + 4 + 128 + 27);
    // All zeros: the longest runs. 5 + 5 ... : a stuff bit after each fourth bit once a run is
    // going.
    frame = (struct canfd_frame){.can_id = 0, .len = 8, .flags = CANFD_FDF};
    struct naive_wire wire = {.last = 1};
    naive_put(&wire, 0, 14); // SOF, identifier, RRS, IDE
    naive_put(&wire, 8, 4);  // FDF, res, BRS, ESI
    naive_put(&wire, 8, 4);
    for (int i = 0; i < 8; i++)
        naive_put(&wire, 0, 8);
    ck_assert_uint_eq(can_fd_frame_length(&frame).nominal_bits, wire.bits[0] + 27 + 10);
}
END_TEST

START_TEST(ten_thousand_random_fd_frames_are_as_long_as_the_wire_makes_them)
{
    struct random_stream stream;
    random_start(&stream, 2, "fd-frames");
    for (int i = 0; i < 10000; i++) {
        static const uint8_t lengths[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64};
        const uint64_t bits = random_bits(&stream);
        const unsigned code = bits & 15, fast = bits >> 4 & 1;
        struct canfd_frame frame = {.can_id = (bits >> 8) & CAN_SFF_MASK,
                                    .len = lengths[code],
                                    .flags = (uint8_t)(CANFD_FDF | (fast ? CANFD_BRS : 0))};
        for (unsigned b = 0; b < frame.len; b++) {
            const uint64_t more = random_bits(&stream);
            frame.data[b] = more & 1 ? (more & 2 ? 0xFF : 0) : (uint8_t)(more >> 8);
        }
        struct naive_wire wire = {.last = 1};
        naive_put(&wire, 0, 1);
        naive_put(&wire, frame.can_id, 11);
        naive_put(&wire, 0, 2);
        naive_put(&wire, 4 | fast, 3);
        wire.phase = fast;
        naive_put(&wire, 0, 1);
        naive_put(&wire, code, 4);
        for (unsigned b = 0; b < frame.len; b++)
            naive_put(&wire, frame.data[b], 8);
        wire.bits[wire.phase] += frame.len <= 16 ? 27 : 32;
        wire.bits[0] += 10;
        const struct can_length length = can_fd_frame_length(&frame);
        ck_assert_uint_eq(length.nominal_bits, wire.bits[0]);
        ck_assert_uint_eq(length.data_bits, wire.bits[1]);
    }
}
END_TEST

START_TEST(an_fd_frame_takes_its_bits_at_two_bitrates)
{
    struct can_bus *bus = new_bus_at((struct can_bitrates){500000, 4000000});
    struct can_port *host = open_host();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    const unsigned node = add_node(bus);
    struct canfd_frame frame = {.can_id = 0x555, .len = 48, .flags = CANFD_BRS};
    memset(frame.data, 0x55, sizeof frame.data);
    ck_assert_int_eq(can_bus_send_fd(bus, node, &frame, instant_ns(0)),
                     STATUS_OK); // not marked as FD: classical, cut to 8
    ck_assert_int_eq(can_send_fd(host, &frame, instant_s(1)), STATUS_OK);
    can_bus_advance(bus, instant_s(2));
    ck_assert_uint_eq(log.count, 2);
    ck_assert_int_eq(log.frame[1].time.ns,
                     1000000000 + (17 + 10) * 2000 + (1 + 4 + 384 + 32) * 250);
    ck_assert_uint_eq(log.frame[1].fd.len, 48);
    can_close(host);
    end_bus(bus);
}
END_TEST

// ---- errors -------------------------------------------------------------------------------------

START_TEST(a_lone_node_repeats_its_frame_becomes_passive_and_never_bus_off)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    const struct can_frame frame = {.can_id = 0x14, .can_dlc = 1, .data = {1}}; // 55 bits
    ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
    can_bus_advance(bus, instant_ns(100000));
    // 55 - 8 bits to the acknowledge slot, 6 + 8 of the error frame; the next attempt 3 bits later.
    ck_assert_uint_eq(log.count, 1);
    ck_assert(log.failed[0]);
    ck_assert_int_eq(log.frame[0].time.ns, 61000);
    can_bus_advance(bus, instant_ns(50000000));
    ck_assert_int_eq(log.frame[1].time.ns - log.frame[0].time.ns, 64000);
    ck_assert_int_eq(log.frame[40].time.ns - log.frame[39].time.ns, 72000); // passive: 8 bits more
    ck_assert_uint_gt(log.count, 500);
    ck_assert_uint_eq(node_report("host").transmit_errors, 128);
    ck_assert_uint_eq(node_report("host").state, CAN_PASSIVE);
    struct can_health health;
    can_health(host, &health);
    ck_assert_uint_eq(health.state, CAN_PASSIVE);
    // Somebody comes who acknowledges.
    (void)add_node(bus);
    can_bus_advance(bus, instant_ns(51000000));
    ck_assert(!log.failed[log.count - 1]);
    ck_assert_uint_eq(node_report("host").transmit_errors, 127);
    ck_assert_uint_eq(node_report("host").state, CAN_WARNING);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(a_node_whose_frames_are_corrupted_goes_bus_off_and_recovers_after_128_times_11_bits)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    const unsigned board = add_node(bus);
    const unsigned slot =
        disturb((struct can_disturbance){.kind = CAN_DISTURB_CORRUPT, .node = 4, .seed = 1});
    const struct can_frame frame = data_frame(0x60, 8, 0x11);
    ck_assert_int_eq(can_bus_send(bus, board, &frame, instant_ns(0)), STATUS_OK);
    for (int64_t t_ns = 0; node_report("board").state != CAN_OFF; t_ns += 10000)
        can_bus_advance(bus, instant_ns(t_ns));
    ck_assert_uint_eq(log.count, 32); // 32 times 8 is more than 255
    const struct can_node_report off = node_report("board");
    ck_assert_uint_eq(off.state, CAN_OFF);
    ck_assert_uint_eq(off.times_off, 1);
    ck_assert_uint_eq(off.failed, 32);
    ck_assert_uint_eq(node_report("host").receive_errors, 32);
    struct can_stamped got;
    ck_assert_int_eq(can_receive(host, &got), STATUS_EMPTY);
    calm(slot);
    // On the idle bus it is back after 128 times 11 bits, with its counters at 0, and sends the
    // frame.
    const int64_t silent_from_ns = log.frame[31].time.ns + 3000;
    can_bus_advance(bus, instant_ns(silent_from_ns + 128 * 11 * 1000 - 1));
    ck_assert_uint_eq(node_report("board").state, CAN_OFF);
    can_bus_advance(bus, instant_ns(10000000));
    ck_assert_uint_eq(log.count, 33);
    ck_assert(!log.failed[32]);
    ck_assert_int_eq(log.frame[32].time.ns,
                     silent_from_ns + 128 * 11 * 1000 + 1000 * (int64_t)can_frame_bits(&frame));
    ck_assert_uint_eq(node_report("board").transmit_errors, 0);
    ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(other_traffic_counts_towards_recovery)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    (void)add_node(bus);
    unsigned second;
    ck_assert_int_eq(can_bus_add_node(bus, "second", &second), STATUS_OK);
    (void)disturb((struct can_disturbance){.kind = CAN_DISTURB_BUS_OFF, .node = 4 + second});
    // Frames back to back: each ends with 11 recessive bits, so it takes 128 frames.
    const struct can_frame frame = data_frame(0x01, 8, 0x55);
    for (int i = 0; i < 127; i++)
        ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
    const int64_t length_ns = 1000 * ((int64_t)can_frame_bits(&frame) + 3);
    can_bus_advance(bus, instant_ns(127 * length_ns));
    ck_assert_uint_eq(node_report("second").state, CAN_OFF);
    ck_assert_int_eq(can_send(host, &frame, instant_ns(127 * length_ns)), STATUS_OK);
    can_bus_advance(bus, instant_ns(128 * length_ns));
    ck_assert_uint_eq(node_report("second").state, CAN_ACTIVE);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(an_error_frame_costs_its_bits_and_the_frame_is_sent_again)
{
    struct can_bus *bus = new_bus();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    const unsigned a = add_node(bus);
    (void)add_node(bus);
    (void)disturb((struct can_disturbance){
        .kind = CAN_DISTURB_CORRUPT, .node = CAN_DISTURB_ANY_NODE, .share_ppm = 80000, .seed = 5});
    const struct can_frame frame = data_frame(0x60, 8, 0x11);
    unsigned sent = 0, failed = 0;
    const int64_t whole_ns = 1000 * (int64_t)can_frame_bits(&frame);
    for (int i = 0; i < 200; i++) {
        log.count = 0;
        ck_assert_int_eq(can_bus_send(bus, a, &frame, instant_ns(i * 2000000LL)), STATUS_OK);
        can_bus_advance(bus, instant_ns(i * 2000000LL + 1999999));
        int64_t start_ns = i * 2000000LL;
        for (unsigned f = 0; f < log.count; f++) {
            const int64_t took_ns = log.frame[f].time.ns - start_ns;
            if (log.failed[f]) { // somewhere after the arbitration field and before the CRC
                                 // delimiter, then 6 + 6 + 8 bits
                ck_assert_int_ge(took_ns, (34 + 20) * 1000);
                ck_assert_int_le(took_ns, whole_ns + (20 - 10) * 1000);
                failed++;
            } else {
                ck_assert_int_eq(took_ns, whole_ns);
                sent++;
            }
            start_ns = log.frame[f].time.ns + 3000;
        }
        ck_assert(log.count > 0 && !log.failed[log.count - 1]);
    }
    ck_assert_uint_eq(sent, 200); // each in the end
    ck_assert_uint_gt(failed, 5); // about 17; more, and the sender would become error-passive
    ck_assert_uint_lt(failed, 40);
    end_bus(bus);
}
END_TEST

START_TEST(the_same_identifier_with_other_data_collides)
{
    struct can_bus *bus = new_bus();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    const unsigned a = add_node(bus), b = add_node(bus);
    struct can_frame first = data_frame(0x60, 2, 0x11), second = data_frame(0x60, 2, 0x11);
    ck_assert_int_eq(can_bus_send(bus, a, &first, instant_ns(0)), STATUS_OK);
    ck_assert_int_eq(can_bus_send(bus, b, &second, instant_ns(0)), STATUS_OK);
    can_bus_advance(bus, instant_ns(1000000));
    ck_assert_uint_eq(log.count,
                      1); // the same to the last bit: sent together, without anybody noticing; but
                          // nobody is left to acknowledge
    second.data[1] = 0x22;
    ck_assert_int_eq(can_bus_send(bus, a, &first, instant_ns(2000000)), STATUS_OK);
    ck_assert_int_eq(can_bus_send(bus, b, &second, instant_ns(2000000)), STATUS_OK);
    can_bus_advance(bus, instant_ns(2500000));
    ck_assert_uint_gt(log.count, 2);
    ck_assert(log.failed[1] && log.failed[2]);
    end_bus(bus);
}
END_TEST

START_TEST(hosts_are_told_of_errors_as_the_kernel_tells_them)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host(), *deaf;
    ck_assert_int_eq(can_open("can0", "deaf", &deaf), STATUS_OK);
    const unsigned board = add_node(bus);
    const struct can_filter nothing = {.can_id = 0x7FF, .can_mask = CAN_SFF_MASK};
    ck_assert_int_eq(
        can_listen(host, &nothing, 1,
                   CAN_ERR_BUSERROR | CAN_ERR_CRTL | CAN_ERR_BUSOFF | CAN_ERR_RESTARTED),
        STATUS_OK);
    const unsigned slot =
        disturb((struct can_disturbance){.kind = CAN_DISTURB_CORRUPT, .node = 4, .seed = 1});
    const struct can_frame frame = data_frame(0x60, 8, 0x11);
    ck_assert_int_eq(can_bus_send(bus, board, &frame, instant_ns(0)), STATUS_OK);
    can_bus_advance(bus, instant_ns(100000));
    struct can_stamped got;
    ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
    ck_assert_uint_eq(got.frame.can_id, CAN_ERR_FLAG | CAN_ERR_PROT | CAN_ERR_BUSERROR);
    ck_assert_uint_eq(got.frame.data[7], 1); // its own receive errors
    ck_assert_int_eq(can_receive(deaf, &got), STATUS_EMPTY);
    calm(slot);
    can_bus_advance(bus, instant_ns(400000));
    while (can_receive(host, &got) ==
           STATUS_OK) // the frame is filtered; a retry under way when calm came failed too
        ck_assert(got.frame.can_id & CAN_ERR_FLAG);
    ck_assert_int_eq(can_receive(deaf, &got), STATUS_OK);
    ck_assert_uint_eq(got.frame.can_id, 0x60);
    // The host's own node goes bus-off and comes back.
    (void)disturb((struct can_disturbance){.kind = CAN_DISTURB_BUS_OFF, .node = 0});
    can_bus_advance(bus, instant_ns(500000));
    ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
    ck_assert_uint_eq(got.frame.can_id, CAN_ERR_FLAG | CAN_ERR_BUSOFF);
    can_bus_advance(bus, instant_ns(5000000));
    ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
    ck_assert_uint_eq(got.frame.can_id, CAN_ERR_FLAG | CAN_ERR_RESTARTED);
    can_close(host);
    can_close(deaf);
    end_bus(bus);
}
END_TEST

START_TEST(filters_work_as_in_the_kernel)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    const unsigned board = add_node(bus);
    const struct can_filter filters[] = {{.can_id = 0x60, .can_mask = 0x7F0},
                                         {.can_id = 0x100 | CAN_INV_FILTER, .can_mask = 0x700}};
    struct can_stamped got;
    static const uint32_t sent[] = {0x60, 0x6F, 0x150, 0x250}, wanted[] = {0x60, 0x6F, 0x250};
    ck_assert_int_eq(can_listen(host, filters, 2, 0), STATUS_OK);
    for (unsigned i = 0; i < 4; i++) {
        const struct can_frame frame = data_frame(sent[i], 1, 0);
        ck_assert_int_eq(can_bus_send(bus, board, &frame, instant_ns(0)), STATUS_OK);
    }
    can_bus_advance(bus, instant_ns(1000000));
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
        ck_assert_uint_eq(got.frame.can_id, wanted[i]);
    }
    ck_assert_int_eq(can_receive(host, &got), STATUS_EMPTY);
    struct can_filter many[CAN_FILTERS_MAX + 1] = {{0}};
    ck_assert_int_eq(can_listen(host, many, CAN_FILTERS_MAX + 1, 0), STATUS_INVALID);
    can_close(host);
    end_bus(bus);
}
END_TEST

CAN_UNIT_MAIN("can-wire", fd_frames_have_the_length_of_published_worst_and_best_cases,
              ten_thousand_random_fd_frames_are_as_long_as_the_wire_makes_them,
              an_fd_frame_takes_its_bits_at_two_bitrates,
              a_lone_node_repeats_its_frame_becomes_passive_and_never_bus_off,
              a_node_whose_frames_are_corrupted_goes_bus_off_and_recovers_after_128_times_11_bits,
              other_traffic_counts_towards_recovery,
              an_error_frame_costs_its_bits_and_the_frame_is_sent_again,
              the_same_identifier_with_other_data_collides,
              hosts_are_told_of_errors_as_the_kernel_tells_them, filters_work_as_in_the_kernel)
