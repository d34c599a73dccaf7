// can: frame lengths bit by bit, arbitration, timing, rings that survive restarts, and the HUBO2
// cycle's bus load.
#include "tests/unit/common/unit.h"

#include "can_cell.h"

#include "base/random.h"
#include "can/bits.h"
#include "can/bus.h"
#include "can/can.h"
#include "protocol/hubo_frames.h"

// ---- bits ---------------------------------------------------------------------------------------

START_TEST(frames_have_the_length_of_known_frames)
{
    // From an independent model: polynomial long division over bit strings, stuffing by scanning
    // them.
    static const struct {
        struct can_frame frame;
        unsigned bits;
    } known[] = {
        {{.can_id = 0x14, .can_dlc = 1, .data = {1}}, 55},
        {{.can_id = 0x123}, 45},
        {{.can_id = 0x7FF, .can_dlc = 8, .data = {255, 255, 255, 255, 255, 255, 255, 255}}, 123},
        {{.can_id = 0, .can_dlc = 8}, 124},
        {{.can_id = 1, .can_dlc = 3, .data = {0x24, 3, 0}}, 73},
        {{.can_id = 0x60, .can_dlc = 8, .data = {0x10, 0x27, 0, 0, 0xF0, 0xD8, 0xFF, 0xFF}}, 119},
        {{.can_id = 0x555, .can_dlc = 8, .data = {85, 85, 85, 85, 85, 85, 85, 85}}, 109},
        {{.can_id = 0x1E, .can_dlc = 8, .data = {0x3C, 0x1E, 0x0F, 0x87, 0xC3, 0xE1, 0xF0, 0x78}},
         120},
        {{.can_id = 0x1ABCDEF0 | CAN_EFF_FLAG, .can_dlc = 4, .data = {1, 2, 3, 4}}, 103},
        {{.can_id = 0x100 | CAN_RTR_FLAG, .can_dlc = 8}, 46},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ck_assert_uint_eq(can_frame_bits(&known[i].frame), known[i].bits);
    }
}
END_TEST

// The wire bit by bit, as the standard words it.
struct naive_wire {
    unsigned crc, bits, run, last;
};

static void naive_put(struct naive_wire *wire, uint32_t value, unsigned width)
{
    while (width-- > 0) {
        unsigned bit = value >> width & 1, feedback = bit ^ (wire->crc >> 14 & 1);
        wire->crc = (wire->crc << 1 & 0x7FFF) ^ (feedback ? 0x4599 : 0);
        wire->run = bit == wire->last ? wire->run + 1 : 1;
        wire->last = bit;
        wire->bits++;
        if (wire->run == 5) {
            wire->bits++;
            wire->run = 1;
            wire->last = !bit;
        }
    }
}

START_TEST(ten_thousand_random_frames_are_as_long_as_the_wire_makes_them)
{
    struct random_stream stream;
    random_start(&stream, 1, "frames");
    for (int i = 0; i < 10000; i++) {
        uint64_t bits = random_bits(&stream), more = random_bits(&stream);
        struct can_frame frame = {.can_id = bits & CAN_SFF_MASK,
                                  .can_dlc = (uint8_t)((bits >> 11) % 9)};
        memcpy(frame.data, &more, 8);
        for (unsigned b = 0; b < 8; b++) // many long runs
            if (bits >> (20 + b) & 1)
                frame.data[b] = bits >> (30 + b) & 1 ? 0xFF : 0;
        struct naive_wire wire = {.last = 1};
        naive_put(&wire, 0, 1);
        naive_put(&wire, frame.can_id, 11);
        naive_put(&wire, frame.can_dlc, 7);
        for (unsigned b = 0; b < frame.can_dlc; b++)
            naive_put(&wire, frame.data[b], 8);
        naive_put(&wire, wire.crc, 15);
        ck_assert_uint_eq(can_frame_bits(&frame), wire.bits + 10);
    }
}
END_TEST

START_TEST(arbitration_orders_as_the_wire_does)
{
    const struct can_frame low = {.can_id = 0x100}, high = {.can_id = 0x101};
    const struct can_frame remote = {.can_id = 0x100 | CAN_RTR_FLAG};
    const struct can_frame extended = {.can_id = 0x100u << 18 | CAN_EFF_FLAG};
    ck_assert_uint_lt(can_frame_arbitration(&low), can_frame_arbitration(&high));
    ck_assert_uint_lt(can_frame_arbitration(&low), can_frame_arbitration(&remote));
    ck_assert_uint_lt(can_frame_arbitration(&remote), can_frame_arbitration(&extended));
    ck_assert_uint_lt(can_frame_arbitration(&extended), can_frame_arbitration(&high));
}
END_TEST

// ---- bus ----------------------------------------------------------------------------------------

START_TEST(a_frame_ends_after_its_bits)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    (void)add_node(bus); // somebody must acknowledge
    const struct can_frame frame = {.can_id = 0x14, .can_dlc = 1, .data = {1}};
    ck_assert_int_eq(can_send(host, &frame, instant_ns(10000)), STATUS_OK);
    can_bus_advance(bus, instant_ns(10000 + 55000 - 1));
    ck_assert_uint_eq(log.count, 0);
    can_bus_advance(bus, instant_ns(10000 + 55000));
    ck_assert_uint_eq(log.count, 1);
    ck_assert_int_eq(log.frame[0].time.ns, 65000);
    ck_assert_int_eq(log.sender[0], CAN_BUS_FROM_HOST);
    ck_assert_int_eq(can_bus_load(bus).busy.ns, 58000);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(the_lowest_identifier_wins_among_those_ready)
{
    struct can_bus *bus = new_bus();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    unsigned node[4];
    for (unsigned i = 0; i < 4; i++)
        ck_assert_int_eq(can_bus_add_node(bus, "board", &node[i]), STATUS_OK);
    const struct can_frame a = data_frame(0x300, 2, 0xA5), b = data_frame(0x200, 2, 0xA5);
    const struct can_frame c = data_frame(0x100, 2, 0xA5), d = data_frame(0x050, 2, 0xA5);
    ck_assert_int_eq(can_bus_send(bus, node[0], &a, instant_ns(0)), STATUS_OK);
    ck_assert_int_eq(can_bus_send(bus, node[1], &b, instant_ns(1000)), STATUS_OK);
    ck_assert_int_eq(can_bus_send(bus, node[2], &c, instant_ns(2000)), STATUS_OK);
    ck_assert_int_eq(can_bus_send(bus, node[3], &d, instant_ns(90000)),
                     STATUS_OK); // during the second frame
    can_bus_advance(bus, instant_ns(1000000));
    static const uint32_t expected[] = {0x300, 0x100, 0x050, 0x200};
    ck_assert_uint_eq(log.count, 4);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(log.frame[i].frame.can_id, expected[i]);
    end_bus(bus);
}
END_TEST

START_TEST(advancing_in_small_steps_changes_nothing)
{
    int64_t ends[2][3];
    for (unsigned run = 0; run < 2; run++) {
        struct can_bus *bus = new_bus();
        struct can_port *host = open_host();
        struct log log = {0};
        can_bus_listen(bus, record, &log);
        (void)add_node(bus);
        for (unsigned i = 0; i < 3; i++) {
            const struct can_frame frame = data_frame(0x10 + i, 8, (uint8_t)(i * 37));
            ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
        }
        for (int64_t t = run ? 1000000 : 500; t <= 1000000; t += 500)
            can_bus_advance(bus, instant_ns(t));
        ck_assert_uint_eq(log.count, 3);
        for (unsigned i = 0; i < 3; i++)
            ends[run][i] = log.frame[i].time.ns;
        can_close(host);
        end_bus(bus);
    }
    ck_assert_mem_eq(ends[0], ends[1], sizeof ends[0]);
}
END_TEST

START_TEST(a_frame_handed_over_at_the_present_takes_part_in_arbitration)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    const unsigned node = add_node(bus);
    const struct can_frame own = data_frame(0x60, 4, 0), hosts = data_frame(0x01, 3, 0);
    ck_assert_int_eq(can_bus_send(bus, node, &own, instant_ns(5000)), STATUS_OK);
    can_bus_advance(bus, instant_ns(5000));
    ck_assert_int_eq(can_send(host, &hosts, instant_ns(5000)), STATUS_OK);
    can_bus_advance(bus, instant_ns(1000000));
    ck_assert_uint_eq(log.frame[0].frame.can_id, 0x01);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(hosts_receive_what_others_sent_but_not_their_own)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    const unsigned node = add_node(bus);
    const struct can_frame own = data_frame(0x60, 4, 7), hosts = data_frame(0x01, 3, 0);
    ck_assert_int_eq(can_send(host, &hosts, instant_ns(0)), STATUS_OK);
    ck_assert_int_eq(can_bus_send(bus, node, &own, instant_ns(0)), STATUS_OK);
    can_bus_advance(bus, instant_ns(1000000));
    struct can_stamped got;
    ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
    ck_assert_uint_eq(got.frame.can_id, 0x60);
    ck_assert_uint_eq(got.frame.data[3], 7);
    ck_assert_int_eq(can_receive(host, &got), STATUS_EMPTY);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(reopening_discards_what_the_predecessor_left)
{
    struct can_bus *bus = new_bus();
    struct can_port *first = open_host();
    struct log log = {0};
    can_bus_listen(bus, record, &log);
    const unsigned node = add_node(bus);
    const struct can_frame reply = data_frame(0x60, 4, 0), old = data_frame(0x01, 3, 1),
                           new = data_frame(0x01, 3, 2);
    ck_assert_int_eq(can_bus_send(bus, node, &reply, instant_ns(0)), STATUS_OK);
    can_bus_advance(bus, instant_ns(500000));
    ck_assert_int_eq(can_send(first, &old, instant_ns(500000)), STATUS_OK); // queued, never sent

    struct can_port *second = open_host();
    struct can_stamped got;
    ck_assert_int_eq(can_receive(second, &got), STATUS_EMPTY);
    ck_assert_int_eq(can_send(second, &new, instant_ns(500000)), STATUS_OK);
    ck_assert_int_eq(can_send(first, &old, instant_ns(500000)), STATUS_DENIED);
    can_bus_advance(bus, instant_ns(1000000));
    ck_assert_uint_eq(log.count, 2);
    ck_assert_uint_eq(log.frame[1].frame.data[0], 2);
    can_close(first);
    can_close(second);
    end_bus(bus);
}
END_TEST

START_TEST(what_is_withdrawn_is_not_sent_and_what_is_not_sent_is_known)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    struct log log = {0};
    can_bus_listen(bus, record, &log); // nobody else is there to acknowledge: every attempt fails
    for (uint8_t i = 0; i < 3; i++) {
        const struct can_frame frame = data_frame(0x01, 3, i);
        ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
    }
    ck_assert_uint_eq(can_unsent(host), 3);
    can_bus_advance(bus, instant_ns(1000000));
    ck_assert_uint_eq(can_unsent(host), 3); // the one on offer counts
    can_withdraw(host);
    (void)add_node(bus);
    const struct can_frame later = data_frame(0x01, 3, 9);
    ck_assert_int_eq(can_send(host, &later, instant_ns(1000000)), STATUS_OK);
    can_bus_advance(bus, instant_ns(2000000));
    ck_assert_uint_eq(can_unsent(host), 0);
    unsigned arrived = 0;
    for (unsigned i = 0; i < log.count; i++)
        if (log.frame[i].frame.data[0] == 9)
            arrived++;
        else // the attempt that was on the wire when it was withdrawn
            ck_assert(!instant_before(instant_ns(1200000), log.frame[i].time));
    ck_assert_uint_eq(arrived, 1);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(a_full_queue_is_reported_and_recovers)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    (void)add_node(bus);
    const struct can_frame frame = data_frame(0x01, 3, 0);
    unsigned queued = 0;
    while (can_send(host, &frame, instant_ns(0)) == STATUS_OK)
        ck_assert_uint_lt(++queued, 100000);
    ck_assert_uint_ge(queued, 256);
    can_bus_advance(bus, instant_s(1));
    ck_assert_uint_eq(can_bus_load(bus).frames, queued);
    ck_assert_int_eq(can_send(host, &frame, instant_s(1)), STATUS_OK);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(a_reader_that_is_stopped_loses_frames_and_is_told)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    const unsigned node = add_node(bus);
    const struct can_frame frame = data_frame(0x60, 0, 0);
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(can_bus_send(bus, node, &frame, instant_ns(0)), STATUS_OK);
        can_bus_advance(bus, instant_ns(100000LL * (i + 1)));
    }
    struct can_stamped got;
    unsigned received = 0;
    while (can_receive(host, &got) == STATUS_OK)
        received++;
    ck_assert_uint_gt(can_lost(host), 0);
    ck_assert_uint_eq(received + can_lost(host), 1000);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(what_passes_no_filter_is_counted_and_takes_no_room_from_what_does)
{
    struct can_bus *bus = new_bus();
    struct can_port *host = open_host();
    const unsigned node = add_node(bus);
    const struct can_filter only = {0x60, CAN_SFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG};
    ck_assert_int_eq(can_listen(host, &only, 1, 0), STATUS_OK);
    const struct can_frame others = data_frame(0x61, 0, 0), wanted = data_frame(0x60, 0, 0);
    for (int i = 0; i < 1000; i++) { // twice what a receive queue holds; one in a hundred is wanted
        ck_assert_int_eq(can_bus_send(bus, node, i % 100 == 99 ? &wanted : &others, instant_ns(0)),
                         STATUS_OK);
        can_bus_advance(bus, instant_ns(100000LL * (i + 1)));
    }
    struct can_stamped got;
    unsigned received = 0;
    while (can_receive(host, &got) == STATUS_OK)
        received += got.frame.can_id == 0x60;
    struct can_health health;
    can_health(host, &health);
    ck_assert_uint_eq(received, 10);
    ck_assert_uint_eq(health.unwanted, 990);
    ck_assert_uint_eq(health.lost, 0);
    can_close(host);
    host = open_host(); // who opens the node anew hears everything
    ck_assert_int_eq(can_bus_send(bus, node, &others, instant_ns(100000000)), STATUS_OK);
    can_bus_advance(bus, instant_ns(101000000));
    ck_assert_int_eq(can_receive(host, &got), STATUS_OK);
    can_close(host);
    end_bus(bus);
}
END_TEST

START_TEST(opening_what_is_not_there_is_an_error)
{
    struct can_bus *bus = new_bus();
    struct can_port *port;
    ck_assert_int_eq(can_open("can7", "host", &port), STATUS_NOT_FOUND);
    ck_assert_int_eq(can_open("can0", "", &port), STATUS_INVALID);
    ck_assert_int_eq(can_bus_create(cell, "can1", &(struct can_bus_config){.bitrates = {5, 0}}),
                     STATUS_INVALID);
    end_bus(bus);
}
END_TEST

// ---- the HUBO2's bus 0 --------------------------------------------------------------------------

// Answers the requests of one cycle of bus 0: boards with the number of channels given by
// channel[].
struct answering {
    struct can_bus *bus;
    unsigned channel[0x24];
};

static void answer(void *context, const struct can_stamped *frame,
                   const struct can_delivery *delivery)
{
    struct answering *boards = context;
    if (delivery->sender != CAN_BUS_FROM_HOST || frame->frame.can_id > HUBO_ID_SENSOR_REQUEST)
        return;
    static const int32_t ticks[2] = {-12345, 54321};
    static const struct hubo_status status[2] = {{.driver_on = true, .home = HUBO_HOMED},
                                                 {.driver_on = true, .home = HUBO_HOMED}};
    const uint8_t *data = frame->frame.data;
    struct can_frame reply;
    if (frame->frame.can_id == HUBO_ID_SENSOR_REQUEST && data[0] == HUBO_SENSOR_IMU)
        hubo_imu_reply(&reply, 0.01, -0.02, 0.1, 0.2);
    else if (frame->frame.can_id == HUBO_ID_SENSOR_REQUEST && data[1] == HUBO_REQUEST_TILT)
        hubo_tilt_reply(&reply, data[0], 0.01, 0.01, 1);
    else if (frame->frame.can_id == HUBO_ID_SENSOR_REQUEST)
        hubo_force_torque_reply(&reply, data[0], 1.5, -3.2, 205);
    else if (data[1] == HUBO_GET_STATUS)
        hubo_status_reply(&reply, 0x150u + data[0], boards->channel[data[0]], status);
    else
        hubo_encoder_reply(&reply, 0x60u + data[0], boards->channel[data[0]], 0, ticks);
    ck_assert_int_eq(
        can_bus_send(boards->bus, data[0] & 15, &reply, instant_add(frame->time, duration_us(30))),
        STATUS_OK);
}

START_TEST(the_hubo2_cycle_loads_bus_0_as_published)
{
    struct answering boards = {.bus = new_bus()};
    static const unsigned ids[] = {0, 1, 2, 3, 4, 5, 6, 7, 0x23},
                          channels[] = {2, 1, 1, 2, 2, 1, 1, 2, 1};
    struct can_port *host = open_host();
    for (unsigned node, i = 0; i < 16; i++)
        ck_assert_int_eq(can_bus_add_node(boards.bus, "board", &node), STATUS_OK);
    can_bus_listen(boards.bus, answer, &boards);
    struct can_frame frame;
    for (unsigned i = 0; i < 9; i++) {
        const int32_t ticks[2] = {40000, -70000};
        boards.channel[ids[i]] = channels[i];
        hubo_reference(&frame, 0x10 + ids[i], channels[i], ticks);
        ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
        hubo_request_encoder(&frame, ids[i], 0);
        ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
        hubo_request_status(&frame, ids[i]);
        ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
    }
    hubo_request_imu(&frame);
    ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
    for (unsigned n = 1; n <= 2; n++) {
        hubo_request_force_torque(&frame, n);
        ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
        hubo_request_tilt(&frame, n);
        ck_assert_int_eq(can_send(host, &frame, instant_ns(0)), STATUS_OK);
    }
    can_bus_advance(boards.bus, instant_ns(10000000));
    struct can_bus_load load = can_bus_load(boards.bus);
    ck_assert_uint_eq(load.frames, 9 * 5 + 5 * 2);
    double share =
        duration_to_s(load.busy) / 0.01; // published: 37 % without, 44 % with
                                         // worst-case stuffing; here all boards are asked twice
    ck_assert_msg(share > 0.37 && share < 0.53, "bus load %.2f %%", 100 * share);
    can_close(host);
    end_bus(boards.bus);
}
END_TEST

// ---- the host -----------------------------------------------------------------------------------

// Who sent a frame, according to the bus, by node number 0 of a process.
static int sent_by(struct can_bus *bus, const char *process)
{
    static struct log log;
    struct can_port *port;
    const struct can_frame frame = data_frame(0x11, 6, 1);
    log.count = 0;
    can_bus_listen(bus, record, &log);
    ck_assert_int_eq(can_open_as(process, 0, "can0", &port), STATUS_OK);
    ck_assert_int_eq(can_send(port, &frame, can_time(port)), STATUS_OK);
    can_bus_advance(bus, instant_add(can_time(port), duration_us(1000)));
    can_close(port);
    ck_assert_uint_eq(log.count, 1);
    return log.sender[0];
}

START_TEST(the_host_of_a_bus_is_the_process_that_was_named)
{
    struct can_port *port;
    struct can_bus *bus =
        new_bus_with((struct can_bus_config){.bitrates = {1000000, 0}, .host = "controller"});
    (void)add_node(bus);
    if (medium == CAN_SOCKET) { // programs that can have such a node use the kernel's interface
        ck_assert_int_eq(can_open_as("controller", 0, "can0", &port), STATUS_UNSUPPORTED);
        end_bus(bus);
        return;
    }
    ck_assert_int_eq(sent_by(bus, "controller"), CAN_BUS_FROM_HOST);
    ck_assert_int_eq(sent_by(bus, "controller-2"), CAN_BUS_FROM_STRANGER);
    ck_assert_int_eq(can_open_as("controller", 1, "can0", &port), STATUS_OK);
    can_close(port);
    ck_assert_int_eq(can_open_as("another", 0, "can0", &port), STATUS_FULL);
    ck_assert_int_eq(can_open_as("controller", 0, "can1", &port), STATUS_NOT_FOUND);
    end_bus(bus);

    bus = new_bus(); // without: whoever has a node
    (void)add_node(bus);
    ck_assert_int_eq(sent_by(bus, "another"), CAN_BUS_FROM_HOST);
    end_bus(bus);
}
END_TEST

CAN_UNIT_MAIN(
    "can", frames_have_the_length_of_known_frames,
    ten_thousand_random_frames_are_as_long_as_the_wire_makes_them,
    arbitration_orders_as_the_wire_does, a_frame_ends_after_its_bits,
    the_lowest_identifier_wins_among_those_ready, advancing_in_small_steps_changes_nothing,
    a_frame_handed_over_at_the_present_takes_part_in_arbitration,
    hosts_receive_what_others_sent_but_not_their_own, reopening_discards_what_the_predecessor_left,
    what_is_withdrawn_is_not_sent_and_what_is_not_sent_is_known,
    a_full_queue_is_reported_and_recovers, a_reader_that_is_stopped_loses_frames_and_is_told,
    what_passes_no_filter_is_counted_and_takes_no_room_from_what_does,
    opening_what_is_not_there_is_an_error, the_host_of_a_bus_is_the_process_that_was_named,
    the_hubo2_cycle_loads_bus_0_as_published)
