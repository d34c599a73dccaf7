#include "harness/files/fault/fault_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "harness/files/fault/fault_channel.h"
#include "harness/files/fault/fault_network.h"
#include "harness/files/target/signal_names.h"
#include "harness/files/target/target.h"
#include "harness/packs/list.h"

_Static_assert(offsetof(struct trigger, time_max_s) ==
                       offsetof(struct trigger, time_min_s) + sizeof(double) &&
                   offsetof(struct trigger, phase_max) ==
                       offsetof(struct trigger, phase_min) + sizeof(double),
               "a range is two doubles, one after the other");

const struct file_row trigger_rows[] = {
    {"time_s", VALUE_RANGE, false, RANGE(struct trigger, time_min_s), .least = 1, .most = 2,
     .help = "at a time drawn from this range by the trial's seed, exact to the nanosecond; at "
             "most the scenario's `duration_s`"},
    {"phase", VALUE_RANGE, false, RANGE(struct trigger, phase_min), .least = 1, .most = 2, .max = 1,
     .help = "when the sample that balance executes passes a phase of the gait cycle drawn from "
             "this range; 0 is the start of the double support before a right-foot swing"},
    {"when", VALUE_TEXT, false, FIELD(struct trigger, when),
     .help = "when a formula of one instant holds, over channels, taps and quantities of the "
             "target and of its packs; or a term that is `above` or `below` a value; see "
             "[files](files.md)"},
    {"above", VALUE_NUMBER, false, FIELD(struct trigger, limit), .help = "of `when`"},
    {"below", VALUE_NUMBER, false, FIELD(struct trigger, limit), .help = "of `when`"},
    {"after_s", VALUE_NUMBER, false, FIELD(struct trigger, time_min_s),
     .help = "of `phase` and `when`: for the first time after this"},
    {.key = NULL}};

const struct file_row fault_rows[] = {
    {"kind", VALUE_TEXT, true, FIELD(struct fault_request, kind),
     .help = "of the catalogue: `ukemi list faults`"},
    {"component", VALUE_TEXT, false, FIELD(struct fault_request, component),
     .help = "row of the failure table, or name of a process; or a bus, a channel or `machine`, "
             "for faults that strike these"},
    {"at", VALUE_MAP, false, FIELD(struct fault_request, at), .rows = trigger_rows,
     .help = "when it strikes: exactly one of `time_s`, `phase` and `when`"},
    {"duration_s", VALUE_NUMBER, false, FIELD(struct fault_request, duration_s),
     .max = FAULT_DURATION_MAX_S, .help = "duration of a stall; down time of a restart"},
    {"restart_after_s", VALUE_NUMBER, false, FIELD(struct fault_request, restart_after_s),
     .max = FAULT_DURATION_MAX_S, .help = "for a kill: start the process again this long after"},
    {"parameters", VALUE_TEXT, false, LIST(struct fault_request, parameter, parameter_count),
     .pairs = true, .most = PARAMETERS_MAX, .help = "`key=value`, as the catalogue says"},
    {.key = NULL}};

static void check_times(struct yaml_source *source, const char *key, double low, double high,
                        double max)
{
    if (yaml_check_range(source, key, low, 0, max))
        yaml_check_range(source, key, high, 0, max);
}

// "lean_rad", above 0.1: the formula "lean_rad > 0.1".
static void compare(struct yaml_source *source, const char *key, char comparison,
                    struct trigger *trigger)
{
    char text[FORMULA_TEXT_MAX + 40], number[32];
    snprintf(number, sizeof number, "%.15g", trigger->limit);
    if (strtod(number, NULL) != trigger->limit)
        snprintf(number, sizeof number, "%.17g", trigger->limit);
    snprintf(text, sizeof text, "%s %c %s", trigger->when, comparison, number);
    if (strlen(text) >= sizeof trigger->when)
        yaml_complain(source, key, "too long; give the term a name under quantities");
    else
        text_copy(trigger->when, sizeof trigger->when, text);
}

static void check_condition(struct yaml_source *source, const char *key,
                            const struct target *target, struct trigger *trigger)
{
    const bool above = yaml_has(source, yaml_key("%s.above", key).text);
    const bool below = yaml_has(source, yaml_key("%s.below", key).text);
    const struct yaml_key when = yaml_key("%s.when", key);
    const bool compared = strpbrk(trigger->when, "<>") != NULL;
    if (trigger->kind != TRIGGER_CONDITION) {
        if (above || below)
            yaml_complain(source, key, "above and below belong to when; remove them");
        return;
    }
    if (compared && (above || below)) {
        yaml_complain(source, key, "above and below belong to a quantity; remove them");
        return;
    }
    if (!compared && above == below) {
        yaml_complain(source, when.text,
                      "%s: give either above or below, or write a formula, as in \"%s > 0.1\"",
                      trigger->when, trigger->when);
        return;
    }
    if (!compared)
        compare(source, when.text, above ? '>' : '<', trigger);
    trigger_formula_check(source, when.text, trigger->when, target);
}

// Without the pack the trigger would wait for good.
static void check_phase(struct yaml_source *source, const char *key, const struct target *target)
{
    for (unsigned i = 0; i < target->pack_count; i++)
        if (strcmp(target->pack[i], PACK_OF_PHASE) == 0)
            return;
    yaml_complain(source, key, "target %s does not show that; it would need the pack %s",
                  target->name, PACK_OF_PHASE);
}

void trigger_check(struct yaml_source *source, const char *key, double duration_s,
                   const struct target *target, struct trigger *trigger)
{
    const bool time = yaml_has(source, yaml_key("%s.time_s", key).text);
    const bool phase = yaml_has(source, yaml_key("%s.phase", key).text);
    const bool when = yaml_has(source, yaml_key("%s.when", key).text);
    const struct yaml_key after = yaml_key("%s.after_s", key);
    if (time + phase + when != 1) {
        yaml_complain(source, key,
                      "says not when, or twice; give exactly one of time_s, phase, when");
        return;
    }
    trigger->kind = time ? TRIGGER_TIME : phase ? TRIGGER_PHASE : TRIGGER_CONDITION;
    check_condition(source, key, target, trigger);
    if (time) {
        check_times(source, yaml_key("%s.time_s", key).text, trigger->time_min_s,
                    trigger->time_max_s, duration_s);
        if (yaml_has(source, after.text))
            yaml_complain(source, after.text, "belongs to phase and when; remove it");
    } else {
        yaml_check_range(source, after.text, trigger->time_min_s, 0, duration_s);
        trigger->time_max_s = trigger->time_min_s;
        if (phase)
            check_phase(source, key, target);
    }
}

static void check_parameters(struct yaml_source *source, const char *key,
                             const struct fault_kind *kind, const struct fault_request *request)
{
    for (unsigned i = 0; i < request->parameter_count; i++) {
        char why[160];
        if (!catalogue_check_parameter(kind, request->parameter[i], why, sizeof why))
            yaml_complain(source, yaml_key("%s.parameters[%u]", key, i).text,
                          "%s: cannot be used; %s", request->parameter[i], why);
    }
}

// A duration and a restart belong to kinds that are undone so.
static void check_undoing(struct yaml_source *source, const char *key,
                          const struct fault_kind *kind, struct fault_request *request)
{
    const struct yaml_key lasting = yaml_key("%s.duration_s", key);
    const struct yaml_key restart = yaml_key("%s.restart_after_s", key);
    const bool lasts = kind->undo == UNDO_PROGRAM || kind->undo == UNDO_RESTART;
    if (!lasts && yaml_has(source, lasting.text))
        yaml_complain(source, lasting.text, "a %s has no duration; use restart_after_s",
                      kind->name);
    if (kind->undo == UNDO_PROGRAM)
        yaml_check_range(source, lasting.text, request->duration_s, 1e-3, FAULT_DURATION_MAX_S);
    if (!yaml_has(source, restart.text))
        request->restart_after_s = -1;
    else if (kind->undo != UNDO_RESTART_ASKED)
        yaml_complain(source, restart.text, "a %s takes no restart; use duration_s", kind->name);
}

void fault_check(struct yaml_source *source, const char *key, const struct catalogue *catalogue,
                 struct fault_request *request)
{
    const struct fault_kind *kind = catalogue_find(catalogue, request->kind);
    if (kind == NULL) {
        char hint[NEAREST_HINT_MAX];
        struct nearest nearest = {.word = request->kind};
        for (unsigned i = 0; i < catalogue->count; i++)
            nearest_try(&nearest, catalogue->kind[i].name);
        yaml_complain(source, yaml_key("%s.kind", key).text,
                      "%s: not in the fault catalogue%s; see `ukemi list faults`", request->kind,
                      nearest_hint(&nearest, hint));
        return;
    }
    fault_complete(kind, request);
    check_undoing(source, key, kind, request);
    check_parameters(source, key, kind, request);
}

static void bus_check(struct yaml_source *source, const char *key, const char *name,
                      const struct target *target)
{
    char known[1024] = "";
    for (unsigned i = 0; i < target->bus_count; i++) {
        if (strcmp(name, target->bus[i].name) == 0)
            return;
        text_add(known, sizeof known, " %s", target->bus[i].name);
    }
    yaml_complain(source, key, "%s: target %s has no such bus; use one of:%s", name, target->name,
                  known);
}

static void network_named(struct yaml_source *source, const char *key, const char *name,
                          const struct target *target)
{
    char known[1024] = "";
    for (unsigned i = 0; i < target->network_count; i++) {
        if (strcmp(name, target->network[i].name) == 0)
            return;
        text_add(known, sizeof known, " %s", target->network[i].name);
    }
    yaml_complain(source, key, "%s: target %s has no such network; use one of:%s", name,
                  target->name, known);
}

bool struck_is_shimmed(const char *struck, const struct target *target)
{
    for (unsigned i = 0; i < target->process_count; i++) {
        const struct process_config *process = &target->process[i];
        if ((strcmp(struck, process->component) == 0 || strcmp(struck, process->name) == 0) &&
            process->clock == PROCESS_CLOCK_SHIM)
            return true;
    }
    return false;
}

// Only the library in a shimmed process can strike its calls.
static void shim_check(struct yaml_source *source, const char *key, const char *struck,
                       const struct target *target)
{
    if (!struck_is_shimmed(struck, target))
        yaml_complain(source, key,
                      "%s: not a process with `clock: shim`; only those can be struck so", struck);
}

static bool writes(const struct target *target, const char *process)
{
    for (unsigned i = 0; i < target->channel_count; i++)
        if (strcmp(target->channel[i].writer, process) == 0 &&
            target->channel[i].message[0] != '\0')
            return true;
    return false;
}

bool struck_shows_time(const char *struck, bool shimmed, const struct target *target)
{
    for (unsigned i = 0; i < target->process_count; i++) {
        const struct process_config *process = &target->process[i];
        if ((strcmp(struck, process->component) == 0 || strcmp(struck, process->name) == 0) &&
            ((shimmed && process->clock == PROCESS_CLOCK_SHIM) ||
             (process->clock == PROCESS_CLOCK_NATIVE && writes(target, process->name))))
            return true;
    }
    return false;
}

// What the lab sees of a process's clock are the stamps of its frames; of its turns, the frames.
static void clock_check(struct yaml_source *source, const char *key, const char *struck,
                        bool shimmed, const struct target *target)
{
    if (!struck_shows_time(struck, shimmed, target))
        yaml_complain(source, key, "%s: %s", struck,
                      shimmed
                          ? "neither the `writer` of a recorded channel nor a process with "
                            "`clock: shim`; the lab could not see its clock"
                          : "not the `writer` of a recorded channel, or with `clock: shim`; the "
                            "lab could not see its turns");
}

void struck_check(struct yaml_source *source, const char *key, const char *struck,
                  const struct fault_kind *kind, const struct target *target)
{
    if (kind != NULL && kind->struck == STRUCK_MACHINE) {
        if (strcmp(struck, MACHINE_NAME) != 0)
            yaml_complain(source, key, "%s: a %s strikes all that runs; write machine", struck,
                          kind->name);
        else if (kind->look == LOOK_world)
            trigger_formula_check(source, key, kind->holds, target);
        return;
    }
    if (kind != NULL && kind->struck == STRUCK_BUS)
        bus_check(source, key, struck, target);
    else if (kind != NULL && kind->struck == STRUCK_NETWORK)
        network_named(source, key, struck, target);
    else if (kind != NULL && kind->struck == STRUCK_CHANNEL)
        fault_channel_check(source, key, struck, target);
    else
        component_check(source, key, struck, target);
    if (kind != NULL && kind->look == LOOK_calls)
        shim_check(source, key, struck, target);
    if (kind != NULL && (kind->look == LOOK_clock || kind->look == LOOK_turns))
        clock_check(source, key, struck, kind->look == LOOK_clock, target);
}

void fault_names_check(struct yaml_source *source, const char *key, const struct fault_kind *kind,
                       const struct fault_request *request, const struct target *target)
{
    fault_fields_check(source, key, kind, request, target);
    fault_network_check(source, key, kind, request, target);
}

void component_check(struct yaml_source *source, const char *key, const char *component,
                     const struct target *target)
{
    char known[1024] = OPERATOR_NAME;
    if (strcmp(component, OPERATOR_NAME) == 0)
        return;
    for (unsigned i = 0; i < target->process_count; i++) {
        const struct process_config *process = &target->process[i];
        const char *name = process->component[0] != '\0' ? process->component : process->name;
        if (strcmp(component, process->component) == 0 || strcmp(component, process->name) == 0)
            return;
        text_add(known, sizeof known, ", %s", name);
    }
    yaml_complain(source, key, "%s: target %s has no such component; use one of: %s", component,
                  target->name, known);
}
