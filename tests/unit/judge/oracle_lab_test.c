// The oracles of the lab itself: what makes a trial an error, whatever the target did.
#include "tests/unit/common/synthetic.h"
#include "harness/files/fault/fault_request.h"
#include "harness/files/target/target.h"

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

START_TEST(a_fault_that_a_limit_has_forestalled_is_no_error)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 1);
    exceeds_a_limit(m);
    expect_verdict(m, "fault-effective", VERDICT_SKIP);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_FAIL);
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

START_TEST(a_fault_that_struck_nobody_is_not_to_be_undone)
{
    struct made_up *m = make_up();
    m->scenario.fault_count = 1;
    m->scenario.fault[0] = (struct fault_request){
        .kind = "stall", .component = "Control", .duration_s = 1, .restart_after_s = -1};
    until(m, 2);
    process_happens(m, "control", "Control", PROCESS_EXITED, 1, 0);
    fault_happens(m, 0, FAULT_APPLIED, false);
    until(m, 6);
    expect_verdict(m, "fault-undone", VERDICT_SKIP);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_FAIL);
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

// What lab-history says of a trial in which 40 frames of the truth were lost, and the recorder had
// not looked for so long.
static const char *words_of_a_loss(double unread_s)
{
    static char words[192];
    struct made_up *m = make_up();
    struct loss_event loss = {
        .time = instant_s(1), .unread = duration_s(unread_s), .frames = 40, .held = 16};
    strcpy(loss.channel, "truth");
    until(m, 1);
    m->number[made_up_topic(m, "truth")] += 40;
    publish(m, TOPIC_LOSS, &loss, sizeof loss);
    until(m, 2);
    const struct oracle_verdict *verdict = oracle_of(judged(m), "lab-history");
    ck_assert_int_eq(verdict->verdict, VERDICT_ERROR);
    snprintf(words, sizeof words, "%s", verdict->detail);
    forget(m);
    return words;
}

START_TEST(lost_frames_are_explained_by_who_was_late)
{
    ck_assert_str_eq(words_of_a_loss(0.6),
                     "40 frames missing on truth: truth at 1.00 s: 40 + 16 new in 0.600 s, the "
                     "recorder was kept from running; let less run beside it in real time");
    ck_assert_str_eq(words_of_a_loss(0.01),
                     "40 frames missing on truth: truth at 1.00 s: 40 + 16 new in 0.010 s, put all "
                     "at once; let less run beside it, or raise its slots in target.yaml");
}
END_TEST

// A second of the trial is missing at the end of the history, or all is there.
static void ends_at(double end_s, enum verdict expected)
{
    struct made_up *m = make_up();
    char before[33], after[33];
    until(m, 2);
    const struct end_event end = {.time = instant_s(end_s)};
    history_hash(m->history, before);
    publish_at(m, TOPIC_END, end_s, &end, sizeof end);
    history_hash(m->history, after);
    ck_assert_str_eq(before, after);
    expect_verdict(m, "lab-physics", expected);
    forget(m);
}

START_TEST(a_history_that_ends_before_its_trial_is_an_error)
{
    ends_at(2, VERDICT_PASS);
    ends_at(3, VERDICT_ERROR);
}
END_TEST

// Balance writes for a second, then stops writing, with a proven fault or without.
static const struct oracle_verdict *silent_balance(bool fault)
{
    static struct oracle_verdict verdict;
    struct made_up *m = make_up();
    m->target = (struct target){.process_count = 1, .channel_count = 1};
    strcpy(m->target.process[0].name, "balance");
    strcpy(m->target.process[0].component, "Balance");
    m->target.channel[0] = (struct channel_config){.name = "leg-command", .floor_hz = 50};
    strcpy(m->target.channel[0].writer, "balance");
    request_kill(m, "Balance", -1);
    process_happens(m, "balance", "Balance", PROCESS_READY, 0, 0);
    const struct command_message command = {0};
    for (; made_up_time_s(m) < 1; one_tick(m))
        publish(m, "leg-command", &command, sizeof command);
    fault_happens(m, 0, FAULT_APPLIED, fault);
    until(m, 3);
    verdict = *oracle_of(judged(m), "activity");
    forget(m);
    return &verdict;
}

START_TEST(a_silent_writer_fails_unless_a_proven_fault_accounts_for_it)
{
    ck_assert_int_eq(silent_balance(true)->verdict, VERDICT_PASS);
    const struct oracle_verdict *verdict = silent_balance(false);
    ck_assert_int_eq(verdict->verdict, VERDICT_FAIL);
    ck_assert_ptr_nonnull(strstr(verdict->detail, "leg-command of balance"));
}
END_TEST

// Windows without end were looked at, each at all frames.
START_TEST(a_far_stamp_neither_lengthens_the_trial_nor_its_judging)
{
    struct made_up *m = make_up();
    const struct command_message command = {0};
    m->scenario.duration_s = 3;
    m->target = (struct target){.process_count = 1, .channel_count = 1};
    strcpy(m->target.process[0].name, "balance");
    m->target.channel[0] = (struct channel_config){.name = "leg-command", .floor_hz = 50};
    strcpy(m->target.channel[0].writer, "balance");
    process_happens(m, "balance", "Balance", PROCESS_READY, 0, 0);
    for (; made_up_time_s(m) < 3; one_tick(m))
        publish(m, "leg-command", &command, sizeof command);
    publish_at(m, "leg-command", 9e9, &command, sizeof command);
    publish_at(m, "leg-command", -9e9, &command, sizeof command);
    expect_verdict(m, "activity", VERDICT_PASS);
    forget(m);
}
END_TEST

UNIT_MAIN("oracles of the lab", a_fault_requested_and_not_applied_is_an_error,
          a_fault_without_proof_is_an_error, a_fault_that_a_limit_has_forestalled_is_no_error,
          a_fault_that_is_not_undone_is_an_error, a_fault_that_struck_nobody_is_not_to_be_undone,
          a_physics_warning_is_an_error, a_simulated_robot_that_dies_is_an_error,
          a_history_with_missing_frames_is_an_error, lost_frames_are_explained_by_who_was_late,
          a_history_that_ends_before_its_trial_is_an_error,
          a_silent_writer_fails_unless_a_proven_fault_accounts_for_it,
          a_far_stamp_neither_lengthens_the_trial_nor_its_judging)
