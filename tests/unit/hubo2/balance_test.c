// balance: splice rules, stable ends, commands delayed and ignored, interruptions noticed.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "model/spatial.h"
#include "targets/hubo2/balance/balance_commands.h"
#include "targets/hubo2/balance/balance_recovery.h"
#include "targets/hubo2/balance/balance_watch.h"
#include "walk/segments/segment_buffer.h"

static struct segment_buffer buffer;
static struct segment_message segment;

static struct segment_sample standing(double x_m)
{
    struct segment_sample sample = {0};
    sample.pelvis_m[0] = x_m;
    sample.pelvis_m[2] = 0.6;
    sample.foot_m[SIDE_RIGHT][0] = x_m;
    sample.foot_m[SIDE_RIGHT][1] = -0.0885;
    sample.foot_m[SIDE_LEFT][0] = x_m;
    sample.foot_m[SIDE_LEFT][1] = 0.0885;
    sample.com_m[0] = x_m;
    sample.com_m[2] = 0.6;
    sample.support = SUPPORT_BOTH;
    return sample;
}

// A segment that moves the whole robot smoothly from x0 to x1 and ends there at rest.
static void make_segment(uint64_t plan, uint64_t number, int64_t first, uint32_t count, double x0_m,
                         double x1_m)
{
    memset(&segment, 0, offsetof(struct segment_message, sample));
    segment.plan_id = plan;
    segment.segment_number = number;
    segment.epoch = 1;
    segment.first = first;
    segment.count = count;
    for (uint32_t i = 0; i < count; i++) {
        double s = (double)i / (double)(count - 1);
        segment.sample[i] = standing(x0_m + (x1_m - x0_m) * s * s * s * (10 - 15 * s + 6 * s * s));
    }
}

static void begin_plan(void)
{
    segment_buffer_clear(&buffer);
    struct segment_sample stand = standing(0);
    make_segment(7, 1, 0, 200, 0, 0.2);
    ck_assert_int_eq(segment_buffer_begin(&buffer, &segment, 1, &stand), SPLICE_TAKEN);
}

START_TEST(a_plan_begins_where_the_robot_stands)
{
    begin_plan();
    ck_assert_uint_eq(buffer.plan_id, 7);
    ck_assert_int_eq(buffer.end, 200);
    ck_assert_ptr_nonnull(segment_buffer_at(&buffer, 199));
    ck_assert_ptr_null(segment_buffer_at(&buffer, 200));
    struct segment_sample elsewhere = standing(0.05);
    make_segment(8, 1, 0, 200, 0, 0.2);
    ck_assert_int_eq(segment_buffer_begin(&buffer, &segment, 1, &elsewhere), SPLICE_START);
    ck_assert_uint_eq(buffer.plan_id, 7);
}
END_TEST

START_TEST(a_segment_replaces_what_was_held_from_its_first_sample_on)
{
    begin_plan();
    make_segment(7, 2, 199, 150, 0.2, 0.3);
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 100), SPLICE_TAKEN);
    ck_assert_int_eq(buffer.end, 349);
    ck_assert_double_eq_tol(segment_buffer_at(&buffer, 348)->pelvis_m[0], 0.3, 1e-9);
    ck_assert_double_eq_tol(segment_buffer_at(&buffer, 50)->pelvis_m[0], 0.2 * 0.1, 0.011);
}
END_TEST

START_TEST(a_segment_that_does_not_fit_is_refused_and_changes_nothing)
{
    begin_plan();
    make_segment(7, 2, 199, 150, 0.2, 0.3);
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 2, 100), SPLICE_EPOCH);
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 199), SPLICE_LATE);
    segment.segment_number = 1;
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 100), SPLICE_NUMBER);
    make_segment(8, 2, 199, 150, 0.2, 0.3);
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 100), SPLICE_PLAN);
    make_segment(7, 2, 201, 150, 0.2, 0.3);
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 100), SPLICE_GAP);
    make_segment(7, 2, 100, 150, 0.2, 0.3); // the robot moves at 0.19 m/s there
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 90), SPLICE_JUMP);
    make_segment(7, 2, 199, 150, 0.2, 0.3);
    segment.sample[70].foot_m[SIDE_LEFT][2] = NAN;
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 100), SPLICE_JUMP);
    ck_assert_int_eq(buffer.end, 200);
    ck_assert_uint_eq(buffer.segment_number, 1);
}
END_TEST

START_TEST(a_segment_that_ends_in_mid_step_is_refused)
{
    begin_plan();
    make_segment(7, 2, 199, 150, 0.2, 0.3);
    segment.sample[149].support = SUPPORT_LEFT;
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 100), SPLICE_END);
    make_segment(7, 2, 199, 150, 0.2, 0.3);
    segment.count = 90; // still moving there
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 100), SPLICE_END);
    make_segment(7, 2, 199, 150, 0.2, 0.3);
    for (int i = 0; i < 150; i++)
        segment.sample[i].com_m[1] = 0.2; // beside the feet
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 100), SPLICE_END);
    make_segment(7, 2, 199, 150, 0.2, 0.3);
    segment.sample[149].foot_m[SIDE_LEFT][2] = 0.004;
    ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, 100), SPLICE_END);
    ck_assert_int_eq(buffer.end, 200);
}
END_TEST

START_TEST(a_long_walk_runs_through_the_ring)
{
    begin_plan();
    int64_t end = 200;
    double x = 0.2;
    for (uint64_t number = 2; number < 30; number++, x += 0.1, end += 299) {
        make_segment(7, number, end - 1, 300, x, x + 0.1);
        ck_assert_int_eq(segment_buffer_splice(&buffer, &segment, 1, end - 50), SPLICE_TAKEN);
        ck_assert_int_eq(buffer.end, end + 299);
        ck_assert_double_eq_tol(segment_buffer_at(&buffer, buffer.end - 1)->pelvis_m[0], x + 0.1,
                                1e-9);
        ck_assert_double_eq_tol(segment_buffer_at(&buffer, end - 50)->pelvis_m[0], x, 0.025);
    }
}
END_TEST

static struct balance_command_message command(uint64_t id, uint32_t kind, uint32_t steps)
{
    return (struct balance_command_message){.id = id, .kind = kind, .steps = steps};
}

static void send(struct balance_commands *commands, uint64_t id, uint32_t kind, uint32_t steps,
                 enum balance_phase phase)
{
    struct balance_command_message message = command(id, kind, steps);
    balance_commands_receive(commands, &message, phase);
    balance_commands_update(commands, phase);
}

START_TEST(a_walk_becomes_a_request_until_its_plan_is_complete)
{
    struct balance_commands commands = {0};
    struct balance_status_message status = {0};
    send(&commands, 1, BALANCE_WALK_FORWARD, 6, BALANCE_PHASE_STANDING);
    balance_commands_report(&commands, &status);
    ck_assert_uint_eq(status.accepted_id, 1);
    ck_assert_uint_eq(status.request_id, 1);
    ck_assert_uint_eq(status.request_steps, 6);
    ck_assert(balance_commands_wants(&commands, 1));
    ck_assert(!balance_commands_wants(&commands, 2));
    balance_commands_plan_progress(&commands, 1, 2, false, 0);
    balance_commands_plan_broken(&commands, 1);
    balance_commands_report(&commands, &status);
    ck_assert_uint_eq(status.request_steps, 4);
    ck_assert_uint_eq(status.done_id, 0);
    balance_commands_plan_complete(&commands, 1);
    balance_commands_report(&commands, &status);
    ck_assert_uint_eq(status.done_id, 1);
    ck_assert_uint_eq(status.request_id, 0);
}
END_TEST

START_TEST(a_plan_that_ends_early_leaves_only_the_rest_to_be_done)
{
    struct balance_commands commands = {0};
    struct balance_status_message status = {0};
    send(&commands, 1, BALANCE_WALK_LEFT, 4, BALANCE_PHASE_STANDING);
    balance_commands_plan_progress(&commands, 1, 1, true, 0); // two steps: out and closed
    balance_commands_plan_broken(&commands, 1);
    balance_commands_report(&commands, &status);
    ck_assert_uint_eq(status.request_steps, 2);
    balance_commands_plan_progress(&commands, 1, 1, true, 0);
    balance_commands_plan_broken(&commands, 1); // nothing remains, though the plan was not final
    ck_assert_uint_eq(commands.done_id, 1);

    struct balance_command_message turn = command(2, BALANCE_TURN, 0);
    turn.angle_rad = -1.0;
    balance_commands_receive(&commands, &turn, BALANCE_PHASE_STANDING);
    balance_commands_update(&commands, BALANCE_PHASE_STANDING);
    balance_commands_plan_progress(&commands, 2, 3, false, -0.4);
    balance_commands_report(&commands, &status);
    ck_assert_double_eq_tol(status.request_angle_rad, -0.6, 1e-12);
}
END_TEST

START_TEST(what_cannot_be_done_now_is_delayed_and_a_second_is_ignored)
{
    struct balance_commands commands = {0};
    send(&commands, 1, BALANCE_WALK_LEFT, 2, BALANCE_PHASE_EXECUTING);
    ck_assert_uint_eq(commands.accepted_id, 0);
    send(&commands, 2, BALANCE_TURN, 0, BALANCE_PHASE_EXECUTING);
    ck_assert_uint_eq(commands.ignored_id, 2);
    balance_commands_update(&commands, BALANCE_PHASE_RECOVERING);
    ck_assert_uint_eq(commands.accepted_id, 0);
    balance_commands_update(&commands, BALANCE_PHASE_STANDING);
    ck_assert_uint_eq(commands.accepted_id, 1);
}
END_TEST

START_TEST(nonsense_and_commands_to_a_fallen_robot_are_ignored)
{
    struct balance_commands commands = {0};
    send(&commands, 1, BALANCE_WALK_FORWARD, 0, BALANCE_PHASE_STANDING);
    ck_assert_uint_eq(commands.ignored_id, 1);
    send(&commands, 2, 99, 1, BALANCE_PHASE_STANDING);
    ck_assert_uint_eq(commands.ignored_id, 2);
    struct balance_command_message turn = command(3, BALANCE_TURN, 0);
    turn.angle_rad = NAN;
    balance_commands_receive(&commands, &turn, BALANCE_PHASE_STANDING);
    ck_assert_uint_eq(commands.ignored_id, 3);
    send(&commands, 4, BALANCE_STAND, 0, BALANCE_PHASE_FALLEN);
    ck_assert_uint_eq(commands.ignored_id, 4);
    ck_assert_uint_eq(commands.accepted_id, 0);
}
END_TEST

START_TEST(a_stop_takes_effect_at_once_and_lasts_until_the_next_plan)
{
    struct balance_commands commands = {0};
    struct balance_status_message status = {0};
    send(&commands, 1, BALANCE_WALK_FORWARD, 6, BALANCE_PHASE_STANDING);
    send(&commands, 2, BALANCE_STOP, 0, BALANCE_PHASE_EXECUTING);
    ck_assert_uint_eq(commands.accepted_id, 2);
    ck_assert(balance_commands_stopping(&commands));
    ck_assert(!balance_commands_wants(&commands, 0));
    balance_commands_update(&commands, BALANCE_PHASE_STANDING);
    balance_commands_report(&commands, &status);
    ck_assert_uint_eq(status.done_id, 2);
    ck_assert_uint_eq(status.request_kind, BALANCE_STOP);
    ck_assert(balance_commands_wants(&commands, 0));
    balance_commands_plan_begun(&commands, 0);
    balance_commands_report(&commands, &status);
    ck_assert_uint_eq(status.request_kind, BALANCE_NONE);
}
END_TEST

START_TEST(a_restarted_balance_takes_its_command_up_again)
{
    struct balance_commands before = {0}, after;
    struct balance_status_message status = {0};
    send(&before, 5, BALANCE_WALK_FORWARD, 6, BALANCE_PHASE_STANDING);
    balance_commands_plan_progress(&before, 5, 2, false, 0); // killed in its third step
    balance_commands_report(&before, &status);
    struct balance_command_message last = command(5, BALANCE_WALK_FORWARD, 6);
    last.gait = GAIT_DYNAMIC;
    balance_commands_restore(&after, &status, &last);
    ck_assert(balance_commands_wants(&after, 5));
    balance_commands_report(&after, &status);
    ck_assert_uint_eq(status.request_steps, 4);
    ck_assert_uint_eq(status.gait, GAIT_DYNAMIC);
    balance_commands_plan_complete(&after, 5);
    balance_commands_report(&after, &status);
    balance_commands_restore(&after, &status, &last);
    ck_assert(!balance_commands_wants(&after, 5)); // it was done
}
END_TEST

static struct balance_watch watch;
static struct state_message state;

static void cycle(uint64_t number, int64_t time_ms, uint32_t active, double reference_rad)
{
    state.cycle = number;
    state.time = instant_ns(time_ms * 1000000);
    for (int j = 0; j < 3; j++) {
        state.joint[j].reference_active = active;
        state.joint[j].reference_rad = reference_rad;
    }
}

static void watch_start(void)
{
    watch = (struct balance_watch){.joint_count = 3, .joint = {0, 1, 2}};
    memset(&state, 0, sizeof state);
    cycle(1, 6, 0, 0);
    ck_assert_int_eq(balance_watch_state(&watch, &state, NULL), INTERRUPTION_FIRST);
    balance_watch_expect(&watch, (double[]){0, 0, 0});
}

START_TEST(an_undisturbed_chain_is_no_interruption)
{
    watch_start();
    for (uint64_t k = 2; k < 20; k++) {
        unsigned cycles;
        cycle(k, (int64_t)k * 10 - 4, 1, 0);
        ck_assert_int_eq(balance_watch_state(&watch, &state, &cycles), INTERRUPTION_NONE);
        ck_assert_uint_eq(cycles, 1);
        balance_watch_expect(&watch, (double[]){0, 0, 0});
    }
    unsigned cycles;
    cycle(21, 206, 1, 0); // one state was not seen
    ck_assert_int_eq(balance_watch_state(&watch, &state, &cycles), INTERRUPTION_NONE);
    ck_assert_uint_eq(cycles, 2);
}
END_TEST

START_TEST(lost_states_and_a_restarted_hardware_daemon_are_interruptions)
{
    watch_start();
    cycle(2, 46, 1, 0);
    ck_assert_int_eq(balance_watch_state(&watch, &state, NULL), INTERRUPTION_GAP);
    cycle(1, 56, 1, 0);
    ck_assert_int_eq(balance_watch_state(&watch, &state, NULL), INTERRUPTION_HARDWARE);
}
END_TEST

START_TEST(a_dead_control_daemon_is_an_interruption_after_four_cycles)
{
    watch_start();
    enum interruption found = INTERRUPTION_NONE;
    uint64_t k = 1;
    while (found == INTERRUPTION_NONE) {
        k++;
        cycle(k, (int64_t)k * 10 - 4, 0, 0);
        found = balance_watch_state(&watch, &state, NULL);
        balance_watch_expect(&watch, (double[]){0, 0, 0});
    }
    ck_assert_int_eq(found, INTERRUPTION_HELD);
    ck_assert_uint_eq(k, 5);
}
END_TEST

START_TEST(references_other_than_commanded_are_an_interruption)
{
    watch_start();
    enum interruption found = INTERRUPTION_NONE;
    uint64_t k = 1;
    while (found == INTERRUPTION_NONE && k < 20) {
        k++;
        cycle(k, (int64_t)k * 10 - 4, 1, 0.3);
        found = balance_watch_state(&watch, &state, NULL);
    }
    ck_assert_int_eq(found, INTERRUPTION_ASTRAY);
}
END_TEST

START_TEST(the_foot_that_carries_the_robot_is_its_ground_else_the_flatter_else_the_lower_one)
{
    const double level[] = {-0.6, -0.6}, right_lifted[] = {-0.57, -0.6};
    const double flat[] = {0, 0.01}, right_on_its_toes[] = {0.9, 0.07};
    ck_assert_int_eq(recovery_anchor(right_lifted, flat, (double[]){0, 410}, 412), SIDE_LEFT);
    ck_assert_int_eq(recovery_anchor(level, flat, (double[]){400, 10}, 412), SIDE_RIGHT);
    ck_assert_int_eq(recovery_anchor(right_lifted, flat, (double[]){200, 212}, 412),
                     SIDE_LEFT); // leans on both
    ck_assert_int_eq(recovery_anchor(right_lifted, flat, (double[]){390, 20}, 412), SIDE_RIGHT);
    ck_assert_int_eq(recovery_anchor(level, flat, (double[]){0, 0}, 412), SIDE_RIGHT); // no sensor
    ck_assert_int_eq(
        recovery_anchor((double[]){-0.62, -0.6}, right_on_its_toes, (double[]){190, 220}, 412),
        SIDE_LEFT);
}
END_TEST

static struct leg legs[SIDE_COUNT];
static struct recovery recovery;
static struct recovery_senses senses;
static struct rest rest;
static const struct pose2d believed[SIDE_COUNT] = {{0.9, 2.1, 0.3}, {1, 2, 0.3}};

static void load_legs(void)
{
    struct robot_model *model;
    ck_assert_int_eq(robot_model_load("targets/hubo2/robot.xml", &model), STATUS_OK);
    for (int side = 0; side < SIDE_COUNT; side++)
        ck_assert_int_eq(leg_from_model(model, (enum side)side, &legs[side]), STATUS_OK);
    senses.weight_N = model->mass_kg * 9.81;
    robot_model_free(model);
}

// Leg angles of a robot frozen in mid-step: on the left foot, the right one lifted, ahead and
// slightly tilted.
static void frozen_in_mid_step(void)
{
    memset(&senses, 0, sizeof senses);
    load_legs();
    const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double tilted[9] = {1, 0, 0, 0, cos(0.03), -sin(0.03), 0, sin(0.03), cos(0.03)};
    const double pelvis[3] = {0, 0, 0.6},
                 sole[SIDE_COUNT][3] = {{0.06, -0.15, 0.035}, {0, 0.03, 0}};
    for (int side = 0; side < SIDE_COUNT; side++)
        ck_assert_int_eq(leg_inverse(&legs[side], pelvis, upright, sole[side],
                                     side == SIDE_RIGHT ? tilted : upright, senses.angle_rad[side]),
                         STATUS_OK);
    senses.force_N[SIDE_LEFT] = senses.weight_N;
}

// As found in a simulated trial after balance was killed in mid-step: the left foot flat, half a
// metre ahead the right one on its toes, the knee straight, the ankle past a right angle.
static void frozen_on_the_toes(void)
{
    static const double found[SIDE_COUNT][LEG_JOINTS] = {{0, 0.033, -0.772, 0.019, 1.690, -0.033},
                                                         {0, 0.009, -0.234, 1.184, -0.950, -0.008}};
    senses = (struct recovery_senses){
        .force_N = {115, 212}, .imu_valid = true, .roll_rad = -0.003, .pitch_rad = -0.015};
    load_legs();
    memcpy(senses.angle_rad, found, sizeof found);
}

// Observes, and starts a recovery that stands upright over the middle between the feet.
static void start_recovery(struct pose2d foot[SIDE_COUNT], struct segment_sample *stand)
{
    recovery_observe(legs, &senses, believed, &rest);
    struct pose2d flat[SIDE_COUNT];
    recovery_flat(&rest, flat);
    recovery_feet(&rest, foot);
    *stand = standing(0);
    stand->pelvis_m[0] = 0.5 * (foot[0].x_m + foot[1].x_m);
    stand->pelvis_m[1] = 0.5 * (foot[0].y_m + foot[1].y_m);
    stand->pelvis_yaw_rad = 0.3;
    double anchored_m[3] = {flat[rest.anchor].x_m, flat[rest.anchor].y_m, rest.apart ? 0.46 : 0.6};
    recovery_start(&recovery, &senses, &rest, anchored_m, stand);
}

// Poses of pelvis and soles in the frame of the left sole, which lies flat.
static void look(double angle[SIDE_COUNT][LEG_JOINTS], struct body_pose *pose)
{
    struct rest now;
    struct recovery_senses seen = senses;
    memcpy(seen.angle_rad, angle, sizeof seen.angle_rad);
    seen.imu_valid = false;
    seen.force_N[SIDE_LEFT] = seen.weight_N;
    seen.force_N[SIDE_RIGHT] = 0;
    recovery_observe(legs, &seen, believed, &now);
    *pose = now.pose;
}

START_TEST(a_recovery_leads_smoothly_from_mid_step_to_both_soles_on_the_floor)
{
    double angle[SIDE_COUNT][LEG_JOINTS], before[SIDE_COUNT][LEG_JOINTS];
    struct pose2d foot[SIDE_COUNT];
    struct segment_sample stand;
    frozen_in_mid_step();
    start_recovery(foot, &stand);
    ck_assert(rest.lifted);
    ck_assert_int_eq(rest.anchor, SIDE_LEFT);
    ck_assert_double_eq_tol(rest.pose.sole_m[SIDE_RIGHT][2], 0.035, 1e-9);
    ck_assert_double_eq_tol(hypot(foot[0].x_m - foot[1].x_m, foot[0].y_m - foot[1].y_m),
                            hypot(0.06, 0.18), 1e-9);
    memcpy(before, senses.angle_rad, sizeof before);
    double fastest = 0, away_m = 0;
    int cycles = 0;
    struct body_pose pose;
    for (bool complete = false; !complete && cycles < 2000; cycles++) {
        complete = recovery_step(&recovery, legs, 0.01, angle);
        for (int side = 0; side < SIDE_COUNT; side++)
            for (int j = 0; j < LEG_JOINTS; j++)
                fastest = fmax(fastest, fabs(angle[side][j] - before[side][j]) / 0.01);
        memcpy(before, angle, sizeof before);
        look(angle, &pose);
        if (pose.sole_m[SIDE_RIGHT][2] < 0.034 && pose.sole_m[SIDE_RIGHT][2] > 0.001)
            away_m = fmax(away_m, hypot(pose.pelvis_m[0] - 1, pose.pelvis_m[1] - 2));
    }
    ck_assert_int_lt(cycles, 800);
    ck_assert_double_lt(fastest, 1.0);  // rad/s
    ck_assert_double_lt(away_m, 0.002); // over the anchor while the other foot comes down
    ck_assert_double_eq_tol(pose.sole_m[SIDE_RIGHT][2], 0, 1e-6);
    ck_assert_double_eq_tol(pose.sole_rpy[SIDE_RIGHT][0], 0, 1e-6);
    ck_assert_double_eq_tol(pose.sole_m[SIDE_RIGHT][0], foot[SIDE_RIGHT].x_m, 1e-6);
    ck_assert_double_eq_tol(pose.pelvis_m[0], stand.pelvis_m[0], 1e-6);
    ck_assert_double_eq_tol(pose.pelvis_m[2], 0.6, 1e-6);
}
END_TEST

// Where the front edge of the right sole is.
static void toes(const struct body_pose *pose, double at[3])
{
    const double *rpy = pose->sole_rpy[SIDE_RIGHT];
    double R[9], front[3] = {0.105, 0, 0};
    rotation_rpy(rpy[0], rpy[1], rpy[2], R);
    rotate(R, front, at);
    vec_add(at, pose->sole_m[SIDE_RIGHT], at);
}

START_TEST(a_foot_on_its_toes_is_laid_flat_about_them_and_then_brought_nearer)
{
    double angle[SIDE_COUNT][LEG_JOINTS], before[SIDE_COUNT][LEG_JOINTS], at[3], edge[3];
    struct pose2d foot[SIDE_COUNT];
    struct segment_sample stand;
    struct body_pose pose;
    frozen_on_the_toes();
    start_recovery(foot, &stand);
    ck_assert_int_eq(rest.anchor, SIDE_LEFT);
    ck_assert(!rest.lifted && rest.apart);
    ck_assert_double_gt(rest.contact_m[SIDE_RIGHT][0], 0.1);
    memcpy(before, senses.angle_rad, sizeof before);
    look(senses.angle_rad, &pose);
    toes(&pose, edge);
    double fastest = 0, slip_m = 0;
    int cycles = 0;
    for (bool complete = false; !complete && cycles < 3000; cycles++) {
        complete = recovery_step(&recovery, legs, 0.01, angle);
        for (int side = 0; side < SIDE_COUNT; side++)
            for (int j = 0; j < LEG_JOINTS; j++)
                fastest = fmax(fastest, fabs(angle[side][j] - before[side][j]) / 0.01);
        memcpy(before, angle, sizeof before);
        look(angle, &pose);
        toes(&pose, at);
        if (recovery.time_s < recovery.duration_s[0])
            slip_m = fmax(slip_m, hypot(hypot(at[0] - edge[0], at[1] - edge[1]), at[2] - edge[2]));
    }
    ck_assert_int_lt(cycles, 1500);
    ck_assert_double_lt(fastest, 1.41); // the closed form alone jumps here
    ck_assert_double_lt(slip_m, 0.01);
    ck_assert_double_eq_tol(pose.sole_m[SIDE_RIGHT][2], 0, 1e-3);
    ck_assert_double_eq_tol(pose.pelvis_m[2], 0.6, 1e-3);
    ck_assert_double_lt(hypot(foot[0].x_m - foot[1].x_m, foot[0].y_m - foot[1].y_m), 0.3);
}
END_TEST

// As found in another trial: the right foot on its inner edge, the left one ahead on the corner of
// its toes. The centre of mass is within 2 cm of the triangle's edge.
static void frozen_on_edges(void)
{
    static const double found[SIDE_COUNT][LEG_JOINTS] = {{0, -0.006, -0.231, 1.173, -0.940, 0.005},
                                                         {0, -0.028, -0.791, 0, 1.700, 0.028}};
    senses = (struct recovery_senses){
        .force_N = {263, 88}, .imu_valid = true, .roll_rad = -0.056, .pitch_rad = -0.010};
    load_legs();
    memcpy(senses.angle_rad, found, sizeof found);
}

START_TEST(a_robot_on_edges_is_not_moved_by_what_may_be_an_error)
{
    struct pose2d foot[SIDE_COUNT];
    struct segment_sample stand;
    frozen_on_edges();
    start_recovery(foot, &stand);
    ck_assert_int_eq(rest.anchor, SIDE_RIGHT);
    ck_assert(rest.touches && !rest.lifted);
    ck_assert_double_gt(rest.contact_m[SIDE_RIGHT][1], 0.06);
    ck_assert_double_eq(rest.contact_m[SIDE_RIGHT][0], 0);
    ck_assert_double_gt(rest.contact_m[SIDE_LEFT][0], 0.1);
    ck_assert_double_gt(rest.contact_m[SIDE_LEFT][1], 0.06);
    const struct body_pose *key = recovery.key;
    // first the anchor alone, about its edge; its pitch is as good as none
    ck_assert_double_lt(key[0].sole_rpy[SIDE_RIGHT][0], -0.05);
    ck_assert_double_eq(key[1].sole_rpy[SIDE_RIGHT][0], 0);
    ck_assert_double_eq(key[1].sole_rpy[SIDE_RIGHT][1], key[0].sole_rpy[SIDE_RIGHT][1]);
    ck_assert_mem_eq(key[1].pelvis_m, key[0].pelvis_m, sizeof key[0].pelvis_m);
    ck_assert_mem_eq(key[1].sole_m[SIDE_LEFT], key[0].sole_m[SIDE_LEFT],
                     sizeof key[0].sole_m[SIDE_LEFT]);
    // then the other one, on the floor where it is, the pelvis moving inwards
    double R[9], corner[3];
    const double *rpy = key[0].sole_rpy[SIDE_LEFT];
    rotation_rpy(rpy[0], rpy[1], rpy[2], R);
    rotate(R, rest.contact_m[SIDE_LEFT], corner);
    ck_assert_double_eq_tol(key[2].sole_m[SIDE_LEFT][2], key[0].sole_m[SIDE_LEFT][2] + corner[2],
                            1e-12);
    double yaw = key[0].sole_rpy[SIDE_RIGHT][2];
    double inwards = -sin(yaw) * (key[2].pelvis_m[0] - key[1].pelvis_m[0]) +
                     cos(yaw) * (key[2].pelvis_m[1] - key[1].pelvis_m[1]);
    ck_assert_double_lt(inwards, -0.03);
}
END_TEST

UNIT_MAIN("balance", a_plan_begins_where_the_robot_stands,
          a_segment_replaces_what_was_held_from_its_first_sample_on,
          a_segment_that_does_not_fit_is_refused_and_changes_nothing,
          a_segment_that_ends_in_mid_step_is_refused, a_long_walk_runs_through_the_ring,
          a_walk_becomes_a_request_until_its_plan_is_complete,
          a_plan_that_ends_early_leaves_only_the_rest_to_be_done,
          what_cannot_be_done_now_is_delayed_and_a_second_is_ignored,
          nonsense_and_commands_to_a_fallen_robot_are_ignored,
          a_stop_takes_effect_at_once_and_lasts_until_the_next_plan,
          a_restarted_balance_takes_its_command_up_again, an_undisturbed_chain_is_no_interruption,
          lost_states_and_a_restarted_hardware_daemon_are_interruptions,
          a_dead_control_daemon_is_an_interruption_after_four_cycles,
          references_other_than_commanded_are_an_interruption,
          the_foot_that_carries_the_robot_is_its_ground_else_the_flatter_else_the_lower_one,
          a_recovery_leads_smoothly_from_mid_step_to_both_soles_on_the_floor,
          a_foot_on_its_toes_is_laid_flat_about_them_and_then_brought_nearer,
          a_robot_on_edges_is_not_moved_by_what_may_be_an_error)
