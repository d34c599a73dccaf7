// explore: shrinking keeps what matters, and nothing else.
#include <math.h>
#include <string.h>

#include "tests/unit/common/unit.h"

#include "harness/explore/shrink.h"
#include "harness/explore/signature.h"
#include "harness/files/fault/catalogue.h"

static struct target target = {.name = "t"};
static struct catalogue catalogue;
static struct scenario scenario;
static unsigned asked;

static void know(const char *kind, enum fault_undo undo)
{
    struct fault_kind *new = &catalogue.kind[catalogue.count++];
    snprintf(new->name, sizeof new->name, "%s", kind);
    new->undo = undo;
    new->struck = STRUCK_MACHINE;
    new->parameter_count = 1;
    new->parameter[0] = (struct fault_parameter){.name = "share", .fallback = "1", .max = 1};
}

static void strike(const char *kind, double at_s, double duration_s, const char *share)
{
    struct fault_request *new = &scenario.fault[scenario.fault_count++];
    *new =
        (struct fault_request){.at = {.kind = TRIGGER_TIME, .time_min_s = at_s, .time_max_s = at_s},
                               .duration_s = duration_s,
                               .restart_after_s = -1,
                               .parameter_count = 1};
    snprintf(new->kind, sizeof new->kind, "%s", kind);
    snprintf(new->component, sizeof new->component, "machine");
    snprintf(new->parameter[0], sizeof new->parameter[0], "share=%s", share);
}

// Six faults, of which the first b that follows an a does the harm.
static void setup(void)
{
    catalogue.count = scenario.fault_count = asked = 0;
    know("a", UNDO_PROGRAM);
    know("b", UNDO_PROGRAM);
    know("c", UNDO_PROGRAM);
    scenario.catalogue = &catalogue;
    scenario.duration_s = 30;
    scenario.environment_count = 2;
    snprintf(scenario.environment[0], NAME_MAX_LENGTH, "needed=1");
    snprintf(scenario.environment[1], NAME_MAX_LENGTH, "idle=1");
    strike("c", 1.2345, 0.5, "0.7");
    strike("a", 2.3456, 0.73, "0.83");
    strike("c", 3.4567, 0.5, "0.7");
    strike("b", 4.5678, 0.41, "0.9");
    strike("c", 5.6789, 0.5, "0.7");
    strike("a", 6.7891, 0.5, "0.7");
}

static bool is_harmful(const struct scenario *s)
{
    bool a = false, b = false;
    for (unsigned i = 0; i < s->fault_count; i++) {
        const struct fault_request *fault = &s->fault[i];
        const double share = strtod(strchr(fault->parameter[0], '=') + 1, NULL);
        if (strcmp(fault->kind, "a") == 0 && fault->duration_s >= 0.2)
            a = true;
        if (strcmp(fault->kind, "b") == 0 && a && share > 0.3 && s->duration_s >= 5)
            b = true;
    }
    return b && s->environment_count > 0 && strcmp(s->environment[0], "needed=1") == 0;
}

static enum status ask(void *context, struct scenario *const *candidate, unsigned count,
                       bool *fails)
{
    (void)context;
    for (unsigned i = 0; i < count; i++)
        fails[i] = is_harmful(candidate[i]);
    asked += count;
    return STATUS_OK;
}

static struct shrink_result shrunk(unsigned runs_max)
{
    const struct shrink_request request = {
        .scenario = &scenario, .target = &target, .decided_s = 5, .runs_max = runs_max, .ask = ask};
    struct shrink_result result;
    ck_assert_int_eq(shrink(&request, &result), STATUS_OK);
    return result;
}

START_TEST(what_matters_is_left_and_as_weak_as_it_can_be)
{
    setup();
    const struct shrink_result result = shrunk(1000);
    const struct scenario *s = result.scenario;
    ck_assert_uint_eq(s->fault_count, 2);
    ck_assert_str_eq(s->fault[0].kind, "a");
    ck_assert_str_eq(s->fault[1].kind, "b");
    ck_assert(is_harmful(s));
    ck_assert_double_lt(s->fault[0].duration_s, 0.4); // half of it does no harm
    const double share = strtod(strchr(s->fault[1].parameter[0], '=') + 1, NULL);
    ck_assert_double_le(share, 0.6);
    ck_assert_double_lt(s->fault[1].duration_s, 0.01); // no matter
    ck_assert(s->fault[0].at.time_min_s == 2);
    ck_assert(s->fault[1].at.time_min_s == 5 || s->fault[1].at.time_min_s == 4.6);
    ck_assert_double_lt(s->duration_s, 7);
    ck_assert_uint_eq(s->environment_count, 1);
    ck_assert_uint_eq(result.faults_before, 6);
    ck_assert(result.minimal);
    ck_assert_uint_eq(result.runs, asked); // none is asked for twice
    ck_assert_uint_le(result.runs, 80);
    scenario_free(result.scenario);
}
END_TEST

START_TEST(it_comes_out_the_same_every_time)
{
    setup();
    const struct shrink_result one = shrunk(1000), other = shrunk(1000);
    ck_assert_uint_eq(one.runs, other.runs);
    ck_assert_uint_eq(one.scenario->fault_count, other.scenario->fault_count);
    ck_assert_mem_eq(one.scenario->fault, other.scenario->fault,
                     one.scenario->fault_count * sizeof one.scenario->fault[0]);
    scenario_free(one.scenario);
    scenario_free(other.scenario);
}
END_TEST

START_TEST(too_few_runs_are_not_called_minimal)
{
    setup();
    const struct shrink_result result = shrunk(10);
    ck_assert(!result.minimal);
    ck_assert_uint_le(result.runs, 10);
    ck_assert(is_harmful(result.scenario));
    scenario_free(result.scenario);
}
END_TEST

START_TEST(what_fails_without_any_fault_is_left_without)
{
    setup();
    scenario.fault_count = 0;
    const struct shrink_request request = {
        .scenario = &scenario, .target = &target, .decided_s = NAN, .runs_max = 100, .ask = ask};
    struct shrink_result result;
    ck_assert_int_eq(shrink(&request, &result), STATUS_OK);
    ck_assert_uint_eq(result.scenario->fault_count, 0);
    scenario_free(result.scenario);
}
END_TEST

START_TEST(a_signature_names_what_broke_first_by_whom_and_what_acted)
{
    static struct trial_record record;
    struct signature first, smaller;
    record = (struct trial_record){.fault_event_count = 3, .process_event_count = 1};
    record.fault_event[0] =
        (struct fault_event){.index = 0, .kind = FAULT_APPLIED, .time = instant_s(1)};
    snprintf(record.fault_event[0].fault, sizeof record.fault_event[0].fault, "stall");
    record.fault_event[1] = record.fault_event[0];
    record.fault_event[1].index = 1;
    snprintf(record.fault_event[1].fault, sizeof record.fault_event[1].fault, "kill");
    record.fault_event[2] = record.fault_event[1];
    record.fault_event[2].kind = FAULT_UNDONE;
    record.fault_event[2].time = instant_s(3);
    snprintf(record.process_event[0].process, sizeof record.process_event[0].process, "walker");
    judgement_add(&record.judgement, "late", VERDICT_FAIL, -1, "", "said later");
    judgement_add(&record.judgement, "soon", VERDICT_FAIL, -1, "", "walker exited with status 3");
    record.judgement.oracle[0].broken_s = 4;
    record.judgement.oracle[1].broken_s = 2;
    ck_assert(signature_of(&record, &target, &first));
    ck_assert_str_eq(first.oracle, "soon");
    ck_assert_str_eq(first.party, "walker");
    ck_assert_str_eq(first.acting, "kill+stall");
    record.judgement.oracle[1].broken_s = 3.5; // the kill is over
    ck_assert(signature_of(&record, &target, &smaller));
    ck_assert_str_eq(smaller.acting, "stall");
    ck_assert(signature_kept(&first, &smaller));
    ck_assert(!signature_kept(&smaller, &first));
    record.judgement.oracle[1].verdict = VERDICT_PASS;
    ck_assert(signature_of(&record, &target, &smaller));
    ck_assert_str_eq(smaller.party, "t");
    ck_assert(!signature_kept(&first, &smaller));
}
END_TEST

UNIT_MAIN("shrink", what_matters_is_left_and_as_weak_as_it_can_be, it_comes_out_the_same_every_time,
          too_few_runs_are_not_called_minimal, what_fails_without_any_fault_is_left_without,
          a_signature_names_what_broke_first_by_whom_and_what_acted)
