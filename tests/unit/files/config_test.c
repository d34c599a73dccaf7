// files: scenarios and campaigns are read whole, and what makes no sense in them is refused.
#include "tests/unit/files/project.h"

START_TEST(a_target_is_read_whole)
{
    struct target *target;
    make_project();
    ck_assert_int_eq(target_load(path_of("targets/t/target.yaml"), &target), STATUS_OK);
    ck_assert_str_eq(target->name, "t");
    ck_assert_uint_eq(target->process_count, 2);
    ck_assert_str_eq(target->world, "simulator");
    ck_assert(target->process[0].follower && !target->process[1].follower);
    ck_assert_uint_eq(target->pack_count, 2);
    ck_assert_str_eq(target->pack[1], "walking");
    ck_assert_str_eq(target->process[1].component, "Control");
    ck_assert_uint_eq(target->process[1].run_count, 3);
    ck_assert_str_eq(target->process[1].run[0], "c");
    ck_assert_str_eq(target->process[1].run[2], "b");
    ck_assert_int_eq(target->process[1].priority, 45);
    ck_assert_uint_eq(target->channel_count, 2);
    ck_assert_str_eq(target->channel[0].message, "t/pole.msg");
    ck_assert_str_eq(target->channel[1].message, "");
    ck_assert_uint_eq(target->bus[0].bitrate_bit_s, 1000000);
    target_free(target);
}
END_TEST

START_TEST(a_scenario_is_read_whole)
{
    struct scenario *scenario;
    make_project();
    put("s.yaml", SCENARIO_HEAD "must_complete: true\n"
                                "faults:\n"
                                "  - {kind: kill, component: Control, at: {time_s: [4, 10]},"
                                " restart_after_s: 2, parameters: [signal=TERM]}\n"
                                "  - {kind: stall, component: control, duration_s: 0.5,"
                                " at: {when: com_outside_m, above: 0.01, after_s: 3}}\n"
                                "  - {kind: kill, component: operator,"
                                " at: {phase: [0.25, 0.75], after_s: 5}}\n");
    ck_assert_int_eq(scenario_load(path_of("s.yaml"), NULL, &scenario), STATUS_OK);
    ck_assert_str_eq(scenario->environment[0], "goal_x_m=2.5");
    ck_assert(scenario->must_complete);
    ck_assert_uint_eq(scenario->fault_count, 3);
    const struct fault_request *fault = scenario->fault;
    ck_assert_int_eq(fault[0].at.kind, TRIGGER_TIME);
    ck_assert(fault[0].at.time_min_s == 4 && fault[0].at.time_max_s == 10);
    ck_assert(fault[0].restart_after_s == 2 && fault[0].duration_s == 0);
    ck_assert_str_eq(fault[0].parameter[0], "signal=TERM");
    ck_assert_int_eq(fault[1].at.kind, TRIGGER_CONDITION);
    ck_assert_str_eq(fault[1].at.when, "com_outside_m > 0.01");
    ck_assert(fault[1].duration_s == 0.5 && fault[1].restart_after_s < 0);
    ck_assert_int_eq(fault[2].at.kind, TRIGGER_PHASE);
    ck_assert(fault[2].at.phase_min == 0.25 && fault[2].at.time_min_s == 5);
    scenario_free(scenario);
}
END_TEST

START_TEST(a_campaign_is_a_matrix_of_its_rows_and_columns)
{
    struct campaign *campaign;
    make_project();
    ck_assert_int_eq(campaign_load(path_of("c.yaml"), &campaign), STATUS_OK);
    ck_assert_uint_eq(campaign->seed, 7);
    ck_assert_uint_eq(campaign->square_count, 2);
    const struct campaign_square *cell = &campaign->square[1];
    ck_assert_str_eq(cell->row, "Control");
    ck_assert_str_eq(cell->column, "B");
    ck_assert_str_eq(cell->expected, "Falls over");
    ck_assert_uint_eq(cell->trials, 4);
    ck_assert_uint_eq(cell->scenario->fault_count, 1);
    ck_assert_str_eq(cell->scenario->fault[0].component, "Control");
    ck_assert_int_eq(cell->scenario->fault[0].at.kind, TRIGGER_PHASE);
    ck_assert(cell->scenario->fault[0].restart_after_s == 5);
    ck_assert(campaign->square[0].scenario->fault[0].restart_after_s == 2);
    campaign_free(campaign);
}
END_TEST

#define ROW_WITH_FAULT                                                                             \
    "  - {component: Control, title: stalled, claim: it stays, must_stand: [true, false],"         \
    " fault: {kind: stall, duration_s: 1}}\n"

START_TEST(a_row_may_have_a_fault_and_promises_of_its_own)
{
    struct campaign *campaign;
    char text[1024];
    make_project();
    snprintf(text, sizeof text, "%s" ROW_WITH_FAULT, campaign_text);
    put("c.yaml", text);
    ck_assert_int_eq(campaign_load(path_of("c.yaml"), &campaign), STATUS_OK);
    ck_assert_uint_eq(campaign->square_count, 4);
    ck_assert_str_eq(campaign->square[1].scenario->fault[0].kind, "kill");
    ck_assert(!campaign->square[1].scenario->must_stand);
    const struct campaign_square *cell = &campaign->square[2];
    ck_assert_str_eq(cell->row, "stalled");
    ck_assert_str_eq(cell->scenario->claim, "it stays");
    ck_assert_str_eq(cell->scenario->fault[0].kind, "stall");
    ck_assert_str_eq(cell->scenario->fault[0].component, "Control");
    ck_assert(cell->scenario->fault[0].at.time_min_s == 1); // the column's
    ck_assert(cell->scenario->must_stand && !campaign->square[3].scenario->must_stand);
    campaign_free(campaign);
}
END_TEST

// The claims of a campaign's first squares, one after the other; `rows` are added to its file.
static void claims_are(const char *changes, const char *by, const char *rows,
                       const char *const wanted[], unsigned count)
{
    struct campaign *campaign;
    char text[4096];
    make_project();
    const char *at = strstr(campaign_text, changes);
    ck_assert_ptr_nonnull(at);
    snprintf(text, sizeof text, "%.*s%s%s%s", (int)(at - campaign_text), campaign_text, by,
             at + strlen(changes), rows);
    put("c.yaml", text);
    ck_assert_int_eq(campaign_load(path_of("c.yaml"), &campaign), STATUS_OK);
    for (unsigned i = 0; i < count; i++)
        ck_assert_str_eq(campaign->square[i].scenario->claim, wanted[i]);
    campaign_free(campaign);
}

START_TEST(a_square_without_a_claim_has_one_made_of_what_is_judged_there)
{
    static const char *const wanted[] = {
        "With the fault kill (Control): the robot may fall; unless it falls, Control runs again; "
        "references on the buses keep their limits; no other process dies.",
        "With the fault kill (Control): the robot may fall; unless it falls, Control runs again; "
        "references on the buses keep their limits; no other process dies.",
        "With the fault stall (Control): the robot does not fall; Control runs again; "
        "references on the buses keep their limits; no other process dies.",
        "With the fault stall (Control): the robot may fall; unless it falls, Control runs again; "
        "references on the buses keep their limits; no other process dies."};
    claims_are("name: c\n", "name: c\n",
               "  - {component: Control, must_stand: [true, false], fault: {kind: stall, "
               "duration_s: 1}}\n",
               wanted, 4);
}
END_TEST

START_TEST(the_claim_nearest_to_a_square_counts)
{
    static const char *const wanted[] = {
        "of column A",
        "With the fault kill (Control): the robot may fall; unless it falls, Control runs again; "
        "references on the buses keep their limits; no other process dies.",
        "of the row", "of the square"};
    claims_are("{title: A,", "{title: A, claim: of column A,",
               "  - {component: Control, title: r, claim: of the row, claims: [\"\", of the "
               "square]}\n",
               wanted, 4);
}
END_TEST

// "the robot may fall; stays holds" would say two things.
START_TEST(what_a_scenario_promises_itself_its_square_does_not_take_back)
{
    static const char *const wanted[] = {
        "With the fault kill (Control): upright holds; "
        "references on the buses keep their limits; no other process dies."};
    struct campaign *campaign;
    make_project();
    put("s.yaml", SCENARIO_HEAD "promises:\n  - {name: upright, always: truth.angle_rad < 1}\n");
    char text[4096];
    const char *at = strstr(campaign_text, ", restart_after_s: 2");
    ck_assert_ptr_nonnull(at);
    snprintf(text, sizeof text, "%.*s%s", (int)(at - campaign_text), campaign_text,
             at + strlen(", restart_after_s: 2"));
    put("c.yaml", text);
    ck_assert_int_eq(campaign_load(path_of("c.yaml"), &campaign), STATUS_OK);
    ck_assert_str_eq(campaign->square[0].scenario->claim, wanted[0]);
    campaign_free(campaign);
}
END_TEST

START_TEST(a_square_that_changes_nothing_has_its_scenarios_claim)
{
    static const char *const wanted[] = {"c"};
    claims_are("fault: {kind: kill, restart_after_s: 2}\n", "", "", wanted, 1);
}
END_TEST

START_TEST(promises_for_more_or_fewer_columns_than_there_are_are_refused)
{
    struct campaign *campaign;
    char text[1024];
    make_project();
    snprintf(text, sizeof text, "%s  - {component: Control, title: b, must_stand: [true]}\n",
             campaign_text);
    put("c.yaml", text);
    catch_errors();
    refused(campaign_load(path_of("c.yaml"), &campaign), "c.yaml", 11,
            "rows[1].must_stand: 1 values for 2 columns; give one for each");
}
END_TEST

START_TEST(an_unknown_key_is_named_with_its_line_and_the_known_ones)
{
    scenario_refused(SCENARIO_HEAD "wath_s: 3\n", 9,
                     "wath_s: unknown key (did you mean watch_s?); use one of: format name claim");
}
END_TEST

START_TEST(an_unknown_key_deep_inside_is_named_with_its_path)
{
    scenario_refused(SCENARIO_HEAD "faults:\n  - kind: kill\n    component: Control\n    at:\n"
                                   "      time: [3]\n",
                     13, "faults[0].at.time: unknown key; use one of: time_s phase");
}
END_TEST

START_TEST(a_number_with_a_unit_is_refused)
{
    scenario_refused(SCENARIO_HEAD "faults:\n  - kind: stall\n    component: Control\n"
                                   "    at: {time_s: [3]}\n    duration_s: 500ms\n",
                     13, "500ms: not a number");
}
END_TEST

START_TEST(a_value_out_of_range_is_refused_with_the_range)
{
    scenario_refused(SCENARIO_HEAD "faults:\n  - kind: kill\n    component: Control\n    at:\n"
                                   "      phase: [0, 1.5]\n      after_s: 4\n",
                     13, "faults[0].at.phase[1]: 1.5: out of range; use 0 to 1");
}
END_TEST

START_TEST(a_bitrate_that_no_bus_here_can_have_is_refused_with_the_range)
{
    scenario_refused(SCENARIO_HEAD "bus_bitrate_bit_s: 200000000\n", 9,
                     "bus_bitrate_bit_s: 200000000: out of range; use 10000 to 100000000");
}
END_TEST

START_TEST(a_bus_without_a_bitrate_is_refused)
{
    scenario_refused(SCENARIO_HEAD "bus_bitrate_bit_s: 0\n", 9,
                     "bus_bitrate_bit_s: 0: out of range");
}
END_TEST

START_TEST(a_fault_after_the_end_of_the_trial_is_refused)
{
    scenario_refused(SCENARIO_HEAD
                     "faults:\n  - {kind: kill, component: Control, at: {time_s: [30]}}\n",
                     10, "faults[0].at.time_s: 30: out of range; use 0 to 20");
}
END_TEST

START_TEST(a_component_that_the_target_has_not_is_refused_with_those_it_has)
{
    scenario_refused(SCENARIO_HEAD
                     "faults:\n  - kind: kill\n    component: Contrl\n    at: {time_s: [3]}\n",
                     11, "Contrl: target t has no such component; use one of: operator, simulator");
}
END_TEST

START_TEST(two_programs_for_one_component_are_refused)
{
    scenario_refused(SCENARIO_HEAD "programs:\n"
                                   "  - {component: simulator, program: a}\n"
                                   "  - {component: simulator, program: b}\n",
                     11, "programs[1].component: simulator: used twice; each entry needs its own");
}
END_TEST

START_TEST(a_fault_that_is_not_in_the_catalogue_is_refused)
{
    scenario_refused(SCENARIO_HEAD "faults:\n"
                                   "  - {kind: kil, component: Control, at: {time_s: [3]}}\n",
                     10,
                     "faults[0].kind: kil: not in the fault catalogue (did you mean kill?); see");
}
END_TEST

START_TEST(a_parameter_value_outside_the_catalogue_is_refused)
{
    scenario_refused(SCENARIO_HEAD "faults:\n  - kind: kill\n    component: Control\n"
                                   "    at: {time_s: [3]}\n    parameters:\n      - signal=KIL\n",
                     14, "signal=KIL: cannot be used; use one of: KILL TERM");
    scenario_refused(SCENARIO_HEAD "faults:\n  - kind: kill\n    component: Control\n"
                                   "    at: {time_s: [3]}\n    parameters:\n      - signla=KILL\n",
                     14, "kill has no such parameter (did you mean signal?); see");
}
END_TEST

START_TEST(two_triggers_for_one_fault_are_refused)
{
    scenario_refused(
        SCENARIO_HEAD "faults:\n  - kind: kill\n    component: Control\n"
                      "    at: {time_s: [3], phase: [0, 1]}\n",
        12, "faults[0].at: says not when, or twice; give exactly one of time_s, phase, when");
}
END_TEST

START_TEST(a_seed_that_the_database_cannot_hold_is_refused)
{
    campaign_refused("seed: 7", "seed: -1", 3, "seed: -1: not a whole number from 0 up");
    campaign_refused("seed: 7", "seed: 9223372036854775808", 3,
                     "out of range; use 0 to 9223372036854775807");
}
END_TEST

START_TEST(a_restart_of_a_column_has_the_range_of_one_of_a_scenario)
{
    campaign_refused("restart_after_s: 5", "restart_after_s: -5", 8,
                     "columns[1].restart_after_s: -5: out of range; use 0 to 3600");
    campaign_refused("restart_after_s: 5", "restart_after_s: 1e9", 8,
                     "columns[1].restart_after_s: 1e9: out of range; use 0 to 3600");
}
END_TEST

START_TEST(a_fault_after_which_nothing_is_watched_is_refused)
{
    scenario_refused(SCENARIO_HEAD
                     "faults:\n  - {kind: kill, component: Control, at: {time_s: [3, 19.99]}}\n",
                     10, "faults[0].at: 19.99 s: the trial ends at 20 s, so what it does is not");
    scenario_refused(SCENARIO_HEAD "faults:\n  - {kind: stall, component: Control, duration_s: 1, "
                                   "at: {phase: [0, 1], after_s: 20}}\n",
                     10, "faults[0].at: 20 s: the trial ends at 20 s");
    scenario_refused(SCENARIO_HEAD "faults:\n  - {kind: kill, component: Control, "
                                   "at: {time_s: [3, 15]}, restart_after_s: 5}\n",
                     10, "faults[0].at: the process is started again at 20 s, and the trial ends");
    campaign_refused("at: {time_s: [1]}", "at: {time_s: [18]}", 7,
                     "columns[0].at: the process is started again at 20 s");
    campaign_refused("at: {time_s: [1]}", "at: {time_s: 20}", 7, "columns[0].at: 20 s: the trial");
}
END_TEST

#define PROMISE(text) "promises:\n  - {name: p, always: truth.angle_rad < 1, " text "}\n"
#define KILL(text) "faults: [{kind: kill, component: Control, at: {time_s: [1, 9]}" text "}]\n"

START_TEST(a_promise_that_counts_from_what_cannot_happen_is_refused)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"# no fault\n" PROMISE("from: fault"),
         "p counts from a fault, and there is no fault; give"},
        {"# no fault\n" PROMISE("from: restart"), "p counts from a restart, and there is no fault"},
        {KILL("") PROMISE("from: restart"), "p counts from a restart, which no fault here brings"},
        {KILL("") PROMISE("from: fault-over"), "p counts from a fault-over, which no fault here"},
        {KILL("") PROMISE("from: fault, for_s: 12"),
         "p looks until 21 s, if the fault strikes late"},
        {KILL("") PROMISE("from: fault, after_s: 11"), "p looks until 20 s, if the fault strikes"},
        {KILL(", restart_after_s: 3") PROMISE("from: restart, after_s: 9"), "p looks until 21 s"},
        {"column: true\n" KILL("") PROMISE("from: restart"), "which no fault here brings"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, SCENARIO_HEAD "%s", wrong[i].text);
        scenario_refused(text, strncmp(wrong[i].text, "column", 6) == 0 ? 12 : 11, wrong[i].words);
    }
}
END_TEST

START_TEST(a_column_of_campaigns_counts_from_their_fault)
{
    struct scenario *scenario;
    struct campaign *campaign;
    make_project();
    put("s.yaml", SCENARIO_HEAD "column: true\n" PROMISE("from: fault-over, after_s: 3"));
    ck_assert_int_eq(scenario_load(path_of("s.yaml"), NULL, &scenario), STATUS_OK);
    scenario_free(scenario);
    put("s.yaml", SCENARIO_HEAD PROMISE("from: fault-over, after_s: 3"));
    ck_assert_int_eq(campaign_load(path_of("c.yaml"), &campaign), STATUS_OK);
    campaign_free(campaign);
    put("c.yaml", "name: c\ntarget: t\nseed: 7\ncolumns:\n"
                  "  - {title: A, scenario: s.yaml, trials: 3}\nrows:\n  - {component: none}\n");
    catch_errors();
    refused(campaign_load(path_of("c.yaml"), &campaign), "c.yaml", 5,
            "columns[0].scenario: s: promise p counts from a fault-over, and there is no fault");
}
END_TEST

START_TEST(a_promise_that_says_nothing_of_the_target_is_refused)
{
    static const struct {
        const char *formula, *words;
    } wrong[] = {
        {"1 < 2", "1 < 2: it reads no signal and says nothing of the target; compare"},
        {"abs(truth.angle_rad) > -1", "it holds, whatever the target does; compare"},
        {"abs(truth.angle_rad) < 0", "it cannot hold, whatever the target does"},
        {"eventually[0, 21] truth.angle_rad < 1", "it looks until 21 s, after the trial's"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, SCENARIO_HEAD "promises:\n  - {name: p, holds: \"%s\"}\n",
                 wrong[i].formula);
        scenario_refused(text, 10, wrong[i].words);
    }
}
END_TEST

START_TEST(a_parameter_with_which_a_fault_does_nothing_is_refused)
{
    char text[2048];
    make_project();
    snprintf(text, sizeof text, "%s", faults_text);
    char *depth = strstr(text, "default: \"1\"}");
    ck_assert_ptr_nonnull(depth);
    strcpy(depth, "default: \"0\", nonzero: true}\n");
    put("faults/process.yaml", text);
    put("s.yaml", SCENARIO_HEAD "faults:\n  - {kind: stall, component: Control, duration_s: 1, "
                                "at: {time_s: 3}, parameters: [depth=0.0]}\n");
    struct scenario *scenario;
    catch_errors();
    refused(scenario_load(path_of("s.yaml"), NULL, &scenario), "s.yaml", 10,
            "faults[0].parameters[0]: depth=0.0: cannot be used; with 0 it would do nothing; use");
}
END_TEST

UNIT_MAIN("config", a_fault_after_which_nothing_is_watched_is_refused,
          a_promise_that_counts_from_what_cannot_happen_is_refused,
          a_column_of_campaigns_counts_from_their_fault,
          a_promise_that_says_nothing_of_the_target_is_refused,
          a_parameter_with_which_a_fault_does_nothing_is_refused, a_target_is_read_whole,
          a_scenario_is_read_whole, a_campaign_is_a_matrix_of_its_rows_and_columns,
          a_row_may_have_a_fault_and_promises_of_its_own,
          a_square_without_a_claim_has_one_made_of_what_is_judged_there,
          the_claim_nearest_to_a_square_counts,
          what_a_scenario_promises_itself_its_square_does_not_take_back,
          a_square_that_changes_nothing_has_its_scenarios_claim,
          promises_for_more_or_fewer_columns_than_there_are_are_refused,
          an_unknown_key_is_named_with_its_line_and_the_known_ones,
          an_unknown_key_deep_inside_is_named_with_its_path, a_number_with_a_unit_is_refused,
          a_value_out_of_range_is_refused_with_the_range,
          a_bitrate_that_no_bus_here_can_have_is_refused_with_the_range,
          a_bus_without_a_bitrate_is_refused, a_fault_after_the_end_of_the_trial_is_refused,
          a_component_that_the_target_has_not_is_refused_with_those_it_has,
          two_programs_for_one_component_are_refused,
          a_fault_that_is_not_in_the_catalogue_is_refused,
          a_parameter_value_outside_the_catalogue_is_refused,
          two_triggers_for_one_fault_are_refused, a_seed_that_the_database_cannot_hold_is_refused,
          a_restart_of_a_column_has_the_range_of_one_of_a_scenario)
