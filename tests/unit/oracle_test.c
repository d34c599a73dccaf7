// oracles: each passes a sound trial, and fails the trial that breaks just its promise.
#include "synthetic.h"

START_TEST(a_sound_trial_passes_every_oracle)
{
    struct made_up *m = make_up();
    swing_until(m, 6, true, true);
    expect_all_pass(m);
    ck_assert(!judged(m)->observation.present);
    forget(m);
}
END_TEST

START_TEST(every_verdict_of_a_limit_has_a_positive_margin_when_it_holds)
{
    struct made_up *m = make_up();
    swing_until(m, 3, true, true);
    static const char *const name[] = {"position-limit", "velocity-limit", "acceleration-limit"};
    for (int i = 0; i < 3; i++)
        ck_assert_double_gt(oracle_of(judged(m), name[i])->margin, 0);
    forget(m);
}
END_TEST

// ---- limits on the bus ------------------------------------------------------------------------

START_TEST(a_reference_past_a_joint_limit_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->speed_rad_s[joint_named(m, "RHR")] = 0.6; // to 0.52 rad and further
    until(m, 2);
    expect_verdict(m, "position-limit", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_reference_faster_than_the_joint_may_be_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->speed_rad_s[joint_named(m, "RSP")] = 6.2; // maximum 6
    until(m, 1.1);
    expect_verdict(m, "velocity-limit", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_joint_at_its_maximum_velocity_passes)
{
    struct made_up *m = make_up();
    m->commanded = false;
    int joint = joint_named(m, "RSP");
    until(m, 1);
    for (int i = 1; i <= 80; i++) { // 15 rad/s2 up to 6 rad/s, and down again
        m->speed_rad_s[joint] = i <= 40 ? 0.15 * i : 0.15 * (80 - i);
        one_tick(m);
    }
    expect_verdict(m, "velocity-limit", VERDICT_PASS);
    expect_verdict(m, "acceleration-limit", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_control_daemon_that_ignores_acceleration_limits_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->speed_rad_s[joint_named(m, "RHP")] =
        1.3; // from rest within a cycle: 130 rad/s2, maximum 120
    until(m, 1.5);
    expect_verdict(m, "acceleration-limit", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_motion_that_goes_on_at_speed_after_a_gap_fails)
{
    struct made_up *m = make_up();
    int joint = joint_named(m, "RHP");
    m->speed_rad_s[joint] = 1.1;
    until(m, 0.5);
    m->references = false; // the boards hold
    m->speed_rad_s[joint] = 0;
    until(m, 1);
    m->references = true;
    m->speed_rad_s[joint] = 1.3;
    until(m, 1.5);
    expect_verdict(m, "acceleration-limit", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(references_may_resume_from_the_measured_position)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->references = false;
    m->truth.setpoint_rad[joint_named(m, "RHP")] -= 0.05; // sags: 5 rad/s if it counted as a motion
    until(m, 2);
    m->references = true;
    until(m, 3);
    expect_verdict(m, "acceleration-limit", VERDICT_PASS);
    forget(m);
}
END_TEST

// ---- commands ---------------------------------------------------------------------------------

static void command(struct made_up *m, const char *channel, const char *joint, uint32_t mode,
                    double value, double acceleration)
{
    struct command_message message = {.time = instant_s(made_up_time_s(m)),
                                      .joint_count = m->description->joint_count};
    message.joint[joint_named(m, joint)] = (struct joint_command){
        .mode = mode, .value = value, .acceleration_nominal_rad_s2 = acceleration};
    publish(m, channel, &message, sizeof message);
}

START_TEST(position_mode_within_the_nominal_acceleration_passes)
{
    struct made_up *m = make_up();
    until(m, 1);
    command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 1, 0); // nominal 0.4 rad/s2, 0.75 rad/s
    for (int i = 1; i <= 100; i++) {
        m->speed_rad_s[joint_named(m, "RSP")] = 0.004 * i;
        one_tick(m);
    }
    expect_verdict(m, "nominal-acceleration", VERDICT_PASS);
    expect_verdict(m, "nominal-velocity", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(position_mode_beyond_the_nominal_acceleration_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 1, 0);
    m->speed_rad_s[joint_named(m, "RSP")] =
        0.05; // 5 rad/s2: below the maximum, above the nominal 0.4
    until(m, 2);
    expect_verdict(m, "acceleration-limit", VERDICT_PASS);
    expect_verdict(m, "nominal-acceleration", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(position_mode_beyond_the_nominal_velocity_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 2, 15);
    for (int i = 1; i <= 10; i++) {
        m->speed_rad_s[joint_named(m, "RSP")] = 0.08 * i; // to 0.8 rad/s, nominal 0.75
        one_tick(m);
    }
    one_tick(m); // the last reference goes out on the bus in the next cycle
    expect_verdict(m, "nominal-velocity", VERDICT_FAIL);
    forget(m);
}
END_TEST

// A leg moves at 0.5 rad/s by one velocity command; after hold_s it slows down with `down` rad/s2.
static void velocity_command_lapses(struct made_up *m, double hold_s, double down)
{
    int joint = joint_named(m, "RHP");
    until(m, 1);
    command(m, "leg-command", "RHP", JOINT_MODE_VELOCITY, 0.5, 60);
    m->speed_rad_s[joint] = 0.5;
    until(m, 1 + hold_s);
    while (m->speed_rad_s[joint] > 0 && made_up_time_s(m) < 2.2) {
        m->speed_rad_s[joint] = fmax(0, m->speed_rad_s[joint] - down * TICK_S);
        one_tick(m);
    }
    until(m, 2.5);
}

START_TEST(velocity_mode_that_winds_down_after_its_time_out_passes)
{
    struct made_up *m = make_up();
    velocity_command_lapses(m, 0.5, 10);
    expect_verdict(m, "velocity-wind-down", VERDICT_PASS);
    expect_verdict(m, "nominal-acceleration", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(velocity_mode_that_never_times_out_fails)
{
    struct made_up *m = make_up();
    velocity_command_lapses(m, 1.0, 10);
    expect_verdict(m, "velocity-wind-down", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(velocity_mode_that_stops_dead_at_its_time_out_fails)
{
    struct made_up *m = make_up();
    velocity_command_lapses(m, 0.6, 50);
    expect_verdict(m, "nominal-acceleration", VERDICT_FAIL);
    forget(m);
}
END_TEST

// ---- segments ---------------------------------------------------------------------------------

static struct segment_message *standing_segment(void)
{
    struct segment_message *segment = calloc(1, sizeof *segment);
    ck_assert_ptr_nonnull(segment);
    segment->plan_id = segment->segment_number = 1;
    segment->count = 100;
    for (unsigned i = 0; i < segment->count; i++) {
        struct segment_sample *sample = &segment->sample[i];
        sample->pelvis_m[2] = sample->com_m[2] = 0.6;
        sample->foot_m[SIDE_LEFT][1] = 0.1;
        sample->foot_m[SIDE_RIGHT][1] = -0.1;
        sample->support = SUPPORT_BOTH;
    }
    return segment;
}

static void expect_segment(struct segment_message *segment, enum verdict expected)
{
    struct made_up *m = make_up();
    until(m, 1);
    publish(m, "segment", segment,
            offsetof(struct segment_message, sample) + segment->count * sizeof segment->sample[0]);
    until(m, 2);
    expect_verdict(m, "segments-end-stable", expected);
    forget(m);
    free(segment);
}

START_TEST(a_segment_that_ends_standing_passes)
{
    expect_segment(standing_segment(), VERDICT_PASS);
}
END_TEST

START_TEST(a_segment_that_ends_in_mid_step_fails)
{
    struct segment_message *segment = standing_segment();
    segment->sample[99].foot_m[SIDE_RIGHT][2] = segment->sample[98].foot_m[SIDE_RIGHT][2] = 0.04;
    expect_segment(segment, VERDICT_FAIL);
    segment = standing_segment();
    segment->sample[99].support = SUPPORT_LEFT;
    expect_segment(segment, VERDICT_FAIL);
}
END_TEST

START_TEST(a_segment_that_ends_in_motion_fails)
{
    struct segment_message *segment = standing_segment();
    segment->sample[99].pelvis_m[0] = 0.005;
    expect_segment(segment, VERDICT_FAIL);
    segment = standing_segment();
    segment->sample[99].com_velocity_m_s[0] = 0.1;
    expect_segment(segment, VERDICT_FAIL);
}
END_TEST

START_TEST(a_segment_that_ends_off_balance_fails)
{
    struct segment_message *segment = standing_segment();
    segment->sample[99].com_m[0] = segment->sample[98].com_m[0] = 0.12; // soles reach to 0.1
    expect_segment(segment, VERDICT_FAIL);
}
END_TEST

START_TEST(a_segment_shorter_than_it_says_fails)
{
    struct made_up *m = make_up();
    struct segment_message *segment = standing_segment();
    until(m, 1);
    publish(m, "segment", segment,
            offsetof(struct segment_message, sample) + 10 * sizeof segment->sample[0]);
    until(m, 2);
    expect_verdict(m, "segments-end-stable", VERDICT_FAIL);
    forget(m);
    free(segment);
}
END_TEST

// ---- the whole motion -------------------------------------------------------------------------

START_TEST(a_fall_without_a_fault_fails)
{
    struct made_up *m = make_up();
    until(m, 2);
    m->truth.pelvis_quaternion[0] = cos(0.5); // tilted by 1 rad
    m->truth.pelvis_quaternion[2] = sin(0.5);
    until(m, 3);
    expect_verdict(m, "upright-without-fault", VERDICT_FAIL);
    expect_verdict(m, "completes-without-fault", VERDICT_FAIL);
    forget(m);
}
END_TEST

// A bus fault strikes at 2 s and ends at 3 s, and the robot lies from 4 s on if it is to.
static struct made_up *after_a_bus_fault(bool falls)
{
    struct made_up *m = make_up();
    m->scenario.fault[m->scenario.fault_count++] = (struct fault_request){
        .kind = "bus-cut", .component = "can0", .duration_s = 1, .restart_after_s = -1};
    m->truth.goal_m[0] = 2;
    const struct planner_command_message go = {.id = 3, .kind = PLANNER_GO_TO_GOAL};
    publish(m, "planner-command", &go, sizeof go);
    until(m, 2);
    fault_happens(m, 0, FAULT_APPLIED, true);
    until(m, 3);
    fault_happens(m, 0, FAULT_UNDONE, true);
    until(m, 4);
    if (falls)
        lie_down(m);
    until(m, 5);
    return m;
}

START_TEST(a_fall_after_a_fault_fails_where_the_scenario_promises_none)
{
    struct made_up *m = after_a_bus_fault(true);
    expect_verdict(m, "stays-upright", VERDICT_PASS);
    m->scenario.must_stand = true;
    expect_verdict(m, "stays-upright", VERDICT_FAIL);
    expect_verdict(m, "completes-after-fault", VERDICT_PASS); // there is nothing to complete
    forget(m);
    m = after_a_bus_fault(false);
    m->scenario.must_stand = true;
    expect_verdict(m, "stays-upright", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_robot_that_stands_after_a_fault_and_goes_no_further_fails)
{
    struct made_up *m = after_a_bus_fault(false);
    expect_verdict(m, "completes-after-fault", VERDICT_FAIL);
    m->scenario.must_complete = false;
    expect_verdict(m, "completes-after-fault", VERDICT_PASS);
    m->scenario.must_complete = true;
    const struct planner_status_message status = {.reached_id = 3};
    m->truth.pelvis_m[0] = 1.95;
    publish(m, "planner-status", &status, sizeof status);
    until(m, 6);
    expect_verdict(m, "completes-after-fault", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_walk_that_does_not_reach_its_goal_fails)
{
    struct made_up *m = make_up();
    m->truth.goal_m[0] = 2;
    struct planner_command_message go = {.id = 3, .kind = PLANNER_GO_TO_GOAL};
    publish(m, "planner-command", &go, sizeof go);
    until(m, 2);
    expect_verdict(m, "completes-without-fault", VERDICT_FAIL);
    struct planner_status_message status = {.reached_id = 3};
    m->truth.pelvis_m[0] = 1.95;
    publish(m, "planner-status", &status, sizeof status);
    until(m, 3);
    expect_verdict(m, "completes-without-fault", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_planner_that_says_it_arrived_and_is_not_there_fails)
{
    struct made_up *m = make_up();
    m->truth.goal_m[0] = 2;
    struct planner_command_message go = {.id = 3, .kind = PLANNER_GO_TO_GOAL};
    struct planner_status_message status = {.reached_id = 3};
    publish(m, "planner-command", &go, sizeof go);
    publish(m, "planner-status", &status, sizeof status);
    until(m, 2);
    expect_verdict(m, "completes-without-fault", VERDICT_FAIL);
    forget(m);
}
END_TEST

static struct made_up *standing_robot_whose_planner_is_killed(bool restarts)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", 4);
    until(m, 5);
    killed(m, "planner", "Planner");
    until(m, 9);
    if (restarts)
        restarted(m, "planner", "Planner");
    until(m, 14);
    return m;
}

START_TEST(a_component_that_comes_back_passes)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(true);
    expect_all_pass(m);
    ck_assert_double_eq_tol(judged(m)->observation.restart_time_s, 4, 1e-9);
    forget(m);
}
END_TEST

START_TEST(a_component_that_does_not_come_back_fails)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(false);
    expect_verdict(m, "restart-and-resume", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_robot_that_falls_after_the_restart_fails)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(true);
    lie_down(m);
    until(m, 15);
    expect_verdict(m, "restart-and-resume", VERDICT_FAIL);
    forget(m);
}
END_TEST

// ---- processes --------------------------------------------------------------------------------

START_TEST(a_peer_that_dies_of_a_fault_fails)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(true);
    process_happens(m, "balance", "Balance", PROCESS_KILLED, 11, 0);
    expect_verdict(m, "peers-survive", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_killed_component_that_dies_again_by_itself_fails)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(true);
    process_happens(m, "planner", "Planner", PROCESS_EXITED, 3, 1);
    expect_verdict(m, "peers-survive", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_process_that_hangs_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    process_happens(m, "balance", "Balance", PROCESS_HUNG, 0, 0);
    expect_verdict(m, "turns-returned", VERDICT_FAIL);
    forget(m);
}
END_TEST

static void operator_exceeds_a_limit(struct made_up *m)
{
    struct limit_event event = {.time = instant_s(made_up_time_s(m)), .used = 61, .allowed = 32};
    strcpy(event.process, "operator");
    strcpy(event.words, "processes: operator (pid 9): 61 processes, at most 32");
    publish(m, TOPIC_LIMIT, &event, sizeof event);
}

START_TEST(a_process_that_exceeds_a_limit_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    expect_verdict(m, "limits-kept", VERDICT_PASS);
    operator_exceeds_a_limit(m);
    expect_verdict(m, "limits-kept", VERDICT_FAIL);
    ck_assert_str_eq(oracle_of(judged(m), "limits-kept")->detail,
                     "processes: operator (pid 9): 61 processes, at most 32");
    forget(m);
}
END_TEST

START_TEST(a_fault_that_a_limit_has_forestalled_is_no_error)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 1);
    operator_exceeds_a_limit(m);
    expect_verdict(m, "fault-effective", VERDICT_PASS);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_FAIL);
    forget(m);
}
END_TEST

// ---- the lab ----------------------------------------------------------------------------------

START_TEST(a_fault_requested_and_not_applied_is_an_error)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 5);
    expect_verdict(m, "fault-effective", VERDICT_ERROR);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(a_robot_that_falls_before_its_fault_is_a_broken_target)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 2);
    lie_down(m);
    until(m, 3);
    expect_verdict(m, "upright-without-fault", VERDICT_FAIL);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_fault_without_proof_is_an_error)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 5);
    fault_happens(m, 0, FAULT_APPLIED, false);
    until(m, 6);
    expect_verdict(m, "fault-effective", VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(a_fault_that_is_not_undone_is_an_error)
{
    struct made_up *m = make_up();
    m->scenario.fault_count = 1;
    m->scenario.fault[0] = (struct fault_request){
        .kind = "stall", .component = "Control", .duration_s = 1, .restart_after_s = -1};
    until(m, 2);
    fault_happens(m, 0, FAULT_APPLIED, true);
    until(m, 6);
    expect_verdict(m, "fault-undone", VERDICT_ERROR);
    fault_happens(m, 0, FAULT_UNDONE, true);
    expect_verdict(m, "fault-undone", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_physics_warning_is_an_error)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->truth.physics_warning = 1;
    one_tick(m);
    expect_verdict(m, "lab-physics", VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(a_simulated_robot_that_dies_is_an_error)
{
    struct made_up *m = make_up();
    until(m, 1);
    process_happens(m, "simulator", "", PROCESS_KILLED, 11, 0);
    expect_verdict(m, "lab-physics", VERDICT_ERROR);
    expect_verdict(m, "peers-survive", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_history_with_missing_frames_is_an_error)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->number[made_up_topic(m, "truth")] += 3;
    until(m, 2);
    expect_verdict(m, "lab-history", VERDICT_ERROR);
    forget(m);
    m = make_up();
    until(m, 1);
    m->log.dropped = 2;
    one_tick(m);
    expect_verdict(m, "lab-history", VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(an_empty_history_is_an_error)
{
    struct made_up *m = make_up();
    ck_assert_int_eq(judged(m)->verdict, VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(a_broken_lab_outweighs_a_broken_target)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->truth.physics_warning = 1;
    lie_down(m);
    until(m, 2);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_ERROR);
    forget(m);
}
END_TEST

UNIT_MAIN("oracle", a_sound_trial_passes_every_oracle,
          every_verdict_of_a_limit_has_a_positive_margin_when_it_holds,
          a_reference_past_a_joint_limit_fails, a_reference_faster_than_the_joint_may_be_fails,
          a_joint_at_its_maximum_velocity_passes,
          a_control_daemon_that_ignores_acceleration_limits_fails,
          a_motion_that_goes_on_at_speed_after_a_gap_fails,
          references_may_resume_from_the_measured_position,
          position_mode_within_the_nominal_acceleration_passes,
          position_mode_beyond_the_nominal_acceleration_fails,
          position_mode_beyond_the_nominal_velocity_fails,
          velocity_mode_that_winds_down_after_its_time_out_passes,
          velocity_mode_that_never_times_out_fails,
          velocity_mode_that_stops_dead_at_its_time_out_fails, a_segment_that_ends_standing_passes,
          a_segment_that_ends_in_mid_step_fails, a_segment_that_ends_in_motion_fails,
          a_segment_that_ends_off_balance_fails, a_segment_shorter_than_it_says_fails,
          a_fall_without_a_fault_fails, a_fall_after_a_fault_fails_where_the_scenario_promises_none,
          a_robot_that_stands_after_a_fault_and_goes_no_further_fails,
          a_walk_that_does_not_reach_its_goal_fails,
          a_planner_that_says_it_arrived_and_is_not_there_fails, a_component_that_comes_back_passes,
          a_component_that_does_not_come_back_fails, a_robot_that_falls_after_the_restart_fails,
          a_peer_that_dies_of_a_fault_fails, a_killed_component_that_dies_again_by_itself_fails,
          a_process_that_hangs_fails, a_process_that_exceeds_a_limit_fails,
          a_fault_that_a_limit_has_forestalled_is_no_error,
          a_fault_requested_and_not_applied_is_an_error,
          a_robot_that_falls_before_its_fault_is_a_broken_target, a_fault_without_proof_is_an_error,
          a_fault_that_is_not_undone_is_an_error, a_physics_warning_is_an_error,
          a_simulated_robot_that_dies_is_an_error, a_history_with_missing_frames_is_an_error,
          an_empty_history_is_an_error, a_broken_lab_outweighs_a_broken_target)
