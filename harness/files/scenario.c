#include "harness/files/scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/catalogue.h"
#include "harness/files/fault_file.h"
#include "harness/files/program.h"
#include "harness/files/target_of.h"
#include "harness/files/yaml_source.h"

#define DURATION_MAX_S 3600.0
// A bus that costs nothing, for rates that a real one does not carry.
#define BUS_BITRATE_MAX_BIT_S 100e6

struct operator_file {
    char *program, *arguments;
};

struct replacement_file {
    char *component, *program, *arguments;
};

struct scenario_file {
    char *name, *claim, *target;
    int motion;
    double duration_s, watch_s;
    struct operator_file operator;
    char **environment;
    unsigned environment_count;
    unsigned *bus_bitrate_bit_s;
    struct replacement_file *programs;
    unsigned programs_count;
    bool must_complete, must_stand;
    struct fault_file *faults;
    unsigned faults_count;
};

static const cyaml_strval_t motion_names[] = {
    {"static", MOTION_STATIC}, {"quasi-static", MOTION_QUASI_STATIC}, {"dynamic", MOTION_DYNAMIC}};

static const cyaml_schema_field_t operator_fields[] = {
    CYAML_FIELD_STRING_PTR("program", CYAML_FLAG_POINTER, struct operator_file, program, 1,
                           PATH_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("arguments", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                           struct operator_file, arguments, 0, PATH_MAX_LENGTH - 1),
    CYAML_FIELD_END};

static const cyaml_schema_field_t replacement_fields[] = {
    CYAML_FIELD_STRING_PTR("component", CYAML_FLAG_POINTER, struct replacement_file, component, 1,
                           NAME_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("program", CYAML_FLAG_POINTER, struct replacement_file, program, 1,
                           PATH_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("arguments", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                           struct replacement_file, arguments, 0, PATH_MAX_LENGTH - 1),
    CYAML_FIELD_END};
static const cyaml_schema_value_t replacement_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct replacement_file, replacement_fields)};

static const cyaml_schema_value_t environment_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, NAME_MAX_LENGTH - 1)};
static const cyaml_schema_value_t fault_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct fault_file, fault_file_fields)};

static const cyaml_schema_field_t scenario_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct scenario_file, name, 1,
                           NAME_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("claim", CYAML_FLAG_POINTER, struct scenario_file, claim, 1,
                           PATH_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("target", CYAML_FLAG_POINTER, struct scenario_file, target, 1,
                           NAME_MAX_LENGTH - 1),
    CYAML_FIELD_ENUM("motion", CYAML_FLAG_STRICT, struct scenario_file, motion, motion_names,
                     MOTION_COUNT),
    CYAML_FIELD_FLOAT("duration_s", CYAML_FLAG_DEFAULT, struct scenario_file, duration_s),
    CYAML_FIELD_FLOAT("watch_s", CYAML_FLAG_DEFAULT, struct scenario_file, watch_s),
    CYAML_FIELD_MAPPING("operator", CYAML_FLAG_DEFAULT, struct scenario_file, operator,
                        operator_fields),
    CYAML_FIELD_SEQUENCE("environment", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                         struct scenario_file, environment, &environment_schema, 0, PARAMETERS_MAX),
    CYAML_FIELD_UINT_PTR("bus_bitrate_bit_s", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                         struct scenario_file, bus_bitrate_bit_s),
    CYAML_FIELD_SEQUENCE("programs", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct scenario_file,
                         programs, &replacement_schema, 0, PARAMETERS_MAX),
    CYAML_FIELD_BOOL("must_complete", CYAML_FLAG_OPTIONAL, struct scenario_file, must_complete),
    CYAML_FIELD_BOOL("must_stand", CYAML_FLAG_OPTIONAL, struct scenario_file, must_stand),
    CYAML_FIELD_SEQUENCE("faults", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct scenario_file,
                         faults, &fault_schema, 0, FAULTS_MAX),
    CYAML_FIELD_END};
static const cyaml_schema_value_t scenario_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct scenario_file, scenario_fields)};

static void fill_environment(struct yaml_source *source, const struct scenario_file *file,
                             struct scenario *scenario)
{
    for (unsigned i = 0; i < file->environment_count; i++) {
        const char *text = file->environment[i];
        const char *equals = strchr(text, '=');
        bool good = equals != NULL && equals > text;
        for (const char *c = text; good && c < equals; c++)
            good = isalnum((unsigned char)*c) || *c == '_';
        char key[64];
        snprintf(key, sizeof key, "environment[%u]", i);
        if (!good)
            yaml_complain(source, key, "%s: not name=value; write it as in goal_x_m=2.5", text);
        yaml_copy(source, key, text, scenario->environment[i], sizeof scenario->environment[i]);
    }
    scenario->environment_count = file->environment_count;
    scenario->environment_line = yaml_line(source, "environment");
}

static void fill_replacements(struct yaml_source *source, const struct scenario_file *file,
                              const struct target *target, struct scenario *scenario)
{
    scenario->replacement_count = file->programs_count;
    for (unsigned i = 0; i < file->programs_count; i++) {
        char key[64];
        snprintf(key, sizeof key, "programs[%u].component", i);
        component_check(source, key, file->programs[i].component, target);
        for (unsigned j = 0; j < i; j++)
            if (strcmp(file->programs[j].component, file->programs[i].component) == 0)
                yaml_complain(source, key, "%s has a program already; keep one of the two",
                              file->programs[i].component);
        text_copy(scenario->replacement[i].component, sizeof scenario->replacement[i].component,
                  file->programs[i].component);
        snprintf(key, sizeof key, "programs[%u].program", i);
        scenario->replacement[i].line = yaml_line(source, key);
        text_copy(scenario->replacement[i].program, sizeof scenario->replacement[i].program,
                  file->programs[i].program);
        snprintf(key, sizeof key, "programs[%u].program", i);
        program_place(source, key, target->folder, scenario->replacement[i].program,
                      sizeof scenario->replacement[i].program);
        if (file->programs[i].arguments != NULL)
            text_copy(scenario->replacement[i].arguments, sizeof scenario->replacement[i].arguments,
                      file->programs[i].arguments);
    }
}

static void fill_fault(struct yaml_source *source, const struct scenario_file *file, unsigned i,
                       const struct target *target, const struct catalogue *catalogue,
                       struct fault_request *request)
{
    char key[64], inner[96];
    const struct fault_file *fault = &file->faults[i];
    snprintf(key, sizeof key, "faults[%u]", i);
    fault_fill(source, key, fault, catalogue, request);
    snprintf(inner, sizeof inner, "%s.component", key);
    if (fault->component == NULL)
        yaml_complain(source, inner, "missing; name the component, or the bus, that is struck");
    else
        struck_check(source, inner, fault->component, catalogue_find(catalogue, fault->kind),
                     target);
    yaml_copy(source, inner, fault->component, request->component, sizeof request->component);
    snprintf(inner, sizeof inner, "%s.at", key);
    if (fault->at == NULL)
        yaml_complain(source, inner, "missing; say when it strikes, as in at: {time_s: [4, 10]}");
    else
        trigger_fill(source, inner, fault->at, file->duration_s, &request->at);
}

static void fill(struct yaml_source *source, const struct scenario_file *file,
                 struct scenario *scenario)
{
    text_copy(scenario->name, sizeof scenario->name, file->name);
    text_copy(scenario->claim, sizeof scenario->claim, file->claim);
    text_copy(scenario->target, sizeof scenario->target, file->target);
    scenario->motion = (enum motion_class)file->motion;
    scenario->duration_s = file->duration_s;
    scenario->watch_s = file->watch_s;
    yaml_check_range(source, "duration_s", file->duration_s, 0.1, DURATION_MAX_S);
    yaml_check_range(source, "watch_s", file->watch_s, 0, file->duration_s);
    text_copy(scenario->operator_program, sizeof scenario->operator_program,
              file->operator.program);
    scenario->operator_line = yaml_line(source, "operator.program");
    yaml_copy(source, "operator.arguments", file->operator.arguments, scenario->operator_arguments,
              sizeof scenario->operator_arguments);
    scenario->must_complete = file->must_complete;
    scenario->must_stand = file->must_stand;
    if (file->bus_bitrate_bit_s != NULL) {
        yaml_check_range(source, "bus_bitrate_bit_s", *file->bus_bitrate_bit_s,
                         BUS_BITRATE_MIN_BIT_S, BUS_BITRATE_MAX_BIT_S);
        scenario->bus_bitrate_bit_s = *file->bus_bitrate_bit_s;
    }
    fill_environment(source, file, scenario);
}

static enum status check(struct yaml_source *source, const struct scenario_file *file,
                         const char *path, const struct target *target, struct scenario *scenario)
{
    struct target *own = NULL;
    struct catalogue *catalogue = NULL;
    enum status status = STATUS_OK;
    if (target == NULL)
        status = target_of(source, file->target, &own);
    else if (strcmp(target->name, file->target) != 0)
        yaml_complain(source, "target", "%s: the campaign is for target %s", file->target,
                      target->name);
    if (status == STATUS_OK)
        status = catalogue_load(&catalogue);
    if (status == STATUS_OK) {
        fill(source, file, scenario);
        yaml_copy(source, "", path, scenario->file, sizeof scenario->file);
        program_place(source, "operator.program", (target != NULL ? target : own)->folder,
                      scenario->operator_program, sizeof scenario->operator_program);
        fill_replacements(source, file, target != NULL ? target : own, scenario);
        scenario->fault_count = file->faults_count;
        for (unsigned i = 0; i < file->faults_count; i++)
            fill_fault(source, file, i, target != NULL ? target : own, catalogue,
                       &scenario->fault[i]);
        status = yaml_status(source);
    }
    catalogue_free(catalogue);
    target_free(own);
    return status;
}

enum status scenario_load(const char *path, const struct target *target, struct scenario **scenario)
{
    *scenario = NULL;
    struct yaml_source *source;
    void *data;
    enum status status = yaml_open(path, &scenario_schema, &source, &data);
    if (status != STATUS_OK)
        return status;
    struct scenario *new = calloc(1, sizeof *new);
    status = new == NULL ? STATUS_NO_MEMORY : check(source, data, path, target, new);
    yaml_close(source);
    if (status == STATUS_OK)
        *scenario = new;
    else
        free(new);
    return status;
}

void scenario_free(struct scenario *scenario)
{
    free(scenario);
}
