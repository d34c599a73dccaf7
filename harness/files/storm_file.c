#include "harness/files/storm_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/fault/fault_file.h"
#include "harness/files/fault/fault_struck.h"
#include "harness/files/fault/fault_watch.h"
#include "harness/files/places.h"
#include "harness/files/target/promise_file.h"
#include "harness/files/target/target_of.h"

#define WEIGHT_MAX 1000
#define STORM_DURATION_MAX_S 3600

static const struct file_row parameter_rows[] = {
    {"parameters", VALUE_NAME, true, FIELD(struct storm_parameter, name), .help = "its name"},
    {"value", VALUE_TEXT, true, LIST(struct storm_parameter, value, value_count), .least = 1,
     .most = STORM_CHOICES_MAX, .lone = true, .help = "its values"},
    {.key = NULL}};

static const struct file_row fault_of_storm_rows[] = {
    {"kind", VALUE_TEXT, true, FIELD(struct storm_row, kind),
     .line = offsetof(struct storm_row, line), .help = "of the catalogue: `ukemi list faults`"},
    {"struck", VALUE_TEXT, true, LIST(struct storm_row, struck, struck_count), .least = 1,
     .most = STORM_PLACES_MAX, .lone = true,
     .help = "as a scenario's `component`: one of these; `any`: all that the kind can strike"},
    {"duration_s", VALUE_RANGE, false, RANGE(struct storm_row, duration_s[0]), .least = 1,
     .most = 2, .max = FAULT_DURATION_MAX_S, .help = "as a scenario's, drawn from this range"},
    {"restart_after_s", VALUE_RANGE, false, RANGE(struct storm_row, restart_after_s[0]), .least = 1,
     .most = 2, .max = FAULT_DURATION_MAX_S,
     .help = "as a scenario's, drawn from this range; absent: what is killed stays dead"},
    {"parameters", VALUE_MAP, false, LIST(struct storm_row, parameter, parameter_count),
     .keyed = true, .most = PARAMETERS_MAX, .rows = parameter_rows,
     .help = "`name: value`; `name: [0.1, 1]` is drawn between the two numbers, and a list of "
             "words is chosen from"},
    {"weight", VALUE_NUMBER, false, FIELD(struct storm_row, weight), .min = 1e-3, .max = WEIGHT_MAX,
     .absent = "1", .help = "how often it strikes, beside the other rows'"},
    {.key = NULL}};

const struct file_row storm_rows[] = {
    FORMAT_ROW(1),
    {"name", VALUE_NAME, true, FIELD(struct storm, name), .help = "of the storm"},
    {"claim", VALUE_TEXT, true, FIELD(struct storm, claim),
     .help = "one sentence that any of its trials can refute"},
    {"target", VALUE_NAME, true, FIELD(struct storm, target_name), .help = "its name"},
    {"scenario", VALUE_TEXT, true, FIELD(struct storm, scenario_file),
     .help = "what is struck: a scenario without faults, by its path from this file"},
    {"count", VALUE_RANGE, false, RANGE(struct storm, count[0]), .least = 1, .most = 2, .min = 1,
     .max = FAULTS_MAX, .help = "faults in a trial, whole numbers; absent: 1"},
    {"at_once", VALUE_WHOLE, false, FIELD(struct storm, at_once), .min = 1, .max = FAULTS_MAX,
     .absent = "1", .help = "so many act at the same time, at most"},
    {"after_s", VALUE_NUMBER, false, FIELD(struct storm, after_s), .max = STORM_DURATION_MAX_S,
     .absent = "0", .help = "none strikes before"},
    {"calm_s", VALUE_NUMBER, true, FIELD(struct storm, calm_s), .min = WATCHED_MIN_S,
     .max = STORM_DURATION_MAX_S,
     .help = "none acts in so much of the trial's end, but those that nothing undoes; promises "
             "`from: calm` are judged there"},
    {"faults", VALUE_MAP, true, LIST(struct storm, row, row_count), .least = 1,
     .most = STORM_ROWS_MAX, .rows = fault_of_storm_rows,
     .help = "what may strike. A trial leaves out about half of the rows, and draws from the "
             "others"},
    {"promises", VALUE_MAP, false, LIST(struct storm, promise, promise_count), .most = PROMISES_MAX,
     .rows = promise_rows, .elsewhere = true,
     .help = "what must hold whatever strikes, in addition to the scenario's promises; as there"},
    {.key = NULL}};

struct loading {
    struct yaml_source *source;
    struct storm *storm;
};

// ---- the scenario ------------------------------------------------------------------------------

static void scenario_path(const struct storm *storm, char *path, size_t size)
{
    const char *relative = storm->scenario_file, *slash = strrchr(storm->file, '/');
    const bool whole = relative[0] == '/';
    const int length = slash == NULL || whole ? 0 : (int)(slash - storm->file) + 1;
    if (!whole || !places_moved(relative, path, size))
        snprintf(path, size, "%.*s%s", length, storm->file, relative);
}

static enum status load_scenario(const struct loading *loading)
{
    struct storm *storm = loading->storm;
    char path[2 * PATH_MAX_LENGTH];
    scenario_path(storm, path, sizeof path);
    enum status status = scenario_load(path, storm->target, &storm->scenario);
    if (status == STATUS_OK)
        status = scenario_read(path, &storm->written);
    if (status != STATUS_OK)
        yaml_complain(loading->source, "scenario", "%s: cannot be used, see above", path);
    else if (storm->scenario->fault_count > 0)
        yaml_complain(loading->source, "scenario",
                      "%s: has faults of its own; use one without, and let the storm's rows strike",
                      storm->scenario->name);
    return status;
}

// ---- promises ----------------------------------------------------------------------------------

// What counts from one fault alone says little of several, and perhaps nothing; and what is judged
// has to fit into the calm.
static void check_window(const struct loading *loading, const char *key,
                         const struct promise *promise)
{
    const struct storm *storm = loading->storm;
    const double long_s = promise->after_s + promise->for_s + promise->looks_s;
    if (promise->from == FROM_FAULT_OVER || promise->from == FROM_RESTART)
        yaml_complain(loading->source, key,
                      "%s counts from a %s, and the first fault of a trial may bring none; count "
                      "`from: calm`, or `from: fault`",
                      promise->name, promise_anchors[promise->from]);
    else if (promise->from != FROM_START && long_s >= storm->calm_s)
        yaml_complain(loading->source, key,
                      "%s looks until %g s after the last fault, and calm_s is %g; make calm_s "
                      "longer than that",
                      promise->name, long_s, storm->calm_s);
}

static bool promises_already(const struct scenario *scenario, const char *name)
{
    for (unsigned i = 0; i < scenario->promise_count; i++)
        if (!scenario->promise[i].of_target && strcmp(scenario->promise[i].name, name) == 0)
            return true;
    return false;
}

// In place of the target's of its name.
static void add_promise(struct scenario *scenario, const struct promise *promise)
{
    unsigned i = 0;
    while (i < scenario->promise_count && strcmp(scenario->promise[i].name, promise->name) != 0)
        i++;
    scenario->promise[i] = *promise;
    if (i == scenario->promise_count)
        scenario->promise_count++;
}

static void check_promises(const struct loading *loading)
{
    struct storm *storm = loading->storm;
    struct scenario *scenario = storm->scenario;
    for (unsigned i = 0; i < scenario->promise_count; i++)
        if (!scenario->promise[i].of_target && scenario->promise[i].program[0] == '\0')
            check_window(loading, "scenario", &scenario->promise[i]);
    for (unsigned i = 0; i < storm->promise_count; i++) {
        const struct yaml_key key = yaml_key("promises[%u]", i);
        struct promise checked = storm->promise[i];
        if (promises_already(scenario, checked.name) ||
            storm->written->promise_count == PROMISES_MAX ||
            scenario->promise_count == PROMISES_MAX) {
            yaml_complain(loading->source, yaml_key("%s.name", key.text).text,
                          "%s: %s promises it, or has no room for more than %d; leave it out",
                          checked.name, scenario->name, PROMISES_MAX);
            continue;
        }
        promise_check(loading->source, key.text, storm->target, NULL, scenario->duration_s,
                      &checked);
        check_window(loading, key.text, &checked);
        storm->written->promise[storm->written->promise_count++] = storm->promise[i];
        add_promise(scenario, &checked);
    }
}

// ---- rows --------------------------------------------------------------------------------------

static bool is_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return *text != '\0' && *end == '\0' && isfinite(*number);
}

static void check_parameter(const struct loading *loading, const char *key,
                            const struct fault_kind *fault, struct storm_parameter *parameter)
{
    const struct yaml_key at = yaml_key("%s.parameters.%s", key, parameter->name);
    parameter->ranges = parameter->value_count == 2 &&
                        is_number(parameter->value[0], &parameter->low) &&
                        is_number(parameter->value[1], &parameter->high);
    if (parameter->ranges && parameter->low > parameter->high)
        yaml_complain(loading->source, at.text, "[%g, %g]: the first is the larger one; swap them",
                      parameter->low, parameter->high);
    for (unsigned i = 0; i < parameter->value_count; i++) {
        char words[2 * NAME_MAX_LENGTH], why[160];
        snprintf(words, sizeof words, "%s=%s", parameter->name, parameter->value[i]);
        if (strlen(words) >= NAME_MAX_LENGTH)
            yaml_complain(loading->source, at.text,
                          "%s: too long; at most %d letters with its "
                          "name",
                          parameter->value[i], NAME_MAX_LENGTH - 1);
        else if (!catalogue_check_parameter(fault, words, why, sizeof why))
            yaml_complain(loading->source, at.text, "%s: cannot be used; %s", words, why);
    }
}

static void check_once(const struct loading *loading, const char *key, const struct storm_row *row,
                       unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        if (strcmp(row->parameter[i].name, row->parameter[number].name) == 0)
            yaml_complain(loading->source,
                          yaml_key("%s.parameters.%s", key, row->parameter[i].name).text,
                          "given twice; keep one of the two");
}

static void name_row(struct storm *storm, unsigned number)
{
    struct storm_row *row = &storm->row[number];
    unsigned before = 0;
    for (unsigned i = 0; i < number; i++)
        before += strcmp(storm->row[i].kind, row->kind) == 0;
    snprintf(row->name, sizeof row->name, before > 0 ? "%s/%u" : "%s", row->kind, before + 1);
}

// The first value of each range; a file that is right with both ends is right in between.
static struct fault_request request_of(const struct storm_row *row, const char *struck)
{
    struct fault_request request = {.at = {.kind = TRIGGER_TIME},
                                    .duration_s = row->duration_s[0],
                                    .restart_after_s = row->restart_after_s[0]};
    text_copy(request.kind, sizeof request.kind, row->kind);
    text_copy(request.component, sizeof request.component, struck);
    for (unsigned i = 0; i < row->parameter_count; i++)
        snprintf(request.parameter[request.parameter_count++], NAME_MAX_LENGTH, "%.20s=%.26s",
                 row->parameter[i].name, row->parameter[i].value[0]);
    return request;
}

static void check_struck(const struct loading *loading, const char *key, struct storm_row *row)
{
    const struct target *target = loading->storm->target;
    const struct yaml_key struck = yaml_key("%s.struck", key);
    if (row->struck_count == 1 && strcmp(row->struck[0], STORM_ANY) == 0) {
        row->struck_count = fault_struck_any(row->fault, target, row->struck, STORM_PLACES_MAX);
        if (row->struck_count == 0)
            yaml_complain(loading->source, struck.text,
                          "any: %s has nothing that a %s can strike; leave the row out",
                          target->name, row->kind);
    }
    for (unsigned i = 0; i < row->struck_count; i++) {
        const struct fault_request request = request_of(row, row->struck[i]);
        struck_check(loading->source, struck.text, row->struck[i], row->fault, target);
        fault_names_check(loading->source, key, row->fault, &request, target);
    }
}

// How long it acts at most, of what is undone.
static double longest_s(const struct storm_row *row)
{
    return fmax(row->duration_s[1], fmax(row->restart_after_s[1], 0));
}

static void check_row(const struct loading *loading, unsigned number)
{
    struct storm *storm = loading->storm;
    struct storm_row *row = &storm->row[number];
    const struct yaml_key key = yaml_key("faults[%u]", number);
    const struct yaml_key restart = yaml_key("%s.restart_after_s", key.text);
    const struct yaml_key lasting = yaml_key("%s.duration_s", key.text);
    struct fault_request request = request_of(row, row->struck[0]);
    request.parameter_count = 0; // checked by their names, below
    fault_check(loading->source, key.text, storm->scenario->catalogue, &request);
    row->fault = catalogue_find(storm->scenario->catalogue, row->kind);
    if (row->fault == NULL)
        return;
    name_row(storm, number);
    if (!yaml_has(loading->source, restart.text))
        row->restart_after_s[0] = row->restart_after_s[1] = -1;
    for (unsigned i = 0; i < row->parameter_count; i++) {
        check_parameter(loading, key.text, row->fault, &row->parameter[i]);
        check_once(loading, key.text, row, i);
    }
    if (yaml_status(loading->source) == STATUS_OK)
        check_struck(loading, key.text, row);
    const double room_s = storm->scenario->duration_s - storm->after_s - storm->calm_s;
    if (longest_s(row) >= room_s)
        yaml_complain(loading->source,
                      yaml_has(loading->source, restart.text) ? restart.text : lasting.text,
                      "%g s: between after_s and the calm there are %g s; let it act for less, or "
                      "take a longer scenario",
                      longest_s(row), room_s);
}

// ---- the whole ---------------------------------------------------------------------------------

static void check_numbers(const struct loading *loading)
{
    struct storm *storm = loading->storm;
    const bool whole =
        storm->count[0] == floor(storm->count[0]) && storm->count[1] == floor(storm->count[1]);
    if (!yaml_has(loading->source, "count"))
        storm->count[0] = storm->count[1] = 1;
    else if (!whole)
        yaml_complain(loading->source, "count", "[%g, %g]: not whole numbers; use %d to %d",
                      storm->count[0], storm->count[1], 1, FAULTS_MAX);
    if (storm->after_s + storm->calm_s >= storm->scenario->duration_s)
        yaml_complain(loading->source, "calm_s",
                      "%g: with after_s of %g it leaves nothing of the %g s that %s lasts; take "
                      "less, or a longer scenario",
                      storm->calm_s, storm->after_s, storm->scenario->duration_s,
                      storm->scenario->name);
}

static enum status check(struct yaml_source *source, void *file, void *context)
{
    struct storm *storm = file;
    const struct loading loading = {source, storm};
    (void)context;
    yaml_copy_path(source, storm->file);
    enum status status = target_of(source, storm->target_name, &storm->target);
    if (status == STATUS_OK)
        status = load_scenario(&loading);
    if (status == STATUS_OK) {
        check_numbers(&loading);
        check_promises(&loading);
        for (unsigned i = 0; i < storm->row_count; i++)
            check_row(&loading, i);
        status = yaml_status(source);
    }
    if (status != STATUS_OK) { // the file itself is file_load's
        target_free(storm->target);
        scenario_free(storm->scenario);
        scenario_free(storm->written);
    }
    return status;
}

enum status storm_load(const char *path, struct storm **storm)
{
    void *file;
    const enum status status =
        file_load(path, storm_rows, sizeof(struct storm), check, NULL, &file);
    *storm = file;
    return status;
}

void storm_free(struct storm *storm)
{
    if (storm == NULL)
        return;
    target_free(storm->target);
    scenario_free(storm->scenario);
    scenario_free(storm->written);
    free(storm);
}
