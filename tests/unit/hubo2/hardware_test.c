// The Hardware daemon's requests and references on a real bus: what is refused was not sent, and
// everybody is asked.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "tests/unit/can/can_cell.h"
#include "targets/hubo2/hardware/hardware_buses.h"

#define CYCLE_NS 10000000

static struct description *description;
static struct readings readings;
static struct can_host host;
static struct can_bus *bus;
static struct log heard;

static void set_up(void)
{
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    ck_assert_int_eq(readings_start(&readings, description), STATUS_OK);
    bus = new_bus();
    (void)add_node(bus); // somebody acknowledges
    can_bus_listen(bus, record, &heard);
    heard.count = 0;
    host = (struct can_host){.port = {open_host(), NULL}};
    host.port[1] = host.port[0]; // both halves of the robot on one bus: enough for what is sent
}

static void tear_down(void)
{
    can_close(host.port[0]);
    end_bus(bus);
    description_free(description);
}

static instant cycle_start(void)
{
    return instant_ns((int64_t)(readings.state.cycle + 1) * CYCLE_NS);
}

// Everybody replies to all that was asked.
static void all_reply(void)
{
    for (unsigned i = 0; i < readings.senders.count; i++) {
        struct source *source = &readings.senders.source[i];
        for (unsigned reply = source->asked + source->owed; reply > 0; reply--)
            (void)senders_hear(&readings.senders, source, true);
    }
}

static void poll_once(void)
{
    const instant start = cycle_start();
    readings_begin(&readings, start);
    requests_send_polls(&host, &readings, start);
    can_bus_advance(bus, instant_add(start, duration_ns(CYCLE_NS - 1)));
    readings_finish(&readings, start);
}

// Whether every board was asked for its status, or current, by one of the first `boards` boards'
// requests.
static bool all_asked(enum hubo_command what, unsigned boards)
{
    for (unsigned b = 0; b < description->board_count; b++) {
        bool asked = false;
        for (unsigned i = 0; i < heard.count; i++) {
            const struct can_frame *frame = &heard.frame[i].frame;
            asked |= b < boards && frame->can_id == HUBO_ID_COMMAND &&
                     frame->data[0] == description->board[b].id && frame->data[1] == what;
        }
        if (!asked)
            return false;
    }
    return true;
}

START_TEST(status_and_current_of_every_board_are_asked_for_in_turn)
{
    set_up();
    for (unsigned i = 0; i < 2 * DESCRIPTION_BOARDS_MAX; i++) {
        poll_once();
        all_reply();
    }
    ck_assert(all_asked(HUBO_GET_STATUS, description->board_count));
    ck_assert(all_asked(HUBO_GET_CURRENT, description->board_count));
    ck_assert(!all_asked(HUBO_GET_STATUS, 2)); // as the real daemon did: the check sees it
    ck_assert_uint_eq(host.refused[0] + host.refused[1], 0);
    tear_down();
}
END_TEST

START_TEST(what_the_bus_refuses_is_counted_and_is_neither_sent_nor_expected)
{
    set_up();
    struct reference_message reference = {.joint_count = description->joint_count,
                                          .active = UINT64_MAX};
    const instant start = cycle_start();
    readings_begin(&readings, start);
    unsigned before = 0; // fills the queue; its length is the bus's affair
    for (struct can_frame frame = data_frame(0x7FF, 0, 0);
         before < 100000 && can_send(host.port[0], &frame, start) == STATUS_OK; before++)
        continue;
    ck_assert_uint_lt(before, 100000);
    requests_send_references(&host, &readings, &reference, start);
    requests_send_polls(&host, &readings, start);
    ck_assert_uint_gt(host.refused[0], 0);
    ck_assert_uint_gt(host.refused[1], 0);
    for (unsigned j = 0; j < description->joint_count; j++)
        ck_assert_uint_eq(readings.state.joint[j].reference_active, 0);
    readings_finish(&readings, start);
    readings_begin(&readings, instant_add(start, duration_ns(CYCLE_NS)));
    for (uint32_t id = 0; id < CAN_IDS; id++) // nobody owes an answer to what was not asked
        ck_assert(!senders_overdue(&readings.senders, 0, id) &&
                  !senders_overdue(&readings.senders, 1, id));
    tear_down();
}
END_TEST

START_TEST(of_strangers_the_daemon_hears_only_how_many_there_were)
{
    set_up();
    struct hardware_buses buses = {0};
    for (unsigned b = 0; b < HARDWARE_BUSES; b++)
        ck_assert_int_eq(hardware_buses_listen(host.port[b], &readings, b), STATUS_OK);
    unsigned node = add_node(bus);
    const struct can_frame strange = data_frame(0x7F0, 8, 0), reply = data_frame(0x68, 8, 0);
    readings_begin(&readings, instant_ns(0));
    for (unsigned i = 0; i < 10; i++)
        ck_assert_int_eq(can_bus_send(bus, node, &strange, instant_ns(0)), STATUS_OK);
    ck_assert_int_eq(can_bus_send(bus, node, &reply, instant_ns(0)), STATUS_OK);
    can_bus_advance(bus, instant_ns(CYCLE_NS));
    struct can_stamped got;
    ck_assert_int_eq(can_receive(host.port[0], &got), STATUS_OK);
    ck_assert_uint_eq(got.frame.can_id, 0x68);
    ck_assert_int_eq(can_receive(host.port[0], &got), STATUS_EMPTY);
    for (unsigned look = 0; look < 2; look++) { // a count, not an increment
        hardware_buses_look(&buses, &host, &readings);
        ck_assert_uint_eq(readings.state.bus[1].wrong_id, 10);
    }
    ck_assert_uint_eq(readings.state.rejected_frames, 2 * 10); // one port stands for both here
    tear_down();
}
END_TEST

static unsigned asked_since(unsigned before, enum hubo_command what)
{
    unsigned count = 0;
    for (unsigned i = before; i < heard.count; i++)
        count +=
            heard.frame[i].frame.can_id == HUBO_ID_COMMAND && heard.frame[i].frame.data[1] == what;
    return count;
}

START_TEST(who_owes_positions_is_probed_until_it_replies)
{
    set_up();
    poll_once();
    all_reply();
    poll_once(); // nobody answers
    for (unsigned i = 0; i < 20; i++) {
        const unsigned before = heard.count;
        poll_once();
        ck_assert_uint_eq(asked_since(before, HUBO_GET_ENCODER), 0);
        ck_assert_uint_eq(asked_since(before, HUBO_GET_STATUS) +
                              asked_since(before, HUBO_GET_CURRENT),
                          description->board_count);
        ck_assert_uint_le(heard.count - before, description->board_count + 1); // power, once
    }
    all_reply();
    const unsigned before = heard.count;
    poll_once();
    ck_assert_uint_ge(asked_since(before, HUBO_GET_ENCODER), description->board_count);
    tear_down();
}
END_TEST

// Whether the frame tells motors or fingers where to go.
static bool is_reference(const struct can_stamped *frame)
{
    if (frame->frame.can_id == HUBO_ID_COMMAND && frame->frame.data[1] == HUBO_PWM)
        return true;
    for (unsigned b = 0; b < description->board_count; b++)
        if (!description->board[b].finger &&
            frame->frame.can_id == description->board[b].reference_can_id)
            return true;
    return false;
}

struct sent_frames {
    unsigned references, requests;
};

// A cycle that has references to send, and what of it came out of the bus.
static struct sent_frames cycle_with_references(double reference_rad)
{
    struct reference_message reference = {.joint_count = description->joint_count,
                                          .active = UINT64_MAX};
    for (unsigned j = 0; j < description->joint_count; j++)
        reference.reference_rad[j] = reference_rad;
    const instant start = cycle_start();
    const unsigned before = heard.count;
    readings_begin(&readings, start);
    requests_begin(&host, &readings);
    requests_send_references(&host, &readings, &reference, start);
    requests_send_polls(&host, &readings, start);
    can_bus_advance(bus, instant_add(start, duration_ns(CYCLE_NS - 1)));
    readings_finish(&readings, start);
    struct sent_frames sent = {0};
    for (unsigned i = before; i < heard.count; i++)
        if (!heard.failed[i])
            *(is_reference(&heard.frame[i]) ? &sent.references : &sent.requests) += 1;
    return sent;
}

START_TEST(a_stuck_bus_is_tried_without_references_and_positions)
{
    set_up();
    ck_assert_uint_gt(cycle_with_references(0.1).references, 0);
    all_reply();
    const unsigned cut = disturb((struct can_disturbance){.kind = CAN_DISTURB_CUT});
    (void)cycle_with_references(0.2);
    ck_assert_uint_eq(readings.state.joint[0].reference_active, 1); // not known better yet
    for (unsigned i = 0; i < 4; i++) {
        (void)cycle_with_references(0.3);
        for (unsigned j = 0; j < description->joint_count; j++) {
            ck_assert_uint_eq(readings.state.joint[j].reference_active, 0);
            ck_assert_double_eq(readings.state.joint[j].reference_rad, 0.1); // what boards hold
        }
    }
    calm(cut);
    const unsigned before = heard.count;
    const struct sent_frames tried = cycle_with_references(0.4);
    ck_assert_uint_eq(tried.references, 0);
    ck_assert_uint_gt(tried.requests, 10);
    ck_assert_uint_eq(asked_since(before, HUBO_GET_ENCODER), 0);
    all_reply();
    const struct sent_frames flowing = cycle_with_references(0.5);
    ck_assert_uint_gt(flowing.references, 0);
    ck_assert_uint_gt(flowing.requests, 10);
    ck_assert_uint_ge(asked_since(before, HUBO_GET_ENCODER), description->board_count);
    tear_down();
}
END_TEST

// Begins a cycle in which nothing leaves in its first 4 ms, and then the bus is repaired and has
// `time` more before the daemon looks. Only bus 0 gets references: both have one port here, and
// what it has not sent belongs to one.
static instant late_cycle(double reference_rad, duration time)
{
    struct reference_message reference = {.joint_count = description->joint_count};
    for (unsigned j = 0; j < description->joint_count; j++) {
        reference.active |= (uint64_t)(description->board[description->joint[j].board].bus == 0)
                            << j;
        reference.reference_rad[j] = reference_rad;
    }
    const instant start = cycle_start(), repaired = instant_add(start, duration_us(4000));
    const unsigned cut = disturb((struct can_disturbance){.kind = CAN_DISTURB_CUT});
    readings_begin(&readings, start);
    requests_begin(&host, &readings);
    requests_send_references(&host, &readings, &reference, start);
    can_bus_advance(bus, repaired);
    calm(cut);
    can_bus_advance(bus, instant_add(repaired, time));
    requests_look(&host, &readings);
    return instant_add(start, duration_ns(CYCLE_NS - 1));
}

// Joints whose reference the state says is `reference_rad`.
static unsigned joints_at(double reference_rad)
{
    unsigned count = 0;
    for (unsigned j = 0; j < description->joint_count; j++)
        count += readings.referenced[j] &&
                 fabs(readings.state.joint[j].reference_rad - reference_rad) < 1e-9;
    return count;
}

static unsigned sent_since(unsigned before)
{
    unsigned sent = 0;
    for (unsigned k = before; k < heard.count; k++)
        sent += !heard.failed[k];
    return sent;
}

// Joints of the first so many boards of bus 0.
static unsigned joints_of_first(unsigned boards)
{
    unsigned joints = 0;
    for (unsigned b = 0; b < description->board_count && boards > 0; b++) {
        if (description->board[b].bus != 0)
            continue;
        boards--;
        for (unsigned c = 0; c < description->board[b].channel_count; c++)
            joints += description->board[b].joint[c] >= 0;
    }
    return joints;
}

START_TEST(what_is_late_is_withdrawn_in_its_own_cycle_and_a_frame_on_the_wire_counts_as_sent)
{
    set_up();
    (void)cycle_with_references(0.1);
    ck_assert_uint_eq(joints_at(0.1), description->joint_count);
    unsigned none = 0, on_the_wire = 0, several = 0;
    for (int64_t time_us = 0; time_us < 400; time_us += 20) {
        heard.count = 0;
        const instant end = late_cycle(0.2, duration_us(time_us));
        ck_assert_int_eq(host.stuck[0], true);
        const unsigned known = sent_since(0);
        can_bus_advance(bus, end);
        requests_settle(&host, &readings);
        const unsigned sent = sent_since(0);
        ck_assert_uint_le(sent, known + 1);
        ck_assert_uint_eq(joints_at(0.2), joints_of_first(sent));
        ck_assert_uint_eq(joints_at(0.1), description->joint_count - joints_of_first(sent));
        readings_finish(&readings, end);
        none += sent == 0;
        on_the_wire += sent > known;
        several += sent > 1;
        ck_assert_uint_gt(cycle_with_references(0.1).references, 0);
        (void)cycle_with_references(0.1);
    }
    ck_assert(none > 0 && on_the_wire > 0 && several > 0); // all of it was tried
    tear_down();
}
END_TEST

START_TEST(a_bus_that_is_behind_the_clock_is_not_stuck)
{
    set_up();
    (void)cycle_with_references(0.1);
    struct reference_message reference = {.joint_count = description->joint_count,
                                          .active = UINT64_MAX};
    readings.state.period_us = CYCLE_NS / 1000;
    const instant start = cycle_start();
    readings_begin(&readings, start);
    requests_begin(&host, &readings);
    requests_send_references(&host, &readings, &reference, start);
    can_bus_advance(bus, instant_add(start, duration_us(300))); // it is simulated no further yet
    ck_assert_uint_gt(can_unsent(host.port[0]), 0);
    requests_look(&host, &readings);
    ck_assert_int_eq(host.stuck[0], false);
    const unsigned before = heard.count;
    can_bus_advance(bus, instant_add(start, duration_us(CYCLE_NS / 1000 - 1)));
    ck_assert_uint_gt(heard.count - before, 5); // they have left
    requests_settle(&host, &readings);
    ck_assert_uint_eq(joints_at(0), description->joint_count);
    tear_down();
}
END_TEST

UNIT_MAIN("hardware", a_bus_that_is_behind_the_clock_is_not_stuck,
          what_is_late_is_withdrawn_in_its_own_cycle_and_a_frame_on_the_wire_counts_as_sent,
          a_stuck_bus_is_tried_without_references_and_positions,
          status_and_current_of_every_board_are_asked_for_in_turn,
          what_the_bus_refuses_is_counted_and_is_neither_sent_nor_expected,
          of_strangers_the_daemon_hears_only_how_many_there_were,
          who_owes_positions_is_probed_until_it_replies)
