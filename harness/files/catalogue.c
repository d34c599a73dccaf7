#include "harness/files/catalogue.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/trouble.h"
#include "base/text.h"
#include "harness/files/places.h"
#include "harness/files/program.h"
#include "harness/files/trusted.h"
#include "harness/files/yaml_source.h"

struct parameter_file {
    char *name, *summary, *fallback;
    char **one_of;
    unsigned one_of_count;
    double *min, *max;
    bool text;
};

struct kind_file {
    char *name, *summary, *colour;
    int undo, struck, halts, loads, look, clock;
    bool falsifies, proof_later, scratch;
    struct parameter_file *parameters;
    unsigned parameters_count;
};

struct family_file {
    char *program;
    struct kind_file *faults;
    unsigned faults_count;
};

#define TEXT(key, flags, type, member, max)                                                        \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, 1, (max)-1)

static const cyaml_schema_value_t choice_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, NAME_MAX_LENGTH - 1)};

static const cyaml_schema_field_t parameter_fields[] = {
    TEXT("name", 0, struct parameter_file, name, NAME_MAX_LENGTH),
    TEXT("summary", 0, struct parameter_file, summary, PATH_MAX_LENGTH),
    TEXT("default", 0, struct parameter_file, fallback, NAME_MAX_LENGTH),
    CYAML_FIELD_SEQUENCE("one_of", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct parameter_file,
                         one_of, &choice_schema, 1, PARAMETERS_MAX),
    CYAML_FIELD_FLOAT_PTR("min", CYAML_FLAG_OPTIONAL, struct parameter_file, min),
    CYAML_FIELD_FLOAT_PTR("max", CYAML_FLAG_OPTIONAL, struct parameter_file, max),
    CYAML_FIELD_BOOL("text", CYAML_FLAG_OPTIONAL, struct parameter_file, text),
    CYAML_FIELD_END};
static const cyaml_schema_value_t parameter_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct parameter_file, parameter_fields)};

static const cyaml_strval_t undo_names[] = {{"never", UNDO_NEVER},
                                            {"program", UNDO_PROGRAM},
                                            {"restart", UNDO_RESTART},
                                            {"restart-if-asked", UNDO_RESTART_ASKED}};

static const cyaml_strval_t halts_names[] = {{"ended", HALTS_ENDED}, {"stopped", HALTS_STOPPED}};

static const cyaml_strval_t loads_names[] = {{"cpu", LOADS_CPU},     {"memory", LOADS_MEMORY},
                                             {"cache", LOADS_CACHE}, {"network", LOADS_NETWORK},
                                             {"disk", LOADS_DISK},   {"priority", LOADS_PRIORITY}};

#define LOOK_NAME(name) {#name, LOOK_##name},
static const cyaml_strval_t look_names[] = {FAULT_LOOKS(LOOK_NAME)};
#undef LOOK_NAME

static const cyaml_strval_t struck_names[] = {
    {"process", STRUCK_PROCESS}, {"bus", STRUCK_BUS}, {"machine", STRUCK_MACHINE}};

enum { CLOCK_ANY, CLOCK_WALL };
static const cyaml_strval_t clock_names[] = {{"any", CLOCK_ANY}, {"wall", CLOCK_WALL}};

static const cyaml_schema_field_t kind_fields[] = {
    TEXT("name", 0, struct kind_file, name, NAME_MAX_LENGTH),
    TEXT("summary", 0, struct kind_file, summary, PATH_MAX_LENGTH),
    TEXT("colour", 0, struct kind_file, colour, 16),
    CYAML_FIELD_ENUM("look", CYAML_FLAG_STRICT, struct kind_file, look, look_names, LOOK_COUNT),
    CYAML_FIELD_ENUM("halts", CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL, struct kind_file, halts,
                     halts_names, 2),
    CYAML_FIELD_ENUM("loads", CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL, struct kind_file, loads,
                     loads_names, 6),
    CYAML_FIELD_BOOL("falsifies", CYAML_FLAG_OPTIONAL, struct kind_file, falsifies),
    CYAML_FIELD_ENUM("undo", CYAML_FLAG_STRICT, struct kind_file, undo, undo_names, 4),
    CYAML_FIELD_ENUM("strikes", CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL, struct kind_file, struck,
                     struck_names, 3),
    CYAML_FIELD_ENUM("clock", CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL, struct kind_file, clock,
                     clock_names, 2),
    CYAML_FIELD_BOOL("proof_later", CYAML_FLAG_OPTIONAL, struct kind_file, proof_later),
    CYAML_FIELD_BOOL("scratch", CYAML_FLAG_OPTIONAL, struct kind_file, scratch),
    CYAML_FIELD_SEQUENCE("parameters", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct kind_file,
                         parameters, &parameter_schema, 0, PARAMETERS_MAX),
    CYAML_FIELD_END};
static const cyaml_schema_value_t kind_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct kind_file, kind_fields)};

static const cyaml_schema_field_t family_fields[] = {
    TEXT("program", 0, struct family_file, program, PATH_MAX_LENGTH),
    CYAML_FIELD_SEQUENCE("faults", CYAML_FLAG_POINTER, struct family_file, faults, &kind_schema, 1,
                         CATALOGUE_MAX),
    CYAML_FIELD_END};
static const cyaml_schema_value_t family_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct family_file, family_fields)};

static void fill_parameter(struct fault_parameter *parameter, const struct parameter_file *file)
{
    text_copy(parameter->name, sizeof parameter->name, file->name);
    text_copy(parameter->summary, sizeof parameter->summary, file->summary);
    text_copy(parameter->fallback, sizeof parameter->fallback, file->fallback);
    parameter->text = file->text;
    parameter->choice_count = file->one_of_count;
    for (unsigned i = 0; i < file->one_of_count; i++)
        text_copy(parameter->choice[i], sizeof parameter->choice[i], file->one_of[i]);
    parameter->min = file->min != NULL ? *file->min : 0;
    parameter->max = file->max != NULL ? *file->max : 0;
}

static void fill_kind(struct fault_kind *kind, const struct kind_file *file, const char *program)
{
    text_copy(kind->name, sizeof kind->name, file->name);
    text_copy(kind->summary, sizeof kind->summary, file->summary);
    text_copy(kind->colour, sizeof kind->colour, file->colour);
    text_copy(kind->program, sizeof kind->program, program);
    kind->halts = (enum fault_halts)file->halts;
    kind->loads = (enum fault_loads)file->loads;
    kind->look = (enum fault_look)file->look;
    kind->falsifies = file->falsifies;
    kind->undo = (enum fault_undo)file->undo;
    kind->struck = (enum fault_struck)file->struck;
    kind->proof_later = file->proof_later;
    kind->wall_only = file->clock == CLOCK_WALL;
    kind->scratch = file->scratch;
    kind->parameter_count = file->parameters_count;
    for (unsigned i = 0; i < file->parameters_count; i++)
        fill_parameter(&kind->parameter[i], &file->parameters[i]);
}

static bool check_value(const struct fault_parameter *parameter, const char *value, char *why,
                        size_t size)
{
    if (parameter->text)
        return *value != '\0';
    if (parameter->choice_count == 0) {
        char *end;
        double number = strtod(value, &end);
        if (*value != '\0' && *end == '\0' && number >= parameter->min && number <= parameter->max)
            return true;
        snprintf(why, size, "use a number from %g to %g", parameter->min, parameter->max);
        return false;
    }
    int used = snprintf(why, size, "use one of:");
    for (unsigned i = 0; i < parameter->choice_count; i++) {
        if (strcmp(parameter->choice[i], value) == 0)
            return true;
        if (used >= 0 && (size_t)used < size)
            used += snprintf(why + used, size - (size_t)used, " %s", parameter->choice[i]);
    }
    return false;
}

// Verdicts rest on what the lab looks at.
static void check_look(struct yaml_source *source, unsigned number, const struct fault_kind *kind)
{
    char key[64];
    snprintf(key, sizeof key, "faults[%u].look", number);
    if ((kind->halts != HALTS_NOTHING) != (kind->look == LOOK_process))
        yaml_complain(source, key, "%s: `halts` and `look: process` belong together; give both",
                      kind->name);
    if (kind->look == LOOK_bus && kind->struck != STRUCK_BUS)
        yaml_complain(source, key, "%s: strikes no bus; write `strikes: bus`, or another look",
                      kind->name);
    snprintf(key, sizeof key, "faults[%u].halts", number);
    if (kind->halts != HALTS_NOTHING && kind->struck != STRUCK_PROCESS)
        yaml_complain(source, key, "%s: strikes no process; leave out `halts` or `strikes`",
                      kind->name);
}

static void check_kind(struct yaml_source *source, unsigned number, const struct fault_kind *kind)
{
    char key[64], why[160] = "";
    snprintf(key, sizeof key, "faults[%u].name", number);
    yaml_check_name(source, key, kind->name);
    snprintf(key, sizeof key, "faults[%u].colour", number);
    if (strlen(kind->colour) != 7 || kind->colour[0] != '#' ||
        strspn(kind->colour + 1, "0123456789abcdefABCDEF") != 6)
        yaml_complain(source, key, "%s: not a colour; write it as \"#1f77b4\"", kind->colour);
    check_look(source, number, kind);
    for (unsigned i = 0; i < kind->parameter_count; i++) {
        const struct fault_parameter *parameter = &kind->parameter[i];
        snprintf(key, sizeof key, "faults[%u].parameters[%u].name", number, i);
        yaml_check_name(source, key, parameter->name);
        snprintf(key, sizeof key, "faults[%u].parameters[%u].default", number, i);
        if (!check_value(parameter, parameter->fallback, why, sizeof why))
            yaml_complain(source, key, "%s: not a value of its own parameter; %s",
                          parameter->fallback, why[0] != '\0' ? why : "give a text");
    }
}

static enum status load_family(struct catalogue *catalogue, const char *path)
{
    struct yaml_source *source;
    void *data;
    enum status status = trusted_path(path);
    if (status == STATUS_OK)
        status = yaml_open(path, &family_schema, &source, &data);
    if (status != STATUS_OK)
        return status;
    const struct family_file *file = data;
    program_check_inside(source, "program", file->program);
    for (unsigned i = 0; i < file->faults_count; i++) {
        char key[64];
        snprintf(key, sizeof key, "faults[%u].name", i);
        if (catalogue_find(catalogue, file->faults[i].name) != NULL)
            yaml_complain(source, key, "%s: in the catalogue already; choose another name",
                          file->faults[i].name);
        else if (catalogue->count == CATALOGUE_MAX)
            yaml_complain(source, key, "the catalogue holds at most %d faults", CATALOGUE_MAX);
        else {
            struct fault_kind *kind = &catalogue->kind[catalogue->count++];
            fill_kind(kind, &file->faults[i], file->program);
            yaml_copy(source, "program", path, kind->file, sizeof kind->file);
            kind->program_line = yaml_line(source, "program");
            check_kind(source, i, kind);
        }
    }
    status = yaml_status(source);
    yaml_close(source);
    return status;
}

static enum status load_folder(struct catalogue *catalogue, const char *folder)
{
    char pattern[PATH_MAX_LENGTH];
    snprintf(pattern, sizeof pattern, "%s/*.yaml", folder);
    glob_t found;
    const int failed = glob(pattern, GLOB_ERR, NULL, &found); // in order of name
    if ((failed == GLOB_NOSPACE && trouble_note(ENOMEM)) ||
        (failed == GLOB_ABORTED && trouble_note(errno))) {
        log_error("%s: cannot be listed: %s", folder, trouble_words());
        return STATUS_SYSTEM;
    }
    if (failed != 0) {
        log_error("%s: no fault catalogue there; it must hold at least one .yaml file", folder);
        return STATUS_NOT_FOUND;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < found.gl_pathc && status == STATUS_OK; i++)
        status = load_family(catalogue, found.gl_pathv[i]);
    globfree(&found);
    return status;
}

static enum status load_folders(struct catalogue *catalogue)
{
    struct places folders;
    enum status status = places_with("faults", &folders);
    if (status == STATUS_NOT_FOUND) {
        char data[PATH_MAX_LENGTH];
        places_data(data, sizeof data);
        log_error("%s: no folder faults/ there, nor in UKEMI_PATH: the fault catalogue is missing; "
                  "set UKEMI_ROOT to the project's folder",
                  data);
    }
    for (unsigned i = 0; i < folders.count && status == STATUS_OK; i++)
        status = load_folder(catalogue, folders.folder[i]);
    const char *more = getenv("UKEMI_FAULTS");
    if (status == STATUS_OK && more != NULL && *more != '\0') {
        status = trusted_path(more);
        if (status == STATUS_OK || status == STATUS_NOT_FOUND)
            status = load_folder(catalogue, more); // says if it is not there
    }
    return status;
}

enum status catalogue_load(struct catalogue **catalogue)
{
    *catalogue = NULL;
    struct catalogue *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    enum status status = load_folders(new);
    if (status != STATUS_OK) {
        free(new);
        return status;
    }
    *catalogue = new;
    return STATUS_OK;
}

enum status catalogue_load_family(const char *path, struct catalogue **catalogue)
{
    struct catalogue *new = calloc(1, sizeof *new);
    *catalogue = NULL;
    if (new == NULL)
        return STATUS_NO_MEMORY;
    const enum status status = load_family(new, path);
    if (status == STATUS_OK)
        *catalogue = new;
    else
        free(new);
    return status;
}

void catalogue_free(struct catalogue *catalogue)
{
    free(catalogue);
}

const struct fault_kind *catalogue_find(const struct catalogue *catalogue, const char *name)
{
    for (unsigned i = 0; i < catalogue->count; i++)
        if (strcmp(catalogue->kind[i].name, name) == 0)
            return &catalogue->kind[i];
    return NULL;
}

bool catalogue_check_parameter(const struct fault_kind *kind, const char *parameter, char *why,
                               size_t size)
{
    const char *equals = strchr(parameter, '=');
    if (equals == NULL) {
        snprintf(why, size, "write it as key=value");
        return false;
    }
    size_t length = (size_t)(equals - parameter);
    for (unsigned i = 0; i < kind->parameter_count; i++)
        if (strlen(kind->parameter[i].name) == length &&
            strncmp(kind->parameter[i].name, parameter, length) == 0)
            return check_value(&kind->parameter[i], equals + 1, why, size);
    snprintf(why, size, "%s has no such parameter; see `ukemi list faults`", kind->name);
    return false;
}

const char *catalogue_parameter(const struct fault_parameter *parameter,
                                const struct fault_request *request)
{
    size_t length = strlen(parameter->name);
    for (unsigned i = 0; i < request->parameter_count; i++)
        if (strncmp(request->parameter[i], parameter->name, length) == 0 &&
            request->parameter[i][length] == '=')
            return request->parameter[i] + length + 1;
    return parameter->fallback;
}
