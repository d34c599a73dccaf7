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
                     "wath_s: unknown key; use one of: format name claim");
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
                     10, "faults[0].kind: kil: not in the fault catalogue");
}
END_TEST

START_TEST(a_parameter_value_outside_the_catalogue_is_refused)
{
    scenario_refused(SCENARIO_HEAD "faults:\n  - kind: kill\n    component: Control\n"
                                   "    at: {time_s: [3]}\n    parameters:\n      - signal=KIL\n",
                     14, "signal=KIL: cannot be used; use one of: KILL TERM");
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
    campaign_refused("seed: 7", "seed: -1", 3, "seed: -1: not a whole number from 0 on");
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

UNIT_MAIN("config", a_target_is_read_whole, a_scenario_is_read_whole,
          a_campaign_is_a_matrix_of_its_rows_and_columns,
          a_row_may_have_a_fault_and_promises_of_its_own,
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
static void target_refused(const char *from, const char *to, unsigned line, const char *words)
{
    struct target *target;
    char text[2048];
    const char *at = strstr(target_text, from);
    make_project();
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - target_text), target_text, to,
             at + strlen(from));
    put("targets/t/target.yaml", text);
    catch_errors();
    refused(target_load(path_of("targets/t/target.yaml"), &target), "targets/t/target.yaml", line,
            words);
}

START_TEST(a_trigger_that_no_pack_of_the_target_shows_is_refused)
{
    static const char *const at[] = {"{phase: [0, 1]}", "{when: tilt_rad, above: 1}"};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        struct scenario *scenario;
        char text[2048];
        make_project();
        snprintf(text, sizeof text, "%.*s", (int)(strstr(target_text, "packs:") - target_text),
                 target_text);
        put("targets/t/target.yaml", text);
        snprintf(text, sizeof text,
                 SCENARIO_HEAD "faults:\n  - {kind: kill, component: Control, at: %s}\n", at[i]);
        put("s.yaml", text);
        catch_errors();
        refused(scenario_load(path_of("s.yaml"), NULL, &scenario), "s.yaml", 10,
                "target t does not show that; it would need the pack walking");
    }
}
END_TEST

START_TEST(a_world_or_a_pack_that_is_not_there_is_refused)
{
    target_refused("world: simulator", "world: moon", 13, "moon: no such process; use a name");
    target_refused("can, walking", "can, wings", 14, "wings");
}
END_TEST

START_TEST(names_that_could_be_paths_or_commands_are_refused)
{
    target_refused("name: control", "name: ../control", 7, "../control: not a name; use letters");
    target_refused("name: raw", "name: a/b", 10, "a/b: not a name; use letters");
    target_refused("name: can0", "name: \"can0; ls\"", 12, "can0; ls: not a name; use letters");
}
END_TEST

START_TEST(a_fault_whose_colour_or_default_cannot_be_is_refused)
{
    struct catalogue *catalogue;
    char text[1024];
    make_project();
    snprintf(text, sizeof text,
             "program: p\nfaults:\n  - name: a\n    summary: s\n    colour: red\n"
             "    look: none\n    undo: never\n    parameters:\n"
             "      - {name: depth, summary: s, min: 0, max: 2, default: \"3\"}\n");
    put("faults/a.yaml", text);
    catch_errors();
    refused(catalogue_load_family(path_of("faults/a.yaml"), &catalogue), "faults/a.yaml", 5,
            "red: not a colour; write it as");
    refused(STATUS_INVALID, "faults/a.yaml", 9,
            "3: not a value of its own parameter; use a number");
}
END_TEST

// Puts a family with one fault of these properties.
static void put_family(const char *properties)
{
    char text[512];
    snprintf(text, sizeof text,
             "program: p\nfaults:\n  - name: a\n    summary: s\n    colour: \"#000000\"\n"
             "    undo: program\n%s",
             properties);
    put("faults/a.yaml", text);
}

START_TEST(what_a_kind_of_fault_is_stands_in_the_catalogue)
{
    struct catalogue *catalogue;
    make_project();
    put_family("    look: bus\n    strikes: bus\n    falsifies: true\n    loads: network\n");
    ck_assert_int_eq(catalogue_load_family(path_of("faults/a.yaml"), &catalogue), STATUS_OK);
    ck_assert_int_eq(catalogue->kind[0].look, LOOK_bus);
    ck_assert_int_eq(catalogue->kind[0].halts, HALTS_NOTHING);
    ck_assert_int_eq(catalogue->kind[0].loads, LOADS_NETWORK);
    ck_assert(catalogue->kind[0].falsifies);
    catalogue_free(catalogue);
}
END_TEST

START_TEST(a_fault_is_looked_at_where_it_acts)
{
    static const struct {
        const char *properties;
        unsigned line;
        const char *words;
    } bad[] = {{"    halts: ended\n    look: none\n", 8, "`halts` and `look: process` belong"},
               {"    look: process\n", 7, "`halts` and `look: process` belong"},
               {"    look: bus\n", 7, "strikes no bus"},
               {"    look: process\n    halts: stopped\n    strikes: bus\n", 8,
                "strikes no process; leave out `halts`"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct catalogue *catalogue;
        make_project();
        put_family(bad[i].properties);
        catch_errors();
        refused(catalogue_load_family(path_of("faults/a.yaml"), &catalogue), "faults/a.yaml",
                bad[i].line, bad[i].words);
    }
}
END_TEST

START_TEST(a_file_of_a_later_format_is_refused)
{
    struct campaign *campaign;
    struct catalogue *catalogue;
    char text[1024];
    scenario_refused("format: 2\n" SCENARIO_HEAD, 1, "2: a format of later versions; this one");
    snprintf(text, sizeof text, "format: 2\n%s", campaign_text);
    put("c.yaml", text);
    catch_errors();
    refused(campaign_load(path_of("c.yaml"), &campaign), "c.yaml", 1, "2: a format of later");
    put("faults/process.yaml", "format: 2\nfaults: []\n");
    catch_errors();
    refused(catalogue_load(&catalogue), "faults/process.yaml", 1, "2: a format of later versions");
}
END_TEST

START_TEST(a_target_of_another_format_is_refused_and_told_what_has_changed)
{
    target_refused("format: 2\n", "", 1, "format: missing, as in format 1; write `format: 2`, in");
    target_refused("format: 2", "format: 1", 1, "1: an earlier format; write `format: 2`, in");
    target_refused("format: 2", "format: 3", 1, "3: a format of later versions; this one reads 2");
    target_refused("format: 2", "format: two", 1, "two: not a whole number");
    target_refused("format: 2", "format: [2]", 1, "a list: a single value belongs here");
    target_refused("run: [sim]", "program: sim", 6,
                   "processes[0].program: not a key any more; write run: [PROGRAM, ARGUMENT, ...]");
    target_refused("run: [c, a, b]", "run: [c], arguments: a b", 7,
                   "processes[1].arguments: not a key any more; write run:");
    target_refused("message: pole", "schema: pole", 9,
                   "channels[0].schema: not a key any more; write message: TYPE");
}
END_TEST

START_TEST(a_program_is_a_list_of_words_that_begins_with_its_path)
{
    target_refused("run: [sim]", "run: sim", 6, "sim: a list, [value, value], belongs here");
    target_refused("run: [sim]", "run: []", 6, "0 entries; give 1 to");
    target_refused("run: [sim]", "run: [\"\", b]", 6, "nothing: the first word is the program");
    target_refused("run: [sim]", "run: [../sim]", 6, "../sim: leads out of its folder");
    target_refused("run: [sim]", "run: [/home/sim]", 6, "/home/sim: a cell does not show it");
    struct target *target;
    make_project();
    char text[sizeof target_text + 64];
    snprintf(text, sizeof text, "%s", target_text);
    char *place = strstr(text, "[c, a, b]");
    memcpy(place, "[/bin/a ]", 9); // a whole path
    put("targets/t/target.yaml", text);
    ck_assert_int_eq(target_load(path_of("targets/t/target.yaml"), &target), STATUS_OK);
    ck_assert_str_eq(target->process[1].run[0], "/bin/a");
    target_free(target);
}
END_TEST

START_TEST(what_a_process_runs_with_and_when_it_is_ready_is_checked)
{
#define CONTROL(more) "run: [c, a, b], " more ", priority"
#define REFUSED(more, words) target_refused("run: [c, a, b], priority", CONTROL(more), 7, words)
    REFUSED("env: {UKEMI_SEED: 1}", "UKEMI_SEED: kept for the lab; leave it out");
    REFUSED("env: {LD_PRELOAD: x.so}", "LD_PRELOAD: kept for the lab");
    REFUSED("env: {a-b: 1}", "a-b: not a variable's name; use letters, digits and '_'");
    REFUSED("env: [A]", "env: a list: a mapping, {name: value}, belongs here");
    REFUSED("may_exit: [256]", "may_exit[0]: 256: out of range; use 0 to 255");
    REFUSED("may_exit: 0", "may_exit: 0: a list, [value, value], belongs here");
    REFUSED("ready: soon", "ready: soon: no such word; use one of: joined");
    REFUSED("ready: {port: 70000}", "ready.port: 70000: out of range; use 1 to 65535");
    REFUSED("ready: {output: \"(\"}", "give an extended regular expression");
    REFUSED("ready: {output: up, after_s: 1}", "several ways; keep one of them");
    REFUSED("clock: none, ready: joined", "joined: with `clock: none` it never joins; give");
}
END_TEST

START_TEST(a_channel_too_small_for_its_messages_is_refused)
{
    struct target *target;
    make_project();
    put("targets/t/target.yaml",
        "format: 2\nname: t\nrobot: r\ndescription: d\n"
        "processes:\n  - {name: a, run: [a], priority: 5}\n"
        "channels:\n  - name: truth\n    message: pole.msg\n    frame_size_max_B: 15\n"
        "    slots: 16\n");
    catch_errors();
    refused(target_load(path_of("targets/t/target.yaml"), &target), "targets/t/target.yaml", 10,
            "15: out of range");
}
END_TEST

#define TARGET_PROMISES                                                                            \
    "promises:\n  - {name: low, always: truth.angle_rad < 1, for_s: 30}\n"                         \
    "  - {name: high, always: truth.angle_rad > -1}\n"
#define OWN_PROMISE "promises:\n  - {name: low, always: truth.angle_rad < 2}\n"

static void promise_of_target(void)
{
    char text[2048];
    make_project();
    snprintf(text, sizeof text, "%s" TARGET_PROMISES, target_text);
    put("targets/t/target.yaml", text);
}

START_TEST(what_a_target_promises_its_scenarios_promise_unless_they_say_otherwise)
{
    struct scenario *scenario;
    promise_of_target();
    put("s.yaml", SCENARIO_HEAD OWN_PROMISE);
    ck_assert_int_eq(scenario_load(path_of("s.yaml"), NULL, &scenario), STATUS_OK);
    ck_assert_uint_eq(scenario->promise_count, 2);
    ck_assert_str_eq(scenario->promise[0].formula[FORMULA_ALWAYS], "truth.angle_rad < 2");
    ck_assert(!scenario->promise[0].of_target && scenario->promise[1].of_target);
    ck_assert_str_eq(scenario->promise[1].name, "high");
    scenario_free(scenario);
    put("s.yaml", SCENARIO_HEAD);
    catch_errors();
    refused(scenario_load(path_of("s.yaml"), NULL, &scenario), "s.yaml", 5,
            "20: t promises low until 30 s");
}
END_TEST

UNIT_MAIN(
    "config", a_target_is_read_whole, a_scenario_is_read_whole,
    a_campaign_is_a_matrix_of_its_rows_and_columns, a_row_may_have_a_fault_and_promises_of_its_own,
    promises_for_more_or_fewer_columns_than_there_are_are_refused,
    an_unknown_key_is_named_with_its_line_and_the_known_ones,
    an_unknown_key_deep_inside_is_named_with_its_path, a_number_with_a_unit_is_refused,
    a_value_out_of_range_is_refused_with_the_range,
    a_bitrate_that_no_bus_here_can_have_is_refused_with_the_range,
    a_bus_without_a_bitrate_is_refused, a_fault_after_the_end_of_the_trial_is_refused,
    a_component_that_the_target_has_not_is_refused_with_those_it_has,
    two_programs_for_one_component_are_refused, a_fault_that_is_not_in_the_catalogue_is_refused,
    a_parameter_value_outside_the_catalogue_is_refused, two_triggers_for_one_fault_are_refused,
    a_missing_key_is_named, a_key_given_twice_is_refused, all_that_is_missing_is_named_at_once,
    what_is_not_yaml_is_refused_with_the_line, an_empty_file_is_refused, a_missing_target_is_named,
    numbers_and_words_are_taken_whole_or_refused,
    a_text_that_is_more_than_a_printable_line_is_refused, a_second_document_is_refused,
    a_value_too_long_to_be_shown_is_cut_and_what_to_do_is_not, deep_nesting_is_refused_at_once,
    what_is_no_file_is_refused_and_not_waited_for, a_seed_that_the_database_cannot_hold_is_refused,
    a_restart_of_a_column_has_the_range_of_one_of_a_scenario,
    a_trigger_that_no_pack_of_the_target_shows_is_refused,
    a_world_or_a_pack_that_is_not_there_is_refused,
    names_that_could_be_paths_or_commands_are_refused,
    what_a_kind_of_fault_is_stands_in_the_catalogue, a_fault_is_looked_at_where_it_acts,
    a_fault_whose_colour_or_default_cannot_be_is_refused, a_file_of_a_later_format_is_refused,
    a_target_of_another_format_is_refused_and_told_what_has_changed,
    a_program_is_a_list_of_words_that_begins_with_its_path,
    what_a_process_runs_with_and_when_it_is_ready_is_checked,
    a_channel_too_small_for_its_messages_is_refused,
    what_a_target_promises_its_scenarios_promise_unless_they_say_otherwise)
