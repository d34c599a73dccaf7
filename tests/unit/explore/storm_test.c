// explore: a storm's file is refused where it is wrong, and what is drawn from it keeps its rules
// and is the same when it is written down.
#include <math.h>

#include "tests/unit/files/project.h"

#include "harness/explore/generator.h"
#include "harness/files/storm_file.h"

#define STORM_HEAD                                                                                 \
    "name: w\nclaim: c\ntarget: t\nscenario: s.yaml\ncount: [2, 5]\nat_once: 2\nafter_s: 1\n"      \
    "calm_s: 4\n"
#define ROWS                                                                                       \
    "  - {kind: kill, struck: any, restart_after_s: [0.01, 2], parameters: {signal: [KILL, "       \
    "TERM]}}\n"                                                                                    \
    "  - {kind: stall, struck: [Control, operator], duration_s: [0.5, 1.5], parameters: {depth: "  \
    "[0.25, 2]}, weight: 3}\n"
static const char storm_text[] =
    STORM_HEAD "faults:\n" ROWS "promises:\n"
               "  - {name: stands, always: \"truth.angle_rad < 1\", from: calm, after_s: 1}\n";

static struct storm *load(const char *text)
{
    struct storm *storm;
    make_project();
    put("w.yaml", text);
    ck_assert_int_eq(storm_load(path_of("w.yaml"), &storm), STATUS_OK);
    return storm;
}

static void is_refused(const char *from, const char *to, unsigned line, const char *words)
{
    struct storm *storm;
    char text[2048];
    const char *at = strstr(storm_text, from);
    ck_assert_ptr_nonnull(at);
    make_project();
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - storm_text), storm_text, to,
             at + strlen(from));
    put("w.yaml", text);
    catch_errors();
    refused(storm_load(path_of("w.yaml"), &storm), "w.yaml", line, words);
    ck_assert_ptr_null(storm);
}

START_TEST(what_is_wrong_is_refused_with_its_line_and_a_remedy)
{
    static const struct {
        const char *from, *to;
        unsigned line;
        const char *words;
    } wrong[] = {
        {"target: t", "target: nobody", 3, "nobody: there is no targets/nobody/target.yaml"},
        {"scenario: s.yaml", "scenario: none.yaml", 4, "cannot be used, see above"},
        {"[2, 5]", "[1.5, 2]", 5, "not whole numbers; use 1 to 8"},
        {"[2, 5]", "[0, 2]", 5, "out of range; use 1 to 8"},
        {"at_once: 2", "at_once: 9", 6, "out of range; use 1 to 8"},
        {"calm_s: 4", "calm_s: 19", 8, "it leaves nothing of the 20 s that s lasts; take less"},
        {"kind: kill", "kind: kil", 10, "not in the fault catalogue (did you mean kill?)"},
        {"struck: any", "struck: [any, Control]", 10, "any: target t has no such component"},
        {"restart_after_s: [0.01, 2]", "duration_s: 1", 10, "has no duration; use restart_after_s"},
        {"[0.01, 2]", "[2, 1]", 10, "the first is the larger one; swap them"},
        {"[0.01, 2]", "[1, 18]", 10, "between after_s and the calm there are 15 s"},
        {"[KILL, TERM]", "[KILL, NONE]", 10, "signal=NONE: cannot be used; use one of: KILL TERM"},
        {"signal:", "signl:", 10, "kill has no such parameter (did you mean signal?)"},
        {"[Control, operator]", "Nobody", 11, "Nobody: target t has no such component"},
        {"[0.25, 2]", "[0.25, 3]", 11, "depth=3: cannot be used; use a number from 0 to 2"},
        {"[0.25, 2]", "[2, 0.25]", 11, "the first is the larger one; swap them"},
        {"weight: 3", "weight: 0", 11, "out of range; use 0.001 to 1000"},
        {"from: calm, after_s: 1", "from: calm, after_s: 4", 13, "make calm_s longer than that"},
        {"from: calm", "from: restart", 13, "count `from: calm`, or `from: fault`"},
        {"truth.angle_rad", "truth.angle", 13, "angle"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        is_refused(wrong[i].from, wrong[i].to, wrong[i].line, wrong[i].words);
}
END_TEST

START_TEST(a_scenario_with_faults_of_its_own_is_refused)
{
    struct storm *storm;
    make_project();
    put("s.yaml", SCENARIO_HEAD "faults: [{kind: kill, component: Control, at: {time_s: 1}}]\n");
    put("w.yaml", storm_text);
    catch_errors();
    refused(storm_load(path_of("w.yaml"), &storm), "w.yaml", 4, "has faults of its own; use one");
}
END_TEST

// What a process's fault is until; a kill until the process runs again.
static double end_s(const struct fault_request *fault)
{
    return fault->at.time_max_s + fmax(fault->duration_s, fault->restart_after_s);
}

static void keeps_the_rules(const struct scenario *scenario)
{
    ck_assert_uint_ge(scenario->fault_count, 1);
    ck_assert_uint_le(scenario->fault_count, 5);
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct fault_request *fault = &scenario->fault[i];
        unsigned beside = 0;
        ck_assert_double_ge(fault->at.time_min_s, 1);
        ck_assert_double_le(end_s(fault), 16 + 1e-9);
        ck_assert(i == 0 || fault->at.time_min_s >= scenario->fault[i - 1].at.time_min_s);
        for (unsigned j = 0; j < i; j++) {
            const bool overlap = end_s(&scenario->fault[j]) >= fault->at.time_min_s;
            const char *one = fault->component, *other = scenario->fault[j].component;
            const bool same =
                (strcmp(one, OPERATOR_NAME) == 0) == (strcmp(other, OPERATOR_NAME) == 0);
            beside += overlap;
            ck_assert_msg(!(overlap && same), "two faults on one process");
        }
        ck_assert_uint_lt(beside, 2);
    }
}

static void are_equal(const struct scenario *a, const struct scenario *b)
{
    ck_assert_uint_eq(a->fault_count, b->fault_count);
    for (unsigned i = 0; i < a->fault_count; i++) {
        const struct fault_request *one = &a->fault[i], *other = &b->fault[i];
        ck_assert_str_eq(one->kind, other->kind);
        ck_assert_str_eq(one->component, other->component);
        ck_assert(one->at.time_min_s == other->at.time_min_s);
        ck_assert(one->at.time_max_s == other->at.time_max_s);
        ck_assert(one->duration_s == other->duration_s);
        ck_assert(one->restart_after_s == other->restart_after_s);
        ck_assert_uint_eq(one->parameter_count, other->parameter_count);
        for (unsigned p = 0; p < one->parameter_count; p++)
            ck_assert_str_eq(one->parameter[p], other->parameter[p]);
    }
}

START_TEST(each_drawn_trial_keeps_the_rules_and_is_the_same_when_it_is_drawn_again)
{
    struct storm *storm = load(storm_text);
    unsigned most = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct scenario *one = generator_draw(storm, seed), *again = generator_draw(storm, seed);
        keeps_the_rules(one);
        are_equal(one, again);
        most = one->fault_count > most ? one->fault_count : most;
        scenario_free(one);
        scenario_free(again);
    }
    ck_assert_uint_eq(most, 5);
    storm_free(storm);
}
END_TEST

START_TEST(a_written_trial_is_read_as_it_was_drawn)
{
    struct storm *storm = load(storm_text);
    for (uint64_t seed = 0; seed < CASES(100); seed++) {
        struct scenario *drawn = generator_draw(storm, seed), *read;
        FILE *file = fopen(path_of("drawn.yaml"), "w");
        ck_assert_ptr_nonnull(file);
        generator_print(file, storm, drawn, seed);
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_int_eq(scenario_load(path_of("drawn.yaml"), NULL, &read), STATUS_OK);
        are_equal(drawn, read);
        ck_assert_str_eq(read->claim, drawn->claim);
        ck_assert_str_eq(read->operator_program, drawn->operator_program);
        ck_assert_str_eq(read->environment[0], drawn->environment[0]);
        ck_assert_uint_eq(read->promise_count, drawn->promise_count);
        ck_assert_int_eq(read->promise[0].from, FROM_CALM);
        ck_assert(read->promise[0].after_s == 1);
        scenario_free(drawn);
        scenario_free(read);
    }
    storm_free(storm);
}
END_TEST

static bool has_kind(const struct scenario *scenario, const char *component)
{
    for (unsigned i = 0; i < scenario->fault_count; i++)
        if (strcmp(scenario->fault[i].component, component) == 0)
            return true;
    return false;
}

START_TEST(a_new_row_changes_no_other_draw)
{
    char text[2048];
    struct storm *storm = load(storm_text);
    struct scenario *before[200];
    unsigned compared = 0;
    for (uint64_t seed = 0; seed < 200; seed++)
        before[seed] = generator_draw(storm, seed);
    // The first of its kind, and of another name than the second.
    snprintf(text, sizeof text,
             STORM_HEAD "faults:\n" ROWS
                        "  - {kind: stall, struck: simulator, duration_s: 1, weight: 0.05}\n");
    put("w.yaml", text);
    struct storm *more;
    ck_assert_int_eq(storm_load(path_of("w.yaml"), &more), STATUS_OK);
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct scenario *after = generator_draw(more, seed);
        bool whole = true; // not if all of the rows there were before were left out
        for (unsigned i = 0; i < after->fault_count; i++)
            whole &= after->fault_count == before[seed]->fault_count;
        if (!has_kind(after, "simulator") && whole) {
            are_equal(after, before[seed]);
            compared++;
        }
        scenario_free(after);
        scenario_free(before[seed]);
    }
    ck_assert_uint_gt(compared, 120);
    storm_free(more);
    storm_free(storm);
}
END_TEST

START_TEST(rows_strike_by_their_weight)
{
    struct storm *storm = load(storm_text);
    unsigned kills = 0, stalls = 0, both = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct scenario *scenario = generator_draw(storm, seed);
        const bool kill = strcmp(scenario->fault[0].kind, "kill") == 0;
        kills += kill;
        stalls += !kill;
        for (unsigned i = 1; i < scenario->fault_count; i++)
            if (strcmp(scenario->fault[i].kind, scenario->fault[0].kind) != 0) {
                both++;
                break;
            }
        scenario_free(scenario);
    }
    ck_assert_uint_gt(stalls, kills);
    ck_assert_uint_gt(kills, 400); // a third of the trials has only them
    ck_assert_uint_gt(both, 200);
    ck_assert_uint_lt(both, 1000); // half of the rows is left out
    storm_free(storm);
}
END_TEST

UNIT_MAIN("storm", what_is_wrong_is_refused_with_its_line_and_a_remedy,
          a_scenario_with_faults_of_its_own_is_refused,
          each_drawn_trial_keeps_the_rules_and_is_the_same_when_it_is_drawn_again,
          a_written_trial_is_read_as_it_was_drawn, a_new_row_changes_no_other_draw,
          rows_strike_by_their_weight)
