// files: targets and fault families whose words cannot be meant so are refused.
#include "tests/unit/files/project.h"

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

START_TEST(threads_of_a_process_are_checked)
{
    REFUSED("threads: [a]", "threads[0]: a: a mapping, {key: value}, belongs here");
    REFUSED("threads: [{name: a}, {name: a}]", "threads[1].name: a: used twice");
    REFUSED("threads: [{name: a/b}]", "threads[0].name: a/b: ");
    REFUSED("threads: [{name: a, priority: 100}]", "priority: 100: out of range; use 1 to 99");
    REFUSED("threads: [{name: a-name-of-17-chars}]", "use at most 15 characters");
    REFUSED("clock: shim, threads: [{name: a}]", "threads: only with `clock: native`");
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

START_TEST(a_number_that_need_not_be_finite_is_one_of_a_message)
{
    static const char *const not_one[] = {"truth.time_ns", "truth.angle_rad[0]", "truth",
                                          "raw.angle_rad"};
    struct target *target;
    char text[2048], words[128];
    make_project();
    for (size_t i = 0; i < sizeof not_one / sizeof not_one[0]; i++) {
        snprintf(text, sizeof text, "world: simulator\nnot_finite: [{member: '%s', reason: r}]",
                 not_one[i]);
        snprintf(words, sizeof words, "%s: no real number of a message", not_one[i]);
        target_refused("world: simulator", text, 14, words);
    }
    snprintf(text, sizeof text, "%snot_finite: [{member: truth.angle_rad, reason: r}]\n",
             target_text);
    put("targets/t/target.yaml", text);
    ck_assert_int_eq(target_load(path_of("targets/t/target.yaml"), &target), STATUS_OK);
    target_free(target);
}
END_TEST

UNIT_MAIN("target file", a_trigger_that_no_pack_of_the_target_shows_is_refused,
          a_world_or_a_pack_that_is_not_there_is_refused,
          names_that_could_be_paths_or_commands_are_refused,
          a_fault_whose_colour_or_default_cannot_be_is_refused,
          what_a_kind_of_fault_is_stands_in_the_catalogue, a_fault_is_looked_at_where_it_acts,
          a_file_of_a_later_format_is_refused,
          a_target_of_another_format_is_refused_and_told_what_has_changed,
          a_program_is_a_list_of_words_that_begins_with_its_path,
          what_a_process_runs_with_and_when_it_is_ready_is_checked,
          threads_of_a_process_are_checked, a_number_that_need_not_be_finite_is_one_of_a_message,
          a_channel_too_small_for_its_messages_is_refused,
          what_a_target_promises_its_scenarios_promise_unless_they_say_otherwise)
