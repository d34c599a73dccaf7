#include "harness/files/fault_file.h"

#include <stdio.h>
#include <string.h>

#define KEY_MAX 128
#define DURATION_MAX_S 3600.0

static const cyaml_schema_value_t number_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t text_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, NAME_MAX_LENGTH - 1)};

const cyaml_schema_field_t trigger_file_fields[] = {
    CYAML_FIELD_SEQUENCE("time_s", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct trigger_file,
                         time_s, &number_schema, 1, 2),
    CYAML_FIELD_SEQUENCE("phase", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct trigger_file,
                         phase, &number_schema, 1, 2),
    CYAML_FIELD_FLOAT_PTR("after_s", CYAML_FLAG_OPTIONAL, struct trigger_file, after_s),
    CYAML_FIELD_STRING_PTR("when", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct trigger_file,
                           when, 1, NAME_MAX_LENGTH - 1),
    CYAML_FIELD_FLOAT_PTR("above", CYAML_FLAG_OPTIONAL, struct trigger_file, above),
    CYAML_FIELD_FLOAT_PTR("below", CYAML_FLAG_OPTIONAL, struct trigger_file, below),
    CYAML_FIELD_END};

const cyaml_schema_field_t fault_file_fields[] = {
    CYAML_FIELD_STRING_PTR("kind", CYAML_FLAG_POINTER, struct fault_file, kind, 1,
                           NAME_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("component", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct fault_file,
                           component, 1, NAME_MAX_LENGTH - 1),
    CYAML_FIELD_MAPPING_PTR("at", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct fault_file, at,
                            trigger_file_fields),
    CYAML_FIELD_FLOAT_PTR("duration_s", CYAML_FLAG_OPTIONAL, struct fault_file, duration_s),
    CYAML_FIELD_FLOAT_PTR("restart_after_s", CYAML_FLAG_OPTIONAL, struct fault_file,
                          restart_after_s),
    CYAML_FIELD_SEQUENCE("parameters", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct fault_file,
                         parameters, &text_schema, 0, PARAMETERS_MAX),
    CYAML_FIELD_END};

static const char *under(char buffer[KEY_MAX], const char *key, const char *child)
{
    snprintf(buffer, KEY_MAX, "%s.%s", key, child);
    return buffer;
}

// A range [low, high], or one value for both.
static void fill_range(struct yaml_source *source, const char *key, const double *values,
                       unsigned count, double min, double max, double *low, double *high)
{
    *low = values[0];
    *high = values[count - 1];
    if (yaml_check_range(source, key, *low, min, max) &&
        yaml_check_range(source, key, *high, min, max) && *low > *high)
        yaml_complain(source, key, "[%g, %g]: the first is the larger one; swap them", *low, *high);
}

static void fill_condition(struct yaml_source *source, const char *key,
                           const struct trigger_file *file, struct trigger *trigger)
{
    static const char *const quantities[] = {"com_outside_m", "pelvis_height_m", "tilt_rad",
                                             "steps"};
    char inner[KEY_MAX];
    trigger->kind = TRIGGER_CONDITION;
    yaml_copy(source, under(inner, key, "when"), file->when, trigger->quantity,
              sizeof trigger->quantity);
    bool known = false;
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++)
        known = known || strcmp(quantities[i], file->when) == 0;
    if (!known)
        yaml_complain(source, inner,
                      "%s: no such quantity; use com_outside_m, pelvis_height_m, tilt_rad or steps",
                      file->when);
    if ((file->above != NULL) == (file->below != NULL)) {
        yaml_complain(source, inner, "%s: give either above or below", file->when);
        return;
    }
    trigger->comparison = file->above != NULL ? '>' : '<';
    trigger->value = file->above != NULL ? *file->above : *file->below;
}

void trigger_fill(struct yaml_source *source, const char *key, const struct trigger_file *file,
                  double duration_s, struct trigger *trigger)
{
    char inner[KEY_MAX];
    int kinds = (file->time_s != NULL) + (file->phase != NULL) + (file->when != NULL);
    if (kinds != 1) {
        yaml_complain(source, key,
                      "says not when, or twice; give exactly one of time_s, phase, when");
        return;
    }
    if (file->when == NULL && (file->above != NULL || file->below != NULL))
        yaml_complain(source, key, "above and below belong to when");
    if (file->time_s != NULL) {
        trigger->kind = TRIGGER_TIME;
        fill_range(source, under(inner, key, "time_s"), file->time_s, file->time_s_count, 0,
                   duration_s, &trigger->time_min_s, &trigger->time_max_s);
        if (file->after_s != NULL)
            yaml_complain(source, under(inner, key, "after_s"), "belongs to phase and when");
        return;
    }
    trigger->time_min_s = trigger->time_max_s = file->after_s != NULL ? *file->after_s : 0;
    yaml_check_range(source, under(inner, key, "after_s"), trigger->time_min_s, 0, duration_s);
    if (file->phase != NULL) {
        trigger->kind = TRIGGER_PHASE;
        fill_range(source, under(inner, key, "phase"), file->phase, file->phase_count, 0, 1,
                   &trigger->phase_min, &trigger->phase_max);
    } else {
        fill_condition(source, key, file, trigger);
    }
}

static void fill_parameters(struct yaml_source *source, const char *key,
                            const struct fault_file *file, const struct fault_kind *kind,
                            struct fault_request *request)
{
    for (unsigned i = 0; i < file->parameters_count; i++) {
        char inner[KEY_MAX], why[160];
        snprintf(inner, sizeof inner, "%s.parameters[%u]", key, i);
        if (!catalogue_check_parameter(kind, file->parameters[i], why, sizeof why))
            yaml_complain(source, inner, "%s: cannot be used; %s", file->parameters[i], why);
        yaml_copy(source, inner, file->parameters[i], request->parameter[i],
                  sizeof request->parameter[i]);
    }
    request->parameter_count = file->parameters_count;
}

void restart_fill(struct yaml_source *source, const char *key, double restart_after_s,
                  struct fault_request *request)
{
    if (yaml_check_range(source, key, restart_after_s, 0, DURATION_MAX_S))
        request->restart_after_s = restart_after_s;
}

void fault_fill(struct yaml_source *source, const char *key, const struct fault_file *file,
                const struct catalogue *catalogue, struct fault_request *request)
{
    char inner[KEY_MAX];
    yaml_copy(source, under(inner, key, "kind"), file->kind, request->kind, sizeof request->kind);
    const struct fault_kind *kind = catalogue_find(catalogue, file->kind);
    if (kind == NULL) {
        yaml_complain(source, inner, "%s: not in the fault catalogue; see `ukemi list faults`",
                      file->kind);
        return;
    }
    request->struck = kind->struck;
    request->halts = kind->halts;
    request->loads = kind->loads;
    request->falsifies = kind->falsifies;
    request->restarts = kind->undo == UNDO_RESTART;
    request->duration_s = file->duration_s != NULL ? *file->duration_s : 0;
    request->restart_after_s = -1;
    under(inner, key, "duration_s");
    bool lasts = kind->undo == UNDO_PROGRAM || kind->undo == UNDO_RESTART;
    if (!lasts && file->duration_s != NULL)
        yaml_complain(source, inner, "a %s has no duration; use restart_after_s", kind->name);
    if (lasts)
        yaml_check_range(source, inner, request->duration_s, kind->undo == UNDO_PROGRAM ? 1e-3 : 0,
                         DURATION_MAX_S);
    under(inner, key, "restart_after_s");
    if (file->restart_after_s != NULL && kind->undo != UNDO_RESTART_ASKED)
        yaml_complain(source, inner, "a %s takes no restart; use duration_s", kind->name);
    else if (file->restart_after_s != NULL)
        restart_fill(source, inner, *file->restart_after_s, request);
    fill_parameters(source, key, file, kind, request);
}

static void bus_check(struct yaml_source *source, const char *key, const char *name,
                      const struct target *target)
{
    char known[1024] = "";
    int used = 0;
    for (unsigned i = 0; i < target->bus_count; i++) {
        if (strcmp(name, target->bus[i].name) == 0)
            return;
        if (used < (int)sizeof known)
            used += snprintf(known + used, sizeof known - (size_t)used, " %s", target->bus[i].name);
    }
    yaml_complain(source, key, "%s: target %s has no such bus; use one of:%s", name, target->name,
                  known);
}

void struck_check(struct yaml_source *source, const char *key, const char *struck,
                  const struct fault_kind *kind, const struct target *target)
{
    if (kind != NULL && kind->struck == STRUCK_MACHINE) {
        if (strcmp(struck, "machine") != 0)
            yaml_complain(source, key, "%s: a %s strikes all that runs; write machine", struck,
                          kind->name);
        return;
    }
    if (kind != NULL && kind->struck == STRUCK_BUS)
        bus_check(source, key, struck, target);
    else
        component_check(source, key, struck, target);
}

void component_check(struct yaml_source *source, const char *key, const char *component,
                     const struct target *target)
{
    char known[1024];
    int used = snprintf(known, sizeof known, "operator");
    if (strcmp(component, "operator") == 0)
        return;
    for (unsigned i = 0; i < target->process_count; i++) {
        const struct process_config *process = &target->process[i];
        const char *name = process->component[0] != '\0' ? process->component : process->name;
        if (strcmp(component, process->component) == 0 || strcmp(component, process->name) == 0)
            return;
        if (used < (int)sizeof known)
            used += snprintf(known + used, sizeof known - (size_t)used, ", %s", name);
    }
    yaml_complain(source, key, "%s: target %s has no such component; use one of: %s", component,
                  target->name, known);
}
