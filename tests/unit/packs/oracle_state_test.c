// The oracle of states: what is true passes; what slipped by a cycle, rests on another time, or is
// another's does not; what a fault falsified before its checksum is nobody's fault here.
#include "tests/unit/common/synthetic.h"
#include "harness/files/fault/fault_request.h"
#include "harness/packs/packs.h"

#define SPEED_RAD_S 0.5
#define TIME_LATE_S 0.0045 // of a reply, after the start of its cycle
#define STEP_LATE_S 0.004  // of the step of the physics that it tells of

struct told { // how the states of this trial differ from the truth
    int cycles_late;
    double velocity_factor, offset_rad;
    int offset_joint; // -1: all
};

// A joint turns for a second; every state tells of it.
static struct oracle_verdict judge_states(struct made_up *m, const struct told *told)
{
    static struct state_message state;
    state = (struct state_message){.joint_count = m->description->joint_count};
    const int knee = joint_named(m, "LKN");
    m->speed_rad_s[knee] = SPEED_RAD_S;
    m->truth.velocity_rad_s[knee] = SPEED_RAD_S;
    const double start_rad = m->truth.position_rad[knee];
    for (int i = 0; i < 100; i++) {
        const double cycle_s = made_up_time_s(m), reply_s = cycle_s + TIME_LATE_S;
        if (m->scenario.fault_count > 0 && i == 20)
            fault_happens(m, 0, FAULT_APPLIED, true);
        one_tick(m);
        state.cycle++;
        state.cycle_start = instant_s(cycle_s);
        state.time = instant_s(cycle_s + 0.006);
        for (unsigned j = 0; j < state.joint_count; j++) {
            struct joint_reading *joint = &state.joint[j];
            const bool moves = (int)j == knee;
            joint->position_rad =
                moves
                    ? start_rad + SPEED_RAD_S * (cycle_s + STEP_LATE_S - TICK_S * told->cycles_late)
                    : m->truth.position_rad[j];
            if (i > 20 && (told->offset_joint < 0 || told->offset_joint == (int)j))
                joint->position_rad += told->offset_rad;
            joint->velocity_rad_s = moves ? SPEED_RAD_S * told->velocity_factor : 0;
            joint->valid = 1;
            joint->velocity_valid = i > 0;
            joint->time = instant_s(reply_s);
        }
        publish_at(m, "state", cycle_s + 0.006, &state, sizeof state);
    }
    static struct judgement judgement;
    judge(&(struct judged){m->history, &m->scenario, &m->target, m->description, all_packs, NULL,
                           NULL},
          NULL, &judgement);
    for (unsigned i = 0; i < judgement.count; i++)
        if (strcmp(judgement.oracle[i].oracle, "state-truth") == 0)
            return judgement.oracle[i];
    ck_abort_msg("state-truth was not judged");
}

static struct oracle_verdict of(struct told told)
{
    struct made_up *m = make_up();
    const struct oracle_verdict verdict = judge_states(m, &told);
    forget(m);
    return verdict;
}

START_TEST(states_that_are_true_pass_with_a_margin)
{
    const struct oracle_verdict verdict = of((struct told){0, 1, 0, -1});
    ck_assert_int_eq(verdict.verdict, VERDICT_PASS);
    ck_assert_double_gt(verdict.margin, 0);
}
END_TEST

START_TEST(states_a_cycle_behind_fail)
{
    const struct oracle_verdict verdict = of((struct told){1, 1, 0, -1});
    ck_assert_int_eq(verdict.verdict, VERDICT_FAIL);
    ck_assert_ptr_nonnull(strstr(verdict.detail, "LKN position"));
}
END_TEST

START_TEST(a_velocity_over_half_its_time_fails)
{
    const struct oracle_verdict verdict = of((struct told){0, 2, 0, -1});
    ck_assert_int_eq(verdict.verdict, VERDICT_FAIL);
    ck_assert_ptr_nonnull(strstr(verdict.detail, "LKN velocity"));
}
END_TEST

START_TEST(what_a_fault_falsified_is_not_held_against_the_daemon_and_nothing_else_is_excused)
{
    static const char *const joint[] = {"WST", "LHY"};
    for (unsigned i = 0; i < 2; i++) {
        struct made_up *m = make_up();
        struct fault_request *fault = &m->scenario.fault[m->scenario.fault_count++];
        *fault = (struct fault_request){.kind = "encoder-offset",
                                        .falsifies = true,
                                        .component = "can0",
                                        .parameter_count = 1,
                                        .parameter = {"board=EJMC3"}};
        const struct told told = {0, 1, 0.01, joint_named(m, joint[i])};
        const struct oracle_verdict verdict = judge_states(m, &told);
        ck_assert_int_eq(verdict.verdict, i == 0 ? VERDICT_PASS : VERDICT_FAIL);
        forget(m);
    }
    ck_assert_int_eq(of((struct told){0, 1, 0.01, 0}).verdict, VERDICT_FAIL); // no fault
}
END_TEST

UNIT_MAIN("oracle of states", states_that_are_true_pass_with_a_margin, states_a_cycle_behind_fail,
          a_velocity_over_half_its_time_fails,
          what_a_fault_falsified_is_not_held_against_the_daemon_and_nothing_else_is_excused)
