#include "tests/unit/common/unit.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/files/catalogue.h"
#include "harness/files/scenario.h"

// A project of its own in a temporary folder: one target, one fault, one scenario, one campaign.
static const char target_text[] =
    "format: 2\nname: t\nrobot: robot.xml\ndescription: robot-description.xml\n"
    "processes:\n"
    "  - {name: simulator, run: [sim], priority: 99}\n"
    "  - {name: control, component: Control, run: [c, a, b], priority: 45}\n"
    "channels:\n"
    "  - {name: truth, message: pole.msg, frame_size_max_B: 4096, slots: 16}\n"
    "  - {name: raw, frame_size_max_B: 16, slots: 4}\n"
    "buses:\n"
    "  - {name: can0, bitrate_bit_s: 1000000}\n"
    "world: simulator\npacks: [can, walking]\n";

static const char faults_text[] =
    "program: faults/process\n"
    "faults:\n"
    "  - name: kill\n    summary: s\n    colour: \"#000000\"\n    look: process\n    halts: ended\n"
    "    undo: restart-if-asked\n    parameters:\n"
    "      - {name: signal, summary: s, one_of: [KILL, TERM], default: KILL}\n"
    "  - name: stall\n    summary: s\n    colour: \"#000000\"\n    look: process\n    halts: "
    "stopped\n"
    "    undo: program\n    parameters:\n"
    "      - {name: depth, summary: s, min: 0, max: 2, default: \"1\"}\n";

#define SCENARIO_HEAD                                                                              \
    "name: s\n"                                                                                    \
    "claim: c\n"                                                                                   \
    "target: t\n"                                                                                  \
    "# a remark\n"                                                                                 \
    "duration_s: 20\n"                                                                             \
    "watch_s: 3\n"                                                                                 \
    "operator: {program: op, arguments: dynamic}\n"                                                \
    "environment: [goal_x_m=2.5]\n" // line 8; faults start on line 9

static const char campaign_text[] =
    "name: c\ntarget: t\nseed: 7\nrecheck_share: 0.5\n"
    "fault: {kind: kill, restart_after_s: 2}\n"
    "columns:\n"
    "  - {title: A, scenario: s.yaml, trials: 3, at: {time_s: [1]}}\n"
    "  - {title: B, scenario: s.yaml, trials: 4, at: {phase: [0, 1], after_s: 4}, "
    "restart_after_s: 5}\n"
    "rows:\n"
    "  - {component: Control, expected: [No Effect, Falls over]}\n";

static char folder[64];

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_project(void)
{
    make_folder(folder, sizeof folder);
    ck_assert_int_eq(mkdir(path_of("targets"), 0755), 0);
    ck_assert_int_eq(mkdir(path_of("targets/t"), 0755), 0);
    ck_assert_int_eq(mkdir(path_of("faults"), 0755), 0);
    unsetenv("UKEMI_FAULTS");
    unsetenv("UKEMI_PATH");
    ck_assert_int_eq(setenv("UKEMI_ROOT", folder, 1), 0);
    put("targets/t/target.yaml", target_text);
    put("targets/t/pole.msg", "int64 time_ns\nfloat64 angle_rad\n");
    put("faults/process.yaml", faults_text);
    put("s.yaml", SCENARIO_HEAD);
    put("c.yaml", campaign_text);
}

// Standard error from here on, and what has come since.
static void catch_errors(void)
{
    ck_assert_ptr_nonnull(freopen(path_of("errors"), "w", stderr));
}

static const char *errors(void)
{
    static char text[4096];
    fflush(stderr);
    FILE *file = fopen(path_of("errors"), "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

// The file must be refused with a message that begins with the file's name and this line, and has
// these words in it.
static void refused(enum status status, const char *name, unsigned line, const char *words)
{
    char start[160];
    const char *text = errors();
    snprintf(start, sizeof start, "%s:%u: ", path_of(name), line);
    ck_assert_int_eq(status, STATUS_INVALID);
    const char *found = strstr(text, start);
    ck_assert_msg(found != NULL && strstr(found, words) != NULL, "want '%s... %s...', got: %s",
                  start, words, text);
}

static void scenario_refused(const char *text, unsigned line, const char *words)
{
    struct scenario *scenario;
    make_project();
    put("s.yaml", text);
    catch_errors();
    refused(scenario_load(path_of("s.yaml"), NULL, &scenario), "s.yaml", line, words);
    ck_assert_ptr_null(scenario);
}

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

START_TEST(a_missing_key_is_named)
{
    scenario_refused("name: s\nclaim: c\n", 1, "target: missing; add it: name");
}
END_TEST

START_TEST(a_key_given_twice_is_refused)
{
    scenario_refused(SCENARIO_HEAD "must_stand: true\nmust_stand: false\n", 10,
                     "must_stand: given twice; keep one of the two");
}
END_TEST

START_TEST(all_that_is_missing_is_named_at_once)
{
    scenario_refused("name: s\n", 1, "watch_s: missing; add it: number of seconds, 0 to 3600");
    refused(STATUS_INVALID, "s.yaml", 1, "duration_s: missing; add it: number of seconds, 0.1");
}
END_TEST

START_TEST(what_is_not_yaml_is_refused_with_the_line)
{
    scenario_refused("name: s\nclaim: [c\ntarget: t\n", 3, "not YAML");
}
END_TEST

START_TEST(an_empty_file_is_refused)
{
    scenario_refused("", 1, "empty");
}
END_TEST

START_TEST(a_missing_target_is_named)
{
    scenario_refused("name: s\nclaim: c\ntarget: nobody\nduration_s: 2\nwatch_s: 1\n"
                     "operator: {program: op}\n",
                     3, "nobody: there is no targets/nobody/target.yaml");
}
END_TEST

// One wrong line behind a sound scenario, and what must be said of it.
struct wrong_line {
    const char *line, *words;
};

START_TEST(numbers_and_words_are_taken_whole_or_refused)
{
    static const struct wrong_line wrong[] = {
        {"bus_bitrate_bit_s: 1_000_000\n", "1_000_000: not a whole number from 0 on; write digits"},
        {"bus_bitrate_bit_s: 1e6\n", "1e6: not a whole number"},
        {"bus_bitrate_bit_s: 20000.9\n", "20000.9: not a whole number"},
        {"bus_bitrate_bit_s: 0100000\n", "0100000: not a whole number"},
        {"bus_bitrate_bit_s: 0x40000\n", "0x40000: not a whole number"},
        {"bus_bitrate_bit_s: 500000bit\n", "500000bit: not a whole number"},
        {"bus_bitrate_bit_s: -500000\n", "-500000: not a whole number from 0 on"},
        {"bus_bitrate_bit_s: 4294967296\n", "4294967296: out of range; use 10000 to 100000000"},
        {"bus_bitrate_bit_s:\n", "nothing: not a whole number"},
        {"bus_bitrate_bit_s: [500000]\n", "a list: a single value belongs here"},
        {"must_stand: yes\n", "must_stand: yes: neither true nor false; write one of these two"},
        {"must_stand: flase\n", "flase: neither true nor false"},
        {"must_stand: True\n", "True: neither true nor false"},
        {"must_stand: 1\n", "1: neither true nor false"},
        {"must_stand: \"\"\n", "nothing: neither true nor false"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, SCENARIO_HEAD "%s", wrong[i].line);
        scenario_refused(text, 9, wrong[i].words);
    }
    scenario_refused("name: s\nclaim: c\ntarget: t\nduration_s: 020\n", 4, "020: not a number");
    scenario_refused("name: s\nclaim: c\ntarget: t\nmotion: static\n", 4,
                     "motion: not a key any more");
}
END_TEST

START_TEST(a_text_that_is_more_than_a_printable_line_is_refused)
{
    static const char *const wrong[] = {"\"a\\0b\"", "\"a\\e[31m\"", "\"a\\nb\"", "\"a\\x9bb\"",
                                        "\"a\\u2028b\""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "name: s\nclaim: %s\ntarget: t\n", wrong[i]);
        scenario_refused(text, 2, "control character in it; use printable characters");
    }
}
END_TEST

START_TEST(a_second_document_is_refused)
{
    scenario_refused(SCENARIO_HEAD "---\nname: another\n", 9,
                     "a second document; write one document a file");
}
END_TEST

START_TEST(a_value_too_long_to_be_shown_is_cut_and_what_to_do_is_not)
{
    static char text[1 << 20] = "name: ";
    memset(text + strlen(text), 'z', sizeof text - 2 - strlen(text));
    text[sizeof text - 2] = '\n';
    scenario_refused(text, 1, "zzz...: too long; use at most 47 characters");
}
END_TEST

// libyaml takes minutes for this.
START_TEST(deep_nesting_is_refused_at_once)
{
    static char text[100000] = "name: s\nclaim: ";
    memset(text + strlen(text), '[', sizeof text - 1 - strlen(text));
    scenario_refused(text, 2, "nested too deeply");
}
END_TEST

START_TEST(what_is_no_file_is_refused_and_not_waited_for)
{
    struct scenario *scenario;
    make_project();
    ck_assert_int_eq(mkfifo(path_of("pipe.yaml"), 0600), 0);
    catch_errors();
    refused(scenario_load(path_of("pipe.yaml"), NULL, &scenario), "pipe.yaml", 1, "is a FIFO");
}
END_TEST

static void campaign_refused(const char *from, const char *to, unsigned line, const char *words)
{
    struct campaign *campaign;
    char text[1024];
    const char *at = strstr(campaign_text, from);
    make_project();
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - campaign_text), campaign_text, to,
             at + strlen(from));
    put("c.yaml", text);
    catch_errors();
    refused(campaign_load(path_of("c.yaml"), &campaign), "c.yaml", line, words);
}

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
    static const char *const at[] = {"{phase: [0, 1]}", "{when: tilt_rad, above: 1}",
                                     "{when: raw.x > 1 and steps > 2}"};
    static const char *const words[] = {
        "target t does not show that; it would need the pack walking",
        "target t does not show tilt_rad; it would need the pack",
        "raw.x > 1 and steps > 2: column 1: there is no signal"};
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
        refused(scenario_load(path_of("s.yaml"), NULL, &scenario), "s.yaml", 10, words[i]);
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
    a_channel_too_small_for_its_messages_is_refused)
