// The nodes of hrp3p: registers, torque loops against the physics, and which commands they follow.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "model/description.h"
#include "plant/motors/link_board.h"
#include "plant/physics.h"
#include "targets/hrp3p/exchange.h"
#include "targets/hrp3p/node_link.h"

#define TICKS_PER_RAD 63661.9772

START_TEST(converters_have_their_bits_and_clip)
{
    ck_assert_uint_eq(link_code(0, LINK_DA_BITS), 2048);
    ck_assert_uint_eq(link_code(20, LINK_DA_BITS), 4095);
    ck_assert_uint_eq(link_code(-20, LINK_DA_BITS), 0);
    ck_assert_double_eq_tol(link_volts(0, LINK_DA_BITS), -10, 1e-12);
    ck_assert_double_eq_tol(link_volts(link_code(3.3, 16), 16), 3.3, 10.0 / 32768);
    ck_assert_uint_eq(link_count(-1 / TICKS_PER_RAD, TICKS_PER_RAD), 0xFFFFFF);
    ck_assert_double_eq_tol(link_angle_rad(0xFFFFFF, TICKS_PER_RAD), -1 / TICKS_PER_RAD, 1e-12);
}
END_TEST

// ---- the loop against the physics
// ----------------------------------------------------------------

struct stand { // all boards, and their nodes
    struct description *description;
    struct physics *physics;
    struct motor motor[ROBOT_JOINTS_MAX];
    struct node_control node[NODES];
    double start_rad[ROBOT_JOINTS_MAX];
    double push_Nm; // against the waist's pitch joint
};

static void counters(const struct stand *s, unsigned n, uint32_t counter[LINK_JOINTS])
{
    for (unsigned c = 0; c < s->node[n].joint_count; c++)
        counter[c] = link_count(s->motor[s->description->board[n].joint[c]].position_rad,
                                s->node[n].joint[c].ticks_per_rad);
}

static void stand_up(struct stand *s)
{
    uint32_t counter[LINK_JOINTS];
    memset(s, 0, sizeof *s);
    ck_assert_int_eq(description_load("targets/hrp3p/hrp3p.xml", &s->description), STATUS_OK);
    ck_assert_int_eq(physics_create("targets/hrp3p/robot.xml", s->description, NULL, NULL, NULL,
                                    NULL, s->motor, &s->physics),
                     STATUS_OK);
    ck_assert_uint_eq(s->description->joint_count, 36);
    ck_assert_uint_eq(s->description->board_count, NODES);
    for (unsigned j = 0; j < s->description->joint_count; j++)
        s->start_rad[j] = s->motor[j].position_rad;
    for (unsigned n = 0; n < NODES; n++) {
        for (unsigned c = 0; c < LINK_JOINTS && s->description->board[n].joint[c] >= 0; c++) {
            const struct joint_description *joint =
                &s->description->joint[s->description->board[n].joint[c]];
            s->node[n].joint[s->node[n].joint_count++] =
                (struct node_joint){.ticks_per_rad = joint->ticks_per_rad,
                                    .torque_max_Nm = joint->torque_max_Nm,
                                    .min_rad = joint->position_min_rad,
                                    .max_rad = joint->position_max_rad};
        }
        counters(s, n, counter);
        node_begin(&s->node[n], counter);
    }
}

static void lie_down(struct stand *s)
{
    physics_free(s->physics);
    description_free(s->description);
}

// A millisecond. `gain`: of the loops, 0: none drives.
static void tick(struct stand *s, double gain)
{
    for (unsigned n = 0; n < NODES; n++) {
        uint32_t counter[LINK_JOINTS], output[LINK_JOINTS];
        counters(s, n, counter);
        node_tick(&s->node[n], counter, output);
        for (unsigned c = 0; c < s->node[n].joint_count; c++)
            s->motor[s->description->board[n].joint[c]].open_loop_Nm =
                gain * link_volts(output[c], LINK_DA_BITS) / LINK_VOLTS *
                s->node[n].joint[c].torque_max_Nm;
    }
    s->motor[1].open_loop_Nm += s->push_Nm;
    physics_step(s->physics, s->motor, true);
}

static double height_m(struct stand *s)
{
    static struct truth_message truth;
    physics_truth(s->physics, &truth);
    return truth.pelvis_m[2];
}

START_TEST(the_robot_stands_on_torques_pushed_too)
{
    struct stand s;
    stand_up(&s);
    const double before_m = height_m(&s);
    double pushed_rad = 0;
    for (int t = 0; t < 2000; t++) {
        s.push_Nm = t >= 500 && t < 600 ? 60 : 0;
        tick(&s, 1);
        pushed_rad = fmax(pushed_rad, fabs(s.motor[1].position_rad - s.start_rad[1]));
    }
    ck_assert_double_gt(pushed_rad, 0.002);
    ck_assert_double_eq_tol(height_m(&s), before_m, 0.005);
    for (unsigned j = 0; j < s.description->joint_count; j++)
        ck_assert_double_eq_tol(s.motor[j].position_rad, s.start_rad[j], 0.02);
    lie_down(&s);
}
END_TEST

START_TEST(without_torques_it_falls)
{
    struct stand s;
    stand_up(&s);
    for (int t = 0; t < 1500; t++)
        tick(&s, 0);
    ck_assert_double_lt(height_m(&s), 0.4);
    lie_down(&s);
}
END_TEST

// ---- one joint
// -----------------------------------------------------------------------------------

static struct node_control one_joint(void)
{
    struct node_control control = {.joint_count = 1};
    const uint32_t counter[LINK_JOINTS] = {0};
    control.joint[0] = (struct node_joint){
        .ticks_per_rad = TICKS_PER_RAD, .torque_max_Nm = 300, .min_rad = -1, .max_rad = 1};
    node_begin(&control, counter);
    return control;
}

static void command(struct node_control *control, double reference_rad)
{
    const struct node_command all[LINK_JOINTS] = {{reference_rad, 10000, 100}};
    node_take(control, all);
}

// Ticks with the joint on its reference; returns the last.
static double follow(struct node_control *control, unsigned ticks)
{
    uint32_t counter[LINK_JOINTS] = {0}, output[LINK_JOINTS];
    while (ticks-- > 0) {
        counter[0] = link_count(control->joint[0].reference_rad, TICKS_PER_RAD);
        node_tick(control, counter, output);
    }
    return control->joint[0].reference_rad;
}

START_TEST(a_reference_is_reached_in_a_straight_line)
{
    struct node_control control = one_joint();
    command(&control, 0);
    follow(&control, NODE_TICKS);
    ck_assert_int_eq(control.mode, NODE_TRACK);
    command(&control, 0.01);
    ck_assert_double_eq_tol(follow(&control, 1), 0.002, 1e-12);
    ck_assert_double_eq_tol(follow(&control, 4), 0.01, 1e-12);
    ck_assert_double_eq_tol(follow(&control, 3), 0.01, 1e-12);
}
END_TEST

START_TEST(a_far_moving_reference_is_approached_without_a_jump)
{
    struct node_control control = one_joint();
    for (int cycle = 0; cycle < 100; cycle++) { // 0.1 rad away, at 1 rad/s
        const double before_rad = control.joint[0].reference_rad;
        command(&control, -0.1 - cycle * 0.005);
        follow(&control, NODE_TICKS);
        ck_assert_double_lt(fabs(control.joint[0].reference_rad - before_rad), 0.00751);
    }
    ck_assert_int_eq(control.mode, NODE_TRACK);
    ck_assert_double_eq_tol(control.joint[0].reference_rad, -0.1 - 99 * 0.005, 1e-9);
}
END_TEST

START_TEST(limits_hold_whatever_is_commanded)
{
    struct node_control control = one_joint();
    uint32_t counter[LINK_JOINTS] = {0}, output[LINK_JOINTS];
    for (int cycle = 0; cycle < 1000; cycle++) {
        command(&control, 3);
        follow(&control, NODE_TICKS);
    }
    ck_assert_double_eq_tol(control.joint[0].reference_rad, 1, 1e-9);
    node_tick(&control, counter, output); // far off: all that there is, and no more
    ck_assert_uint_eq(output[0], 4095);
}
END_TEST

START_TEST(silence_holds_then_softens)
{
    struct node_control control = one_joint();
    uint32_t counter[LINK_JOINTS] = {link_count(-0.01, TICKS_PER_RAD)}, output[LINK_JOINTS];
    command(&control, 0);
    follow(&control, NODE_HOLD_TICKS + 1);
    ck_assert_int_eq(control.mode, NODE_HOLD);
    follow(&control, NODE_SOFT_TICKS);
    ck_assert_int_eq(control.mode, NODE_SOFT);
    follow(&control, NODE_SOFTENING_TICKS);
    node_tick(&control, counter, output); // moves
    node_tick(&control, counter, output); // rests, 0.01 off
    ck_assert_double_eq_tol(link_volts(output[0], LINK_DA_BITS) * 30,
                            NODE_SOFT_SHARE * 10000 * 0.01, 0.5);
    command(&control, 0); // it is taken from where it is
    ck_assert_double_eq_tol(control.joint[0].reference_rad, -0.01, 1e-4);
}
END_TEST

START_TEST(a_wrapped_counter_is_no_speed)
{
    struct node_control control = one_joint();
    uint32_t counter[LINK_JOINTS] = {0xFFFFFF}, output[LINK_JOINTS];
    node_tick(&control, counter, output);
    ck_assert_double_eq_tol(control.joint[0].velocity_rad_s, -1000 / TICKS_PER_RAD, 1e-9);
}
END_TEST

// ---- commands
// ------------------------------------------------------------------------------------

#define CYCLE 7
static const struct ether_addr pc = {{2, 0, 0, 0, 0, 1}}, stranger = {{2, 0, 0, 0, 0, 2}};

static struct command_frame a_command(uint32_t cycle)
{
    struct command_frame frame = {.head = {FRAME_COMMAND, 2, cycle, 0},
                                  .joint = {{1000, 10000, 10000}, {-1000, 2000, 2000}}};
    frame_seal(&frame, sizeof frame);
    return frame;
}

static bool takes(struct node_link *link, const struct ether_addr *source,
                  const struct command_frame *frame, size_t length_B, int64_t after_ns)
{
    struct node_command command[LINK_JOINTS];
    return node_link_take(link, source, frame, length_B, (int64_t)CYCLE * CYCLE_NS + after_ns, 2,
                          command);
}

START_TEST(only_whole_fresh_commands_of_the_pc_are_followed)
{
    struct node_link link = {.pc = pc};
    struct command_frame frame = a_command(CYCLE), changed = frame, old = a_command(CYCLE - 1);
    changed.joint[0].angle ^= 4;
    ck_assert(!takes(&link, &stranger, &frame, sizeof frame, 1000000));
    ck_assert(!takes(&link, &pc, &changed, sizeof frame, 1000000));
    ck_assert(!takes(&link, &pc, &frame, sizeof frame - 1, 1000000));
    ck_assert(!takes(&link, &pc, &frame, sizeof frame, CYCLE_NS));
    ck_assert(!takes(&link, &pc, &frame, sizeof frame, -1));
    ck_assert(takes(&link, &pc, &frame, sizeof frame, 1000000));
    ck_assert(!takes(&link, &pc, &frame, sizeof frame, 2000000));
    ck_assert(!takes(&link, &pc, &old, sizeof old, 2000000));
    ck_assert_uint_eq(link.foreign, 1);
    ck_assert_uint_eq(link.unsound, 2);
    ck_assert_uint_eq(link.stale, 3);
    ck_assert_uint_eq(link.doubled, 1);
    ck_assert_uint_eq(link.used_age_us, 1000);
    ck_assert_uint_eq(link.used_sum, frame.head.sum);
}
END_TEST

static void answer_using(struct exchange *exchange, unsigned n, uint32_t cycle, uint32_t used,
                         uint32_t used_sum)
{
    struct answer_frame frame = {
        .head = {FRAME_ANSWER, 0, cycle, 0}, .used_cycle = used, .used_sum = used_sum};
    frame_seal(&frame, sizeof frame);
    exchange_take(exchange, &exchange->node[n].address, &frame, sizeof frame, 100000);
}

static void answer(struct exchange *exchange, unsigned n, uint32_t cycle, uint32_t used_sum)
{
    answer_using(exchange, n, cycle, cycle - 1, used_sum);
}

START_TEST(the_exchange_counts_what_is_missing_and_what_is_wrong)
{
    static struct exchange exchange;
    const double reference_rad[ROBOT_JOINTS_MAX] = {0};
    struct command_frame frame[NODES];
    struct description *description;
    ck_assert_int_eq(description_load("targets/hrp3p/hrp3p.xml", &description), STATUS_OK);
    exchange.description = description;
    for (unsigned n = 0; n < NODES; n++)
        exchange.node[n].address = (struct ether_addr){{2, 0, 0, 0, 1, (uint8_t)n}};
    exchange_begin(&exchange, 1);
    for (unsigned n = 0; n < NODES; n++)
        exchange_command(&exchange, n, reference_rad, &frame[n]);
    exchange_end(&exchange, 1); // nobody has answered yet: nothing is owed
    ck_assert_int_eq(exchange.message.lost, 0);
    exchange_begin(&exchange, 2);
    for (unsigned n = 0; n < NODES; n++)
        answer(&exchange, n, 2, frame[n].head.sum);
    answer(&exchange, 0, 2, frame[0].head.sum);
    exchange_end(&exchange, 2);
    ck_assert_int_eq(exchange.message.answers, NODES);
    ck_assert_int_eq(exchange.message.strange, 1);
    ck_assert_int_eq(exchange.message.mismatched, 0);
    exchange_begin(&exchange, 3);
    answer(&exchange, 4, 2, frame[4].head.sum);
    exchange_command(&exchange, 5, reference_rad, &frame[5]);
    exchange_begin(&exchange, 4);
    answer(&exchange, 5, 4, frame[5].head.sum + 1); // it follows what was not sent
    exchange_end(&exchange, 4);
    ck_assert_int_eq(exchange.message.missed, 0);
    ck_assert_int_eq(exchange.message.late, 1);
    ck_assert_int_eq(exchange.message.mismatched, 1);
    ck_assert_int_eq(exchange.message.lost, NODES - 1);
    ck_assert_int_eq(exchange.message.lost_cycles, 1);
    exchange_begin(&exchange, 7);
    for (unsigned n = 0; n < NODES; n++) // all still follow what was sent in cycle 5
        answer_using(&exchange, n, 7, 5, 0);
    exchange_end(&exchange, 7);
    ck_assert_int_eq(exchange.message.missed, NODES);
    ck_assert_int_eq(exchange.message.lost_cycles, 2);
    description_free(description);
}
END_TEST

// ---- who is late
// ---------------------------------------------------------------------------------

#define WINDOW_NS 1000000
#define AGES 10 // cycles after which all is decided

// Cycle `cycle`, in which all answer but node 3.
static void without_third(struct exchange *exchange, uint32_t cycle)
{
    exchange_begin(exchange, cycle);
    for (unsigned n = 0; n < NODES; n++)
        if (n != 3)
            answer_using(exchange, n, cycle, 0, 0);
}

static void third(struct exchange *exchange, uint32_t cycle, uint16_t kept_us, uint16_t late,
                  int64_t after_ns)
{
    struct answer_frame frame = {
        .head = {FRAME_ANSWER, 0, cycle, 0}, .kept_us = kept_us, .late = late};
    frame_seal(&frame, sizeof frame);
    exchange_take(exchange, &exchange->node[3].address, &frame, sizeof frame, after_ns);
}

static void all_well(struct exchange *exchange, uint32_t cycle, unsigned count)
{
    while (count-- > 0) {
        without_third(exchange, cycle);
        third(exchange, cycle++, 0, 0, 100000);
        exchange_end(exchange, cycle);
    }
}

static struct exchange *owing(void) // all have answered once; node 3 has not in cycle 10
{
    static struct exchange exchange;
    static struct description *description;
    if (description == NULL)
        ck_assert_int_eq(description_load("targets/hrp3p/hrp3p.xml", &description), STATUS_OK);
    memset(&exchange, 0, sizeof exchange);
    exchange.description = description;
    exchange.window_ns = WINDOW_NS;
    for (unsigned n = 0; n < NODES; n++)
        exchange.node[n].address = (struct ether_addr){{2, 0, 0, 0, 1, (uint8_t)n}};
    all_well(&exchange, 9, 1);
    without_third(&exchange, 10);
    exchange_end(&exchange, 10);
    return &exchange;
}

static void ck_blamed(struct exchange *exchange, int64_t network, int64_t machine)
{
    all_well(exchange, 11, AGES);
    ck_assert_int_eq(exchange->message.overdue, network);
    ck_assert_int_eq(exchange->message.held_up, machine);
}

START_TEST(a_late_network_is_told_from_a_late_machine)
{
    struct exchange *exchange = owing(); // it never comes, and nobody was kept back
    ck_blamed(exchange, 1, 0);
    exchange = owing(); // it comes 2 ms late
    without_third(exchange, 11);
    third(exchange, 10, 300, 0, -CYCLE_NS + 3000000);
    ck_blamed(exchange, 1, 0);
    exchange = owing(); // ... so does its node
    without_third(exchange, 11);
    third(exchange, 10, 2100, 0, -CYCLE_NS + 3000000);
    ck_blamed(exchange, 0, 1);
    exchange = owing(); // ... so does who carries frames
    without_third(exchange, 11);
    exchange->carried_late_ns = 2100000;
    third(exchange, 10, 0, 0, -CYCLE_NS + 3000000);
    ck_blamed(exchange, 0, 1);
    exchange = owing(); // its node was kept from sending it, as it says in the next
    without_third(exchange, 11);
    third(exchange, 11, 0, 1 << 1, 100000);
    exchange_end(exchange, 11);
    all_well(exchange, 12, AGES);
    ck_assert_int_eq(exchange->message.overdue, 0);
    ck_assert_int_eq(exchange->message.held_up, 1);
    exchange = owing(); // the PC is so late that it has the next before it asks
    third(exchange, 12, 0, 0, 2 * CYCLE_NS);
    without_third(exchange, 12);
    exchange_end(exchange, 12);
    all_well(exchange, 13, AGES);
    ck_assert_int_eq(exchange->message.strange, 0);
    ck_assert_int_eq(exchange->message.held_up, 1);
    exchange = owing(); // nobody may answer before a cycle begins
    third(exchange, 12, 0, 0, CYCLE_NS);
    ck_assert_int_eq(exchange->message.strange, 1);
}
END_TEST

START_TEST(a_node_remembers_when_it_was_kept_back)
{
    struct node_link link = {.late = 0};
    struct node_control control = {.joint_count = 0};
    struct link_registers registers = {.sensor = {0}};
    struct answer_frame frame;
    node_link_late(&link, 7 * (int64_t)CYCLE_NS, 9 * (int64_t)CYCLE_NS);
    node_link_answer(&link, &control, &registers, 10 * (int64_t)CYCLE_NS, &frame);
    ck_assert_uint_eq(frame.late, 1 << 1 | 1 << 2 | 1 << 3);
    node_link_answer(&link, &control, &registers, 40 * (int64_t)CYCLE_NS, &frame);
    ck_assert_uint_eq(frame.late, 0);
}
END_TEST

UNIT_MAIN("hrp3p", converters_have_their_bits_and_clip, the_robot_stands_on_torques_pushed_too,
          without_torques_it_falls, a_reference_is_reached_in_a_straight_line,
          a_far_moving_reference_is_approached_without_a_jump, limits_hold_whatever_is_commanded,
          silence_holds_then_softens, a_wrapped_counter_is_no_speed,
          only_whole_fresh_commands_of_the_pc_are_followed,
          the_exchange_counts_what_is_missing_and_what_is_wrong,
          a_late_network_is_told_from_a_late_machine, a_node_remembers_when_it_was_kept_back)
