
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/fault/catalogue.h"
#include "harness/files/fault/fault_file.h"
#include "harness/files/fault/fault_meet.h"
#include "harness/files/fault/fault_watch.h"
#include "harness/files/oscillator_file.h"
#include "harness/files/program.h"
#include "harness/files/scenario.h"
#include "harness/files/target/not_finite.h"
#include "harness/files/target/observation_file.h"
#include "harness/files/target/promise_file.h"
#include "harness/files/target/target_of.h"
#include "harness/files/yaml/yaml_source.h"
#include "harness/packs/list.h"

#define DURATION_MAX_S 3600.0
// A bus that costs nothing, for rates that a real one does not carry.
#define BUS_BITRATE_MAX_BIT_S 100e6

static const struct file_row operator_rows[] = {
    {"program", VALUE_TEXT, false, FIELD(struct scenario, operator_program),
     .line = offsetof(struct scenario, operator_line), .help = "as for a target's process"},
    {"arguments", VALUE_TEXT, false, FIELD(struct scenario, operator_arguments),
     .help = "split at spaces"},
    {"checks", VALUE_TRUTH, false, FIELD(struct scenario, operator_checks), .absent = "false",
     .help = "`true`: with `--check` before its arguments, the program checks them and exits with "
             "0 or 2. `ukemi check` runs it so, in a cell, and so do trials before they start"},
    {.key = NULL}};

static const char *const redundancy_words[] = {[0] = "target",
                                               [1 + ETH_NONE] = "none",
                                               [1 + ETH_SWITCH] = "switch",
                                               [1 + ETH_SEAMLESS] = "seamless",
                                               NULL};

static const char *const asked_words[] = {[ASKED_AS_RECORDED] = "recorded",
                                          [ASKED_GOAL] = "goal",
                                          [ASKED_WALK] = "walk",
                                          [ASKED_STANCE] = "stance",
                                          NULL};

static const struct file_row replacement_rows[] = {
    {"component", VALUE_TEXT, true, FIELD(struct replacement, component), .unique = true,
     .help = "row of the failure table, or name of a process"},
    {"program", VALUE_TEXT, true, FIELD(struct replacement, program),
     .line = offsetof(struct replacement, line), .help = "as for a target's process"},
    {"arguments", VALUE_TEXT, false, FIELD(struct replacement, arguments),
     .help = "split at spaces, instead of the target's; empty: the target's"},
    {.key = NULL}};

static const struct file_row harmless_rows[] = {
    {"doubt", VALUE_TEXT, true, FIELD(struct harmless, doubt), .unique = true,
     .line = offsetof(struct harmless, line),
     .help = "as `ukemi doubt --list` names it; `*` and `?` stand for any letters, and for one"},
    {"reason", VALUE_TEXT, true, FIELD(struct harmless, reason),
     .help = "why the scenario's claim holds all the same"},
    {.key = NULL}};

static const char *const variation_words[] = {"on", "off", NULL};

const struct file_row scenario_rows[] = {
    FORMAT_ROW(1),
    {"name", VALUE_TEXT, true, FIELD(struct scenario, name), .help = "of the scenario"},
    {"claim", VALUE_TEXT, true, FIELD(struct scenario, claim),
     .help = "one sentence that a trial can refute"},
    {"target", VALUE_NAME, true, FIELD(struct scenario, target), .help = "its name"},
    {"motion", VALUE_GONE, .help = "nothing: what was done is observed"},
    {"duration_s", VALUE_NUMBER, true, FIELD(struct scenario, duration_s), .min = 0.1,
     .max = DURATION_MAX_S, .help = "the trial ends here at the latest"},
    {"watch_s", VALUE_NUMBER, true, FIELD(struct scenario, watch_s), .max = DURATION_MAX_S,
     .help = "how long the behaviour after a fault is observed; at most `duration_s`"},
    {"operator", VALUE_MAP, false, .rows = operator_rows,
     .help = "the program that asks the robot for its motion; optional"},
    {"environment", VALUE_TEXT, false, LIST(struct scenario, environment, environment_count),
     .pairs = true, .most = PARAMETERS_MAX, .line = offsetof(struct scenario, environment_line),
     .help = "`name=value`: parameters of the simulated world"},
    {"bus_bitrate_bit_s", VALUE_WHOLE, false, FIELD(struct scenario, bus_bitrate_bit_s),
     .min = BUS_BITRATE_MIN_BIT_S, .max = BUS_BITRATE_MAX_BIT_S,
     .help = "bit rate of all buses in this trial, instead of the target's. No CAN bus goes beyond "
             "1 Mbit/s; there the bus costs nothing"},
    {"redundancy", VALUE_WORD, false, FIELD(struct scenario, redundancy), .words = redundancy_words,
     .absent = "target",
     .help = "redundancy of the rings of all networks, instead of the target's"},
    {"programs", VALUE_MAP, false, LIST(struct scenario, replacement, replacement_count),
     .most = REPLACEMENTS_MAX, .rows = replacement_rows,
     .help = "programs that replace the target's in this trial"},
    {"must_complete", VALUE_TRUTH, false, FIELD(struct scenario, must_complete), .absent = "false",
     .help = "`true`: the robot must do what it is `asked`, also after a fault, if it stands when "
             "the fault has ended. Of targets with the pack walking"},
    {"asked", VALUE_WORD, false, FIELD(struct scenario, asked), .words = asked_words,
     .absent = "recorded",
     .help = "what is judged of a trial without a fault, and with `must_complete` of others. "
             "`goal`: the robot comes to the goal of the environment, "
             "and stands there; `walk`: the operator's walking commands are done, and its program "
             "has ended; `stance`: it stands where it stood; `recorded`: what the operator's "
             "commands ask for, or else the goal"},
    {"must_stand", VALUE_TRUTH, false, FIELD(struct scenario, must_stand), .absent = "false",
     .help =
         "`true`: the robot must not fall, whatever strikes; otherwise it may fall after a fault"},
    {"variation", VALUE_WORD, false, FIELD(struct scenario, unvaried), .words = variation_words,
     .absent = "on",
     .help = "`off`: nothing of the target's `variation` in its trials; the world is as the model "
             "says, whatever the seed"},
    {"idle", VALUE_TEXT, false, LIST(struct scenario, idle, idle_count), .most = PROCESSES_MAX,
     .help = "processes whose output this scenario does not need. Any other must be seen to do "
             "something in the trial"},
    {"column", VALUE_TRUTH, false, FIELD(struct scenario, column), .absent = "false",
     .help = "`true`: a column of campaigns, which give it its fault. Run alone it has none, and "
             "promises that count from one are not judged"},
    {"oscillators", VALUE_MAP, false, LIST(struct scenario, oscillator, oscillator_count),
     .most = OSCILLATORS_MAX, .rows = oscillator_rows,
     .help = "clocks of processes; other processes have the trial's time"},
    {"faults", VALUE_MAP, false, LIST(struct scenario, fault, fault_count), .most = FAULTS_MAX,
     .rows = fault_rows, .help = "what strikes, and when"},
    {"promises", VALUE_MAP, false, LIST(struct scenario, promise, promise_count),
     .most = PROMISES_MAX, .rows = promise_rows,
     .help = "what must hold, in addition to the oracles"},
    {"observations", VALUE_MAP, false, LIST(struct scenario, observation, observation_count),
     .most = SCENARIO_OBSERVATIONS_MAX, .rows = observation_rows,
     .help = "what is recorded of its trials, in addition to the target's observations, or instead "
             "of them; see [observations](observations.md)"},
    {"not_finite", VALUE_MAP, false, LIST(struct scenario, not_finite, not_finite_count),
     .most = NOT_FINITE_MAX, .rows = not_finite_rows,
     .help = "real numbers that processes may send in its trials though they are not finite, as of "
             "an operator that asks for what cannot be; in addition to the target's"},
    {"harmless", VALUE_MAP, false, LIST(struct scenario, harmless, harmless_count),
     .most = HARMLESS_MAX, .rows = harmless_rows,
     .help = "doubts that need not be noticed; see [doubt](doubt.md)"},
    {.key = NULL}};

// What a scenario is checked against.
struct check {
    struct yaml_source *source;
    const struct target *target;
    const struct catalogue *catalogue; // NULL: its own
    bool in_campaign;                  // which looks at faults when it has given its own
};

static void check_environment(struct yaml_source *source, const struct scenario *scenario)
{
    for (unsigned i = 0; i < scenario->environment_count; i++) {
        const char *text = scenario->environment[i];
        const char *equals = strchr(text, '=');
        bool good = equals != NULL && equals > text;
        for (const char *c = text; good && c < equals; c++)
            good = isalnum((unsigned char)*c) || *c == '_';
        if (!good)
            yaml_complain(source, yaml_key("environment[%u]", i).text,
                          "%s: not name=value; write it as in goal_x_m=2.5", text);
    }
}

static void check_programs(const struct check *check, struct scenario *scenario)
{
    if (scenario->operator_program[0] != '\0')
        program_place(check->source, "operator.program", check->target, scenario->operator_program,
                      sizeof scenario->operator_program);
    for (unsigned i = 0; i < scenario->replacement_count; i++) {
        struct replacement *replacement = &scenario->replacement[i];
        component_check(check->source, yaml_key("programs[%u].component", i).text,
                        replacement->component, check->target);
        program_place(check->source, yaml_key("programs[%u].program", i).text, check->target,
                      replacement->program, sizeof replacement->program);
    }
}

static void check_fault(const struct check *check, unsigned number, double duration_s,
                        struct fault_request *fault)
{
    struct yaml_source *source = check->source;
    const struct yaml_key key = yaml_key("faults[%u]", number);
    const struct yaml_key component = yaml_key("%s.component", key.text);
    const struct yaml_key at = yaml_key("%s.at", key.text);
    fault_check(source, key.text, check->catalogue, fault);
    if (fault->component[0] == '\0')
        yaml_complain(source, component.text,
                      "missing; name the component, or the bus, that is struck");
    else
        struck_check(source, component.text, fault->component,
                     catalogue_find(check->catalogue, fault->kind), check->target);
    fault_names_check(source, key.text, catalogue_find(check->catalogue, fault->kind), fault,
                      check->target);
    if (!yaml_has(source, at.text))
        yaml_complain(source, at.text, "missing; say when it strikes, as in at: {time_s: [4, 10]}");
    else
        trigger_check(source, at.text, duration_s, check->target, &fault->at);
}

static bool promises(const struct scenario *scenario, const char *name)
{
    for (unsigned i = 0; i < scenario->promise_count; i++)
        if (strcmp(scenario->promise[i].name, name) == 0)
            return true;
    return false;
}

// What the target promises and the scenario does not.
static void add_promises(const struct check *check, struct scenario *scenario)
{
    for (unsigned i = 0; i < check->target->promise_count; i++) {
        const struct promise *promise = &check->target->promise[i];
        if (promises(scenario, promise->name))
            continue;
        if (promise->from == FROM_START && promise->after_s + promise->for_s > scenario->duration_s)
            yaml_complain(check->source, "duration_s",
                          "%g: %s promises %s until %g s; let it last so long, or promise %s here",
                          scenario->duration_s, check->target->name, promise->name,
                          promise->after_s + promise->for_s, promise->name);
        if (scenario->promise_count == PROMISES_MAX)
            yaml_complain(check->source, "promises",
                          "more than %d with those of %s; leave some out", PROMISES_MAX,
                          check->target->name);
        else
            scenario->promise[scenario->promise_count++] = *promise;
    }
}

// The keys that a pack judges, and no other part of the lab.
static void check_completion(const struct check *check, const struct scenario *scenario)
{
    const struct target *target = check->target;
    bool judged = false;
    for (unsigned i = 0; i < target->pack_count; i++)
        judged |= strcmp(target->pack[i], PACK_OF_MOTION) == 0;
    const char *key = scenario->must_complete                ? "must_complete"
                      : scenario->asked != ASKED_AS_RECORDED ? "asked"
                                                             : "must_stand";
    if (!judged && (scenario_asks(scenario) || scenario->must_stand))
        yaml_complain(check->source, key,
                      "nothing judges it, since %s has not the pack %s; promise what the "
                      "target must do, under promises",
                      target->name, PACK_OF_MOTION);
}

static void check_idle(const struct check *check, const struct scenario *scenario)
{
    for (unsigned i = 0; i < scenario->idle_count; i++) {
        bool found = false;
        for (unsigned p = 0; p < check->target->process_count; p++)
            found |= strcmp(check->target->process[p].name, scenario->idle[i]) == 0;
        if (!found)
            yaml_complain(check->source, yaml_key("idle[%u]", i).text,
                          "%s: not a process of %s; use a name of its processes", scenario->idle[i],
                          check->target->name);
        else if (strcmp(scenario->idle[i], check->target->world) == 0)
            yaml_complain(check->source, yaml_key("idle[%u]", i).text,
                          "%s: the simulated world is never idle; leave it out", scenario->idle[i]);
    }
}

// Whether what its faults do is looked at, and what its promises count from can happen.
static void check_watch(const struct check *check, const struct scenario *scenario)
{
    char why[256];
    for (unsigned i = 0; i < scenario->fault_count; i++)
        if (!fault_watched(scenario, i, why, sizeof why))
            yaml_complain(check->source, yaml_key("faults[%u].at", i).text, "%s", why);
    for (unsigned i = 0; i < scenario->promise_count; i++)
        if (!scenario->promise[i].of_target && !(scenario->column && scenario->fault_count == 0) &&
            !promise_anchored(scenario, check->target, &scenario->promise[i], why, sizeof why))
            yaml_complain(check->source, yaml_key("promises[%u].from", i).text, "%s", why);
}

static void check_all(const struct check *check, struct scenario *scenario)
{
    struct yaml_source *source = check->source;
    yaml_copy_path(source, scenario->file);
    yaml_check_range(source, "watch_s", scenario->watch_s, 0, scenario->duration_s);
    check_environment(source, scenario);
    check_programs(check, scenario);
    check_completion(check, scenario);
    check_idle(check, scenario);
    oscillators_check(source, check->target, scenario);
    for (unsigned i = 0; i < scenario->fault_count; i++)
        check_fault(check, i, scenario->duration_s, &scenario->fault[i]);
    faults_meet_check(source, check->catalogue, check->target, scenario);
    for (unsigned i = 0; i < scenario->promise_count; i++)
        promise_check(source, yaml_key("promises[%u]", i).text, check->target, scenario->file,
                      scenario->duration_s, &scenario->promise[i]);
    add_promises(check, scenario);
    if (!check->in_campaign && yaml_status(source) == STATUS_OK)
        check_watch(check, scenario);
    not_finite_check(source, check->target, scenario->not_finite, scenario->not_finite_count);
    observation_check(source, check->target, scenario->observation, scenario->observation_count);
}

static enum status check(struct yaml_source *source, void *file, void *context)
{
    struct scenario *scenario = file;
    struct check all = *(const struct check *)context;
    struct target *own = NULL;
    enum status status = STATUS_OK;
    all.source = source;
    if (all.target == NULL)
        status = target_of(source, scenario->target, &own);
    else if (strcmp(all.target->name, scenario->target) != 0)
        yaml_complain(source, "target", "%s: the campaign is for target %s; use scenarios of one",
                      scenario->target, all.target->name);
    if (status == STATUS_OK && all.catalogue == NULL)
        status = catalogue_load(&scenario->own_catalogue);
    if (status == STATUS_OK) {
        all.target = own != NULL ? own : all.target;
        all.catalogue = scenario->catalogue =
            all.catalogue != NULL ? all.catalogue : scenario->own_catalogue;
        check_all(&all, scenario);
        status = yaml_status(source);
    }
    target_free(own);
    if (status != STATUS_OK)
        catalogue_free(scenario->own_catalogue);
    return status;
}

enum status scenario_load_with(const char *path, const struct target *target,
                               const struct catalogue *catalogue, struct scenario **scenario)
{
    void *file;
    struct check all = {.target = target,
                        .catalogue = catalogue,
                        .in_campaign = target != NULL && catalogue != NULL};
    const enum status status =
        file_load(path, scenario_rows, sizeof **scenario, check, &all, &file);
    *scenario = file;
    return status;
}

enum status scenario_load(const char *path, const struct target *target, struct scenario **scenario)
{
    return scenario_load_with(path, target, NULL, scenario);
}

static enum status accept(struct yaml_source *source, void *file, void *context)
{
    (void)file, (void)context;
    return yaml_status(source);
}

enum status scenario_read(const char *path, struct scenario **scenario)
{
    void *file;
    const enum status status =
        file_load(path, scenario_rows, sizeof **scenario, accept, NULL, &file);
    *scenario = file;
    return status;
}

unsigned scenario_told(const struct scenario *scenario)
{
    unsigned told = 0;
    for (unsigned i = 0; i < scenario->fault_count; i++)
        told += !scenario->fault[i].untold;
    return told;
}

void scenario_free(struct scenario *scenario)
{
    if (scenario != NULL)
        catalogue_free(scenario->own_catalogue);
    free(scenario);
}
