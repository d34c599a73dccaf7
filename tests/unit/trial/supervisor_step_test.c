// supervisor_step: what each happening does to a process in each state, and when the policy starts
// it again.
#include "tests/unit/common/unit.h"

#include <signal.h>
#include <string.h>

#include "harness/trial/supervise/supervisor_step.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])
#define STARTS ACTION_NOTE
#define ENDS (ACTION_CLOSE | ACTION_NOTE | ACTION_SAY_LEFT)

static struct process_life life_in(enum process_state state)
{
    struct process_life life = process_life_begin(0);
    life.state = state;
    return life;
}

static unsigned happen(struct process_life *life, enum happening_kind kind, int value)
{
    return process_life_step(life, &(struct happening){.kind = kind, .value = value});
}

// All pairs that do something.
static const struct {
    const char *name;
    enum process_state from;
    enum happening_kind kind;
    enum process_state to;
    unsigned actions;
} steps[] = {
    {"first start is asked for", PROCESS_STATE_ABSENT, HAPPENING_START_ASKED, PROCESS_STATE_ABSENT,
     0},
    {"first start", PROCESS_STATE_ABSENT, HAPPENING_STARTED, PROCESS_STATE_STARTING, STARTS},
    {"it joins", PROCESS_STATE_STARTING, HAPPENING_JOINED, PROCESS_STATE_RUNNING, ACTION_NOTE},
    {"exit before it is ready", PROCESS_STATE_STARTING, HAPPENING_EXITED, PROCESS_STATE_ENDED,
     ENDS},
    {"killed before it is ready", PROCESS_STATE_STARTING, HAPPENING_KILLED, PROCESS_STATE_ENDED,
     ENDS},
    {"hung before it is ready", PROCESS_STATE_STARTING, HAPPENING_HUNG, PROCESS_STATE_STARTING,
     ACTION_NOTE | ACTION_KILL},
    {"exit", PROCESS_STATE_RUNNING, HAPPENING_EXITED, PROCESS_STATE_ENDED, ENDS},
    {"killed", PROCESS_STATE_RUNNING, HAPPENING_KILLED, PROCESS_STATE_ENDED, ENDS},
    {"stopped", PROCESS_STATE_RUNNING, HAPPENING_STOPPED, PROCESS_STATE_SUSPENDED,
     ACTION_NOTE | ACTION_SAY_STOPPED},
    {"hung", PROCESS_STATE_RUNNING, HAPPENING_HUNG, PROCESS_STATE_RUNNING,
     ACTION_NOTE | ACTION_KILL},
    {"held", PROCESS_STATE_RUNNING, HAPPENING_HELD, PROCESS_STATE_RUNNING, 0},
    {"exit while stopped", PROCESS_STATE_SUSPENDED, HAPPENING_EXITED, PROCESS_STATE_ENDED, ENDS},
    {"killed while stopped", PROCESS_STATE_SUSPENDED, HAPPENING_KILLED, PROCESS_STATE_ENDED, ENDS},
    {"continued", PROCESS_STATE_SUSPENDED, HAPPENING_CONTINUED, PROCESS_STATE_RUNNING,
     ACTION_NOTE | ACTION_SAY_CONTINUED},
    {"held while stopped", PROCESS_STATE_SUSPENDED, HAPPENING_HELD, PROCESS_STATE_SUSPENDED, 0},
    {"its end is recorded", PROCESS_STATE_ENDED, HAPPENING_END_RECORDED, PROCESS_STATE_ENDED, 0},
    {"held after its end", PROCESS_STATE_ENDED, HAPPENING_HELD, PROCESS_STATE_ENDED, 0},
    {"restart is asked for", PROCESS_STATE_ENDED, HAPPENING_START_ASKED, PROCESS_STATE_ENDED, 0},
    {"restart", PROCESS_STATE_ENDED, HAPPENING_STARTED, PROCESS_STATE_STARTING, STARTS},
};

START_TEST(each_happening_leads_to_its_state_and_its_actions)
{
    for (size_t i = 0; i < COUNT(steps); i++) {
        struct process_life life = life_in(steps[i].from);
        const char *row = steps[i].name;
        ck_assert_msg(happen(&life, steps[i].kind, 0) == steps[i].actions, "%s: actions", row);
        ck_assert_msg(life.state == steps[i].to, "%s: state %d", row, (int)life.state);
    }
}
END_TEST

static bool in_table(enum process_state state, enum happening_kind kind)
{
    for (size_t i = 0; i < COUNT(steps); i++)
        if (steps[i].from == state && steps[i].kind == kind)
            return true;
    return false;
}

START_TEST(all_other_happenings_change_nothing)
{
    unsigned others = 0;
    for (unsigned state = 0; state < PROCESS_STATE_COUNT; state++)
        for (unsigned kind = 0; kind < HAPPENING_COUNT; kind++) {
            struct process_life life = life_in(state), before = life;
            life.restart_after_s = before.restart_after_s = 1;
            if (in_table(state, kind))
                continue;
            others++;
            ck_assert_msg(happen(&life, kind, 7) == 0, "state %u, happening %u", state, kind);
            ck_assert(life.state == before.state && life.generation == before.generation &&
                      life.held == before.held && life.killed == before.killed &&
                      life.exit_status == before.exit_status &&
                      life.restart_due.ns == before.restart_due.ns);
        }
    ck_assert_uint_eq(others, PROCESS_STATE_COUNT * HAPPENING_COUNT - COUNT(steps));
}
END_TEST

START_TEST(the_policy_restarts_so_long_after_a_recorded_end)
{
    static const struct {
        const char *name;
        enum process_state state;
        double restart_after_s;
        bool held;
        double due_s; // < 0: never
    } cases[] = {
        {"no policy", PROCESS_STATE_ENDED, 0, false, -1},
        {"policy", PROCESS_STATE_ENDED, 0.25, false, 3.25},
        {"a fault keeps it down", PROCESS_STATE_ENDED, 0.25, true, -1},
        {"it was started again before its end was recorded", PROCESS_STATE_STARTING, 0.25, false,
         -1},
        {"it runs again already", PROCESS_STATE_RUNNING, 0.25, false, -1},
    };
    const struct happening recorded = {.kind = HAPPENING_END_RECORDED, .time = instant_s(3)};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct process_life life = process_life_begin(cases[i].restart_after_s);
        life.state = cases[i].state;
        life.held = cases[i].held;
        const instant due = cases[i].due_s < 0 ? INSTANT_NEVER : instant_s(cases[i].due_s);
        ck_assert_uint_eq(process_life_step(&life, &recorded), 0);
        ck_assert_msg(life.restart_due.ns == due.ns, "%s", cases[i].name);
    }
}
END_TEST

START_TEST(a_hold_stops_the_policy_until_a_start_is_asked_for)
{
    struct process_life life = process_life_begin(1);
    const struct happening recorded = {.kind = HAPPENING_END_RECORDED, .time = instant_s(3)};
    life.state = PROCESS_STATE_ENDED;
    (void)process_life_step(&life, &recorded);
    ck_assert_int_eq(life.restart_due.ns, instant_s(4).ns);
    (void)happen(&life, HAPPENING_HELD, 0); // after its end, before the policy came to it
    ck_assert_int_eq(life.restart_due.ns, INSTANT_NEVER.ns);
    (void)process_life_step(&life, &recorded);
    ck_assert_int_eq(life.restart_due.ns, INSTANT_NEVER.ns);
    (void)happen(&life, HAPPENING_START_ASKED, 0);
    ck_assert(!life.held);
    (void)process_life_step(&life, &recorded); // the start failed: the policy has it again
    ck_assert_int_eq(life.restart_due.ns, instant_s(4).ns);
}
END_TEST

START_TEST(a_life_tells_its_generation_and_its_last_end)
{
    static const struct {
        enum happening_kind kind;
        int value;
        unsigned generation;
        bool killed;
        int exit_status;
    } story[] = {
        {HAPPENING_STARTED, 0, 0, false, 0},
        {HAPPENING_JOINED, 0, 0, false, 0},
        {HAPPENING_KILLED, SIGSEGV, 0, true, SIGSEGV},
        {HAPPENING_STARTED, 0, 1, true, SIGSEGV},
        {HAPPENING_EXITED, 2, 1, false, 2},
        {HAPPENING_STARTED, 0, 2, false, 2},
    };
    struct process_life life = process_life_begin(0);
    for (size_t i = 0; i < COUNT(story); i++) {
        (void)happen(&life, story[i].kind, story[i].value);
        ck_assert_uint_eq(life.generation, story[i].generation);
        ck_assert_int_eq(life.killed, story[i].killed);
        ck_assert_int_eq(life.exit_status, story[i].exit_status);
    }
}
END_TEST

UNIT_MAIN("supervisor_step", each_happening_leads_to_its_state_and_its_actions,
          all_other_happenings_change_nothing, the_policy_restarts_so_long_after_a_recorded_end,
          a_hold_stops_the_policy_until_a_start_is_asked_for,
          a_life_tells_its_generation_and_its_last_end)
