// killed_from_outside: which SIGKILL was part of the trial, and which was not.
#include "tests/unit/common/unit.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "harness/trial/outside.h"

static struct catalogue catalogue = {
    .count = 3,
    .kind = {{.name = "kill", .halts = HALTS_ENDED},
             {.name = "stall", .halts = HALTS_STOPPED},
             {.name = "hunger"}},
};

static struct history *history;
static unsigned processes, faults;

static void start_history(void)
{
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, TOPIC_PROCESS, "", &processes), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, TOPIC_FAULT, "", &faults), STATUS_OK);
}

static void happened(const char *process, enum process_event_kind kind, int value)
{
    struct process_event event = {.kind = kind, .value = value};
    snprintf(event.process, sizeof event.process, "%s", process);
    snprintf(event.component, sizeof event.component, "The %s", process);
    ck_assert_int_eq(history_append(history, processes, 0, instant_ns(0), &event, sizeof event),
                     STATUS_OK);
}

static void struck(const char *fault, const char *component, bool proven)
{
    struct fault_event event = {.kind = FAULT_APPLIED, .proven = proven};
    snprintf(event.fault, sizeof event.fault, "%s", fault);
    snprintf(event.component, sizeof event.component, "%s", component);
    ck_assert_int_eq(history_append(history, faults, 0, instant_ns(0), &event, sizeof event),
                     STATUS_OK);
}

static const char *killed(void)
{
    static char name[64];
    return killed_from_outside(history, &catalogue, name, sizeof name) ? name : "";
}

START_TEST(a_kill_that_nothing_accounts_for_is_from_outside)
{
    start_history();
    happened("planner", PROCESS_STARTED, 0);
    happened("balance", PROCESS_STARTED, 0);
    ck_assert_str_eq(killed(), "");
    happened("planner", PROCESS_KILLED, SIGKILL);
    ck_assert_str_eq(killed(), "planner");
}
END_TEST

START_TEST(the_scenarios_own_kill_is_not)
{
    start_history();
    happened("planner", PROCESS_STARTED, 0);
    struck("kill", "The planner", true);
    happened("planner", PROCESS_KILLED, SIGKILL);
    ck_assert_str_eq(killed(), "");
    happened("planner", PROCESS_STARTED, 0);
    ck_assert_str_eq(killed(), "");
    happened("planner", PROCESS_KILLED, SIGKILL); // the second time nobody asked
    ck_assert_str_eq(killed(), "planner");
}
END_TEST

START_TEST(a_fault_on_another_process_or_without_effect_accounts_for_nothing)
{
    start_history();
    happened("planner", PROCESS_STARTED, 0);
    struck("kill", "The balance", true);
    struck("kill", "The planner", false);
    struck("stall", "The planner", true);
    happened("planner", PROCESS_KILLED, SIGKILL);
    ck_assert_str_eq(killed(), "planner");
}
END_TEST

START_TEST(a_fault_that_may_end_the_process_accounts_for_it)
{
    start_history();
    happened("planner", PROCESS_STARTED, 0);
    struck("hunger", "planner", true);
    happened("planner", PROCESS_KILLED, SIGKILL);
    ck_assert_str_eq(killed(), "");
}
END_TEST

START_TEST(the_labs_own_kill_of_a_hung_process_is_not)
{
    start_history();
    happened("planner", PROCESS_STARTED, 0);
    happened("planner", PROCESS_HUNG, 0);
    happened("planner", PROCESS_KILLED, SIGKILL);
    ck_assert_str_eq(killed(), "");
}
END_TEST

START_TEST(a_crash_is_the_targets_own)
{
    start_history();
    happened("planner", PROCESS_STARTED, 0);
    happened("planner", PROCESS_KILLED, SIGSEGV);
    happened("planner", PROCESS_STARTED, 0);
    happened("planner", PROCESS_EXITED, SIGKILL); // an exit status of 9
    ck_assert_str_eq(killed(), "");
}
END_TEST

UNIT_MAIN("outside", a_kill_that_nothing_accounts_for_is_from_outside,
          the_scenarios_own_kill_is_not,
          a_fault_on_another_process_or_without_effect_accounts_for_nothing,
          a_fault_that_may_end_the_process_accounts_for_it,
          the_labs_own_kill_of_a_hung_process_is_not, a_crash_is_the_targets_own)
