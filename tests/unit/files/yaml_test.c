// files: whatever is no YAML, or no value of its key, is refused with its line.
#include "tests/unit/files/project.h"

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
        {"bus_bitrate_bit_s: 1_000_000\n", "1_000_000: not a whole number from 0 up; write digits"},
        {"bus_bitrate_bit_s: 1e6\n", "1e6: not a whole number"},
        {"bus_bitrate_bit_s: 20000.9\n", "20000.9: not a whole number"},
        {"bus_bitrate_bit_s: 0100000\n", "0100000: not a whole number"},
        {"bus_bitrate_bit_s: 0x40000\n", "0x40000: not a whole number"},
        {"bus_bitrate_bit_s: 500000bit\n", "500000bit: not a whole number"},
        {"bus_bitrate_bit_s: -500000\n", "-500000: not a whole number from 0 up"},
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

// YAML 1.1 and 1.2 read these as no value at all; in quotes they are texts like others.
START_TEST(what_is_nothing_to_yaml_is_no_text_unless_in_quotes)
{
    struct scenario *scenario;
    static const struct wrong_line wrong[] = {
        {"environment: [~]\n", "environment[0]: ~: nothing, to YAML; write a text, and \"~\" if"},
        {"programs: [{component: control, program: b, arguments: NULL}]\n", "NULL: nothing, to"},
        {"programs: [{component: control, program: b, arguments: }]\n",
         "nothing: too short; write a text, or leave the key out"},
        {"programs: [{component: control, program: b, arguments: !!null x}]\n", "x: nothing, to"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, SCENARIO_HEAD "%s", wrong[i].line);
        scenario_refused(strstr(wrong[i].line, "environment") == NULL
                             ? text
                             : strcat(strcpy(text, "name: s\nclaim: c\ntarget: t\n# a\n# b\n"
                                                   "duration_s: 2\nwatch_s: 1\n# c\n"),
                                      wrong[i].line),
                         9, wrong[i].words);
    }
    make_project();
    put("s.yaml", "name: 'null'\nclaim: \"~\"\ntarget: t\nduration_s: 2\nwatch_s: 1\n");
    ck_assert_int_eq(scenario_load(path_of("s.yaml"), NULL, &scenario), STATUS_OK);
    ck_assert_str_eq(scenario->name, "null");
    ck_assert_str_eq(scenario->claim, "~");
    scenario_free(scenario);
}
END_TEST

START_TEST(a_range_may_be_one_number)
{
    struct scenario *scenario;
    make_project();
    put("s.yaml", SCENARIO_HEAD "oscillators: [{processes: [control], drift_ppm: -3}]\nfaults:\n"
                                "  - {kind: kill, component: Control, at: {time_s: 5.1}}\n"
                                "  - {kind: kill, component: Control, at: {phase: 0.5}}\n");
    ck_assert_int_eq(scenario_load(path_of("s.yaml"), NULL, &scenario), STATUS_OK);
    ck_assert(scenario->fault[0].at.time_min_s == 5.1 && scenario->fault[0].at.time_max_s == 5.1);
    ck_assert(scenario->fault[1].at.phase_min == 0.5 && scenario->fault[1].at.phase_max == 0.5);
    ck_assert(scenario->oscillator[0].drift_min_ppm == -3);
    ck_assert(scenario->oscillator[0].drift_max_ppm == -3);
    scenario_free(scenario);
    scenario_refused(SCENARIO_HEAD "faults:\n"
                                   "  - {kind: kill, component: Control, at: {phase: 1.5}}\n",
                     10, "faults[0].at.phase: 1.5: out of range; use 0 to 1");
    scenario_refused(SCENARIO_HEAD "faults:\n"
                                   "  - {kind: kill, component: Control, at: {time_s: soon}}\n",
                     10, "faults[0].at.time_s: soon: not a number");
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

UNIT_MAIN("yaml", what_is_nothing_to_yaml_is_no_text_unless_in_quotes, a_range_may_be_one_number,
          a_missing_key_is_named, a_key_given_twice_is_refused,
          all_that_is_missing_is_named_at_once, what_is_not_yaml_is_refused_with_the_line,
          an_empty_file_is_refused, a_missing_target_is_named,
          numbers_and_words_are_taken_whole_or_refused,
          a_text_that_is_more_than_a_printable_line_is_refused, a_second_document_is_refused,
          a_value_too_long_to_be_shown_is_cut_and_what_to_do_is_not,
          deep_nesting_is_refused_at_once, what_is_no_file_is_refused_and_not_waited_for)
