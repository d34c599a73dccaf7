// The oracle of readings heard: each kind of reading passes when a reply of its cycle held it, and
// fails when it was kept from the cycle before, stamped before its reply, or never said at all.
#include "tests/unit/common/synthetic.h"

#include "protocol/hubo_frames.h"

#define CYCLES 20
#define REPLY_LATE_S 0.002 // after the start of its cycle
#define STATE_LATE_S 0.006

enum kind { KIND_JOINT, KIND_FORCE_TORQUE, KIND_TILT, KIND_IMU, KIND_POWER, KINDS };
enum lie { LIE_NONE, LIE_KEPT, LIE_STAMPED_EARLY, LIE_INVENTED };

struct told { // the last cycle's reading of `liar` is not what was said
    enum kind liar;
    enum lie lie;
};

static struct state_message state;

// A reply of some board; what it says differs in every cycle.
static void log_reply(struct made_up *m, unsigned bus, const struct can_frame *frame)
{
    struct bus_log_frame *logged = &m->log.frame[m->log.count++];
    *logged = (struct bus_log_frame){.time = instant_s(made_up_time_s(m) + REPLY_LATE_S),
                                     .bus = bus,
                                     .can_id = frame->can_id,
                                     .length = frame->can_dlc,
                                     .sender = BUS_LOG_BOARD};
    memcpy(logged->data, frame->data, sizeof logged->data);
}

static void say_joint(struct made_up *m, int j, int cycle)
{
    const struct board_description *board = &m->description->board[m->description->joint[j].board];
    int32_t ticks[HUBO_CHANNELS_MAX] = {0};
    struct can_frame frame;
    for (unsigned c = 0; c < board->channel_count; c++)
        if (board->joint[c] == j)
            ticks[c] = 100 * cycle;
    hubo_encoder_reply(&frame, board->encoder_can_id, board->channel_count, false, ticks);
    log_reply(m, board->bus, &frame);
    state.joint[j] = (struct joint_reading){
        .position_rad = hubo_angle_rad(100 * cycle, m->description->joint[j].ticks_per_rad),
        .valid = 1};
}

static void say_sensors(struct made_up *m, int cycle)
{
    struct can_frame frame;
    struct force_torque_reading *force = &state.force_torque[FT_LEFT_HAND];
    hubo_force_torque_reply(&frame, HUBO_SENSOR_LEFT_HAND, 1, 2, cycle);
    (void)hubo_decode_force_torque(&frame, &force->moment_x_Nm, &force->moment_y_Nm,
                                   &force->force_z_N);
    log_reply(m, 1, &frame);
    struct tilt_reading *tilt = &state.tilt[SIDE_LEFT];
    hubo_tilt_reply(&frame, HUBO_SENSOR_LEFT_FOOT, 0.1, 0.01 * cycle, 1);
    (void)hubo_decode_tilt(&frame, &tilt->angle_x_rad, &tilt->angle_y_rad, &tilt->acceleration_z_g);
    log_reply(m, 0, &frame);
    struct imu_reading *imu = &state.imu;
    hubo_imu_reply(&frame, 0.1, 0.2, 0.01 * cycle, 0.4);
    (void)hubo_decode_imu(&frame, &imu->roll_rad, &imu->pitch_rad, &imu->roll_rate_rad_s,
                          &imu->pitch_rate_rad_s);
    log_reply(m, 0, &frame);
    struct power_reading *power = &state.power;
    hubo_power_reply(&frame, 48, 0.1 * cycle, 100);
    (void)hubo_decode_power(&frame, &power->voltage_V, &power->current_A, &power->power_W);
    log_reply(m, 1, &frame);
    force->valid = tilt->valid = imu->valid = power->valid = 1;
}

struct parts { // of the reading of each kind: a number that changes with every cycle, and the stamp
    double *value[KINDS];
    instant *stamp[KINDS];
};

static struct parts parts_of(int joint)
{
    struct force_torque_reading *force = &state.force_torque[FT_LEFT_HAND];
    struct tilt_reading *tilt = &state.tilt[SIDE_LEFT];
    return (struct parts){
        .value = {&state.joint[joint].position_rad, &force->force_z_N, &tilt->angle_y_rad,
                  &state.imu.roll_rate_rad_s, &state.power.current_A},
        .stamp = {&state.joint[joint].time, &force->time, &tilt->time, &state.imu.time,
                  &state.power.time},
    };
}

static void lie(const struct told *told, const struct parts *parts, double kept)
{
    if (told->lie == LIE_KEPT)
        *parts->value[told->liar] = kept;
    else if (told->lie == LIE_INVENTED)
        *parts->value[told->liar] += 0.5;
    else if (told->lie == LIE_STAMPED_EARLY)
        parts->stamp[told->liar]->ns -= 1000000;
}

static void one_cycle(struct made_up *m, int joint, int cycle, const struct told *told)
{
    const struct parts parts = parts_of(joint);
    const double kept = *parts.value[told->liar];
    state.cycle++;
    state.cycle_start = instant_s(made_up_time_s(m));
    state.time = instant_s(made_up_time_s(m) + STATE_LATE_S);
    say_joint(m, joint, cycle);
    say_sensors(m, cycle);
    for (unsigned kind = 0; kind < KINDS; kind++)
        *parts.stamp[kind] = instant_s(made_up_time_s(m) + REPLY_LATE_S);
    if (cycle == CYCLES)
        lie(told, &parts, kept);
    publish_at(m, "state", made_up_time_s(m) + STATE_LATE_S, &state, sizeof state);
    one_tick(m);
}

static struct oracle_verdict judge_told(const struct told *told)
{
    struct made_up *m = make_up();
    m->references = false;
    state = (struct state_message){.joint_count = m->description->joint_count};
    for (int cycle = 1; cycle <= CYCLES; cycle++)
        one_cycle(m, joint_named(m, "LKN"), cycle, told);
    const struct oracle_verdict verdict = *oracle_of(judged(m), "readings-heard");
    forget(m);
    return verdict;
}

START_TEST(readings_that_were_heard_pass)
{
    const struct oracle_verdict verdict = judge_told(&(struct told){0});
    ck_assert_msg(verdict.verdict == VERDICT_PASS, "%s", verdict.detail);
    ck_assert_ptr_nonnull(strstr(verdict.detail, "100 valid readings, 0 ")); // 5 kinds, 20 cycles
}
END_TEST

START_TEST(a_state_whose_frames_the_history_no_longer_holds_is_not_judged)
{
    struct made_up *m = make_up();
    m->references = false;
    state = (struct state_message){.joint_count = m->description->joint_count};
    for (int cycle = 1; cycle <= CYCLES; cycle++)
        one_cycle(m, joint_named(m, "LKN"), cycle, &(struct told){0});
    state.cycle++;
    state.cycle_start = instant_s(made_up_time_s(m));
    state.time = instant_s(made_up_time_s(m) + STATE_LATE_S);
    publish_at(m, "state", made_up_time_s(m) + STATE_LATE_S, &state, sizeof state);
    expect_verdict(m, "readings-heard", VERDICT_PASS);
    one_tick(m); // now it does, and nobody has replied
    expect_verdict(m, "readings-heard", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(each_kind_of_reading_that_was_not_heard_fails_by_name)
{
    static const char *const name[KINDS] = {"LKN", "left hand's force", "left foot's tilt", "IMU",
                                            "power"};
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (enum lie lie = LIE_KEPT; lie <= LIE_INVENTED; lie++) {
            const struct oracle_verdict verdict = judge_told(&(struct told){kind, lie});
            ck_assert_msg(verdict.verdict == VERDICT_FAIL, "%s, lie %d: %s", name[kind], (int)lie,
                          verdict.detail);
            ck_assert_ptr_nonnull(strstr(verdict.detail, name[kind]));
        }
}
END_TEST

START_TEST(states_that_lack_readings_without_a_fault_fail)
{
    struct made_up *m = make_up();
    static struct state_message without;
    until(m, 1);
    expect_verdict(m, "readings-complete", VERDICT_SKIP);
    publish(m, "state", &without, sizeof without);
    expect_verdict(m, "readings-complete", VERDICT_FAIL);
    m->target.bus_count = 1;
    m->target.bus[0].bitrate_bit_s = 1000000;
    m->scenario.bus_bitrate_bit_s = 500000; // the scenario asks for it
    expect_verdict(m, "readings-complete", VERDICT_SKIP);
    forget(m);
}
END_TEST

UNIT_MAIN("oracle of readings", readings_that_were_heard_pass,
          a_state_whose_frames_the_history_no_longer_holds_is_not_judged,
          each_kind_of_reading_that_was_not_heard_fails_by_name,
          states_that_lack_readings_without_a_fault_fail)
