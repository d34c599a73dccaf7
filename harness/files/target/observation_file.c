#include "harness/files/target/observation_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/claims.h"
#include "harness/files/target/promise_file.h"
#include "harness/files/target/signal_names.h"

static const char *const ofs[] = {
    [OF_LAST] = "last", [OF_MIN] = "min", [OF_MAX] = "max", [OF_MEAN] = "mean", NULL};

static const struct file_row case_rows[] = {
    {"say", VALUE_TEXT, true, FIELD(struct observation_case, say), .help = "the text"},
    {"when", VALUE_TEXT, false, FIELD(struct observation_case, when),
     .help = "a formula; if absent, the entry always applies and must be the last"},
    {.key = NULL}};

const struct file_row observation_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct observation_config, name), .unique = true,
     .line = offsetof(struct observation_config, line),
     .help = "name of its rows in the database; a time or value ends with its unit"},
    {"first_of", VALUE_MAP, false, LIST(struct observation_config, first_of, case_count),
     .most = CASES_MAX, .rows = case_rows,
     .help = "the first entry whose formula holds where the window begins gives its text"},
    {"time_until", VALUE_TEXT, false, FIELD(struct observation_config, time_until),
     .help = "a formula: the time from the window's start until it holds, in s"},
    {"value", VALUE_TEXT, false, FIELD(struct observation_config, value),
     .help = "a term: its value over the window"},
    {"of", VALUE_WORD, false, FIELD(struct observation_config, of), .words = ofs, .absent = "last",
     .help = "which one; the mean is over time"},
    {"unit", VALUE_TEXT, false, FIELD(struct observation_config, unit), .help = "of `value`"},
    {"from", VALUE_WORD, false, FIELD(struct observation_config, from), .words = promise_anchors,
     .absent = "start", .help = "what the window counts from, as for a promise"},
    {"after_s", VALUE_NUMBER, false, FIELD(struct observation_config, after_s), .max = WINDOW_MAX_S,
     .absent = "0", .help = "the window begins this long after `from`"},
    {"for_s", VALUE_NUMBER, false, FIELD(struct observation_config, for_s), .max = WINDOW_MAX_S,
     .absent = "0", .help = "length of the window; 0: to the end of the trial"},
    {.key = NULL}};

static void check_cases(struct yaml_source *source, const char *key, struct signal_names *names,
                        const struct observation_config *observation)
{
    for (unsigned i = 0; i < observation->case_count; i++) {
        const struct yaml_key when = yaml_key("%s.first_of[%u].when", key, i);
        if (observation->first_of[i].when[0] != '\0')
            formula_check(source, when.text, observation->first_of[i].when, names);
        else if (i + 1 < observation->case_count)
            yaml_complain(source, yaml_key("%s.first_of[%u]", key, i).text,
                          "no formula, so those behind it say nothing; give it `when`, or put it "
                          "last");
    }
}

// What belongs to one kind only.
static void check_kind(struct yaml_source *source, const char *key,
                       struct observation_config *observation)
{
    const bool text = observation->case_count > 0, time = observation->time_until[0] != '\0',
               value = observation->value[0] != '\0';
    observation->kind = text ? OBSERVE_TEXT : time ? OBSERVE_TIME : OBSERVE_VALUE;
    if (text + time + value != 1)
        yaml_complain(source, key,
                      "observes nothing, or twice; give one of: first_of time_until "
                      "value");
    for (unsigned i = 0; i < 2 && !value; i++) {
        const struct yaml_key other = yaml_key("%s.%s", key, i == 0 ? "of" : "unit");
        const bool seconds = i == 1 && time && strcmp(observation->unit, "s") == 0;
        if (yaml_has(source, other.text) && !seconds)
            yaml_complain(source, other.text, "belongs to value; remove it");
    }
    if (text && yaml_has(source, yaml_key("%s.for_s", key).text))
        yaml_complain(source, yaml_key("%s.for_s", key).text,
                      "its formulas say how far they look; remove it");
    if (time)
        snprintf(observation->unit, sizeof observation->unit, "s");
}

void observation_check(struct yaml_source *source, const struct target *target,
                       struct observation_config *list, unsigned count)
{
    struct signal_names *names = calloc(1, sizeof *names);
    for (unsigned i = 0; names != NULL && i < count; i++) {
        struct observation_config *observation = &list[i];
        const struct yaml_key key = yaml_key("observations[%u]", i);
        *names = (struct signal_names){.target = target};
        check_kind(source, key.text, observation);
        check_cases(source, key.text, names, observation);
        if (observation->time_until[0] != '\0')
            formula_check(source, yaml_key("%s.time_until", key.text).text, observation->time_until,
                          names);
        if (observation->value[0] != '\0')
            term_check(source, yaml_key("%s.value", key.text).text, observation->value, names);
    }
    free(names);
}
