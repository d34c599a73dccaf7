#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "channel/channel.h"
#include "base/text.h"
#include "harness/files/places.h"
#include "harness/files/program.h"
#include "harness/files/scenario.h"
#include "harness/history/schema.h"
#include "harness/files/target_of.h"
#include "harness/files/yaml_source.h"

#define FRAME_SIZE_LIMIT_B (16 << 20)
#define RESTART_MIN_S 0.01 // a process that never comes up is tried so often at most
#define RESTART_MAX_S 3600
#define FLOOR_MIN_HZ 1 // activity is counted over a second
#define FLOOR_MAX_HZ 1e6

struct target_file {
    char *name;
    char *robot;
    char *description;
    struct process_config *processes;
    unsigned processes_count;
    struct channel_config *channels;
    unsigned channels_count;
    struct bus_config *buses;
    unsigned buses_count;
    char **visible;
    unsigned visible_count;
    struct limits limits;
};

static const cyaml_schema_field_t process_fields[] = {
    CYAML_FIELD_STRING("name", CYAML_FLAG_DEFAULT, struct process_config, name, 1),
    CYAML_FIELD_STRING("component", CYAML_FLAG_OPTIONAL, struct process_config, component, 0),
    CYAML_FIELD_STRING("program", CYAML_FLAG_DEFAULT, struct process_config, program, 1),
    CYAML_FIELD_STRING("arguments", CYAML_FLAG_OPTIONAL, struct process_config, arguments, 0),
    CYAML_FIELD_INT("priority", CYAML_FLAG_DEFAULT, struct process_config, priority),
    CYAML_FIELD_BOOL("follower", CYAML_FLAG_OPTIONAL, struct process_config, follower),
    CYAML_FIELD_FLOAT("restart_after_s", CYAML_FLAG_OPTIONAL, struct process_config,
                      restart_after_s),
    CYAML_FIELD_END};
static const cyaml_schema_value_t process_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct process_config, process_fields)};

static const cyaml_schema_field_t channel_fields[] = {
    CYAML_FIELD_STRING("name", CYAML_FLAG_DEFAULT, struct channel_config, name, 1),
    CYAML_FIELD_STRING("schema", CYAML_FLAG_OPTIONAL, struct channel_config, schema, 0),
    CYAML_FIELD_UINT("frame_size_max_B", CYAML_FLAG_DEFAULT, struct channel_config,
                     frame_size_max_B),
    CYAML_FIELD_UINT("slots", CYAML_FLAG_DEFAULT, struct channel_config, slots),
    CYAML_FIELD_STRING("writer", CYAML_FLAG_OPTIONAL, struct channel_config, writer, 0),
    CYAML_FIELD_FLOAT("floor_hz", CYAML_FLAG_OPTIONAL, struct channel_config, floor_hz),
    CYAML_FIELD_STRING("needs", CYAML_FLAG_OPTIONAL, struct channel_config, needs, 0),
    CYAML_FIELD_END};
static const cyaml_schema_value_t channel_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct channel_config, channel_fields)};

static const cyaml_schema_field_t bus_fields[] = {
    CYAML_FIELD_STRING("name", CYAML_FLAG_DEFAULT, struct bus_config, name, 1),
    CYAML_FIELD_UINT("bitrate_bit_s", CYAML_FLAG_DEFAULT, struct bus_config, bitrate_bit_s),
    CYAML_FIELD_STRING("writer", CYAML_FLAG_OPTIONAL, struct bus_config, writer, 0),
    CYAML_FIELD_FLOAT("floor_hz", CYAML_FLAG_OPTIONAL, struct bus_config, floor_hz),
    CYAML_FIELD_END};
static const cyaml_schema_value_t bus_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct bus_config, bus_fields)};

static const cyaml_schema_field_t limits_fields[] = {
    CYAML_FIELD_UINT("processes", CYAML_FLAG_OPTIONAL, struct limits, processes),
    CYAML_FIELD_UINT("open_files", CYAML_FLAG_OPTIONAL, struct limits, open_files),
    CYAML_FIELD_UINT("memory_MB", CYAML_FLAG_OPTIONAL, struct limits, memory_MB),
    CYAML_FIELD_UINT("file_MB", CYAML_FLAG_OPTIONAL, struct limits, file_MB),
    CYAML_FIELD_UINT("output_MB", CYAML_FLAG_OPTIONAL, struct limits, output_MB),
    CYAML_FIELD_FLOAT("turn_s", CYAML_FLAG_OPTIONAL, struct limits, turn_s),
    CYAML_FIELD_FLOAT("wall_s", CYAML_FLAG_OPTIONAL, struct limits, wall_s),
    CYAML_FIELD_END};

static const cyaml_schema_value_t path_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, PATH_MAX_LENGTH - 1)};

static const cyaml_schema_field_t target_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct target_file, name, 1,
                           NAME_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("robot", CYAML_FLAG_POINTER, struct target_file, robot, 1,
                           PATH_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("description", CYAML_FLAG_POINTER, struct target_file, description, 1,
                           PATH_MAX_LENGTH - 1),
    CYAML_FIELD_SEQUENCE("processes", CYAML_FLAG_POINTER, struct target_file, processes,
                         &process_schema, 1, PROCESSES_MAX - 1), // one is left for the operator
    CYAML_FIELD_SEQUENCE("channels", CYAML_FLAG_POINTER, struct target_file, channels,
                         &channel_schema, 1, CHANNELS_MAX),
    CYAML_FIELD_SEQUENCE("buses", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct target_file,
                         buses, &bus_schema, 0, BUSES_MAX),
    CYAML_FIELD_SEQUENCE("visible", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct target_file,
                         visible, &path_schema, 0, VISIBLE_MAX),
    CYAML_FIELD_MAPPING("limits", CYAML_FLAG_OPTIONAL, struct target_file, limits, limits_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t target_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct target_file, target_fields)};

static void check_processes(struct yaml_source *source, const struct target_file *file)
{
    for (unsigned i = 0; i < file->processes_count; i++) {
        const struct process_config *process = &file->processes[i];
        char key[64];
        snprintf(key, sizeof key, "processes[%u].priority", i);
        yaml_check_range(source, key, process->priority, 1, 99);
        snprintf(key, sizeof key, "processes[%u].restart_after_s", i);
        if (process->restart_after_s != 0)
            yaml_check_range(source, key, process->restart_after_s, RESTART_MIN_S, RESTART_MAX_S);
        snprintf(key, sizeof key, "processes[%u].name", i);
        yaml_check_name(source, key, process->name);
        if (strcmp(process->name, "operator") == 0)
            yaml_complain(source, key, "operator: this name is kept for the scenario's program");
        for (unsigned j = 0; j < i; j++)
            if (strcmp(process->name, file->processes[j].name) == 0)
                yaml_complain(source, key, "%s: used twice; names must differ", process->name);
    }
}

// A floor and who must keep it belong together.
static void check_floor(struct yaml_source *source, const struct target_file *file, const char *key,
                        const char *writer, double floor_hz)
{
    char inner[80];
    bool known = false;
    for (unsigned i = 0; i < file->processes_count; i++)
        known |= strcmp(writer, file->processes[i].name) == 0;
    snprintf(inner, sizeof inner, "%s.floor_hz", key);
    if (floor_hz != 0)
        yaml_check_range(source, inner, floor_hz, FLOOR_MIN_HZ, FLOOR_MAX_HZ);
    snprintf(inner, sizeof inner, "%s.writer", key);
    if (writer[0] != '\0' && !known)
        yaml_complain(source, inner, "%s: no such process; use a name under processes", writer);
    if (writer[0] == '\0' && floor_hz != 0)
        yaml_complain(source, key, "floor_hz without a writer; name the process that keeps it");
}

static void check_needs(struct yaml_source *source, const struct target_file *file, const char *key,
                        const struct channel_config *channel)
{
    for (unsigned i = 0; i < file->channels_count; i++)
        if (strcmp(channel->needs, file->channels[i].name) == 0 &&
            file->channels[i].writer[0] != '\0')
            return;
    if (channel->needs[0] != '\0')
        yaml_complain(source, key,
                      "%s: no channel with a writer is called so; name one under "
                      "channels",
                      channel->needs);
}

static void check_channels(struct yaml_source *source, const struct target_file *file)
{
    for (unsigned i = 0; i < file->channels_count; i++) {
        const struct channel_config *channel = &file->channels[i];
        char key[64];
        snprintf(key, sizeof key, "channels[%u].slots", i);
        yaml_check_range(source, key, channel->slots, 3, CHANNEL_SLOTS_MAX);
        snprintf(key, sizeof key, "channels[%u].name", i);
        yaml_check_name(source, key, channel->name);
        if (strlen(channel->name) >= CHANNEL_NAME_MAX)
            yaml_complain(source, key, "%s: too long; use at most %d characters", channel->name,
                          CHANNEL_NAME_MAX - 1);
        snprintf(key, sizeof key, "channels[%u]", i);
        check_floor(source, file, key, channel->writer, channel->floor_hz);
        if (channel->schema[0] == '\0' && channel->floor_hz != 0)
            yaml_complain(source, key,
                          "%s: not recorded, so no floor can be seen to be kept; give "
                          "it a schema",
                          channel->name);
        snprintf(key, sizeof key, "channels[%u].needs", i);
        check_needs(source, file, key, channel);
        snprintf(key, sizeof key, "channels[%u].name", i);
        for (unsigned j = 0; j < i; j++)
            if (strcmp(channel->name, file->channels[j].name) == 0)
                yaml_complain(source, key, "%s: used twice; names must differ", channel->name);
        const struct schema *schema = schema_find(channel->schema);
        snprintf(key, sizeof key, "channels[%u].schema", i);
        if (schema == NULL && channel->schema[0] != '\0')
            yaml_complain(source, key,
                          "%s: no such message type; use one of harness/history/schema.c",
                          channel->schema);
        snprintf(key, sizeof key, "channels[%u].frame_size_max_B", i);
        yaml_check_range(source, key, channel->frame_size_max_B,
                         schema != NULL ? (double)schema->size_max_B : 1, FRAME_SIZE_LIMIT_B);
    }
}

static void check_buses(struct yaml_source *source, const struct target_file *file)
{
    for (unsigned i = 0; i < file->buses_count; i++) {
        char key[64];
        snprintf(key, sizeof key, "buses[%u].name", i);
        yaml_check_name(source, key, file->buses[i].name);
        for (unsigned j = 0; j < i; j++)
            if (strcmp(file->buses[i].name, file->buses[j].name) == 0)
                yaml_complain(source, key, "%s: used twice; names must differ",
                              file->buses[i].name);
        snprintf(key, sizeof key, "buses[%u].bitrate_bit_s", i);
        yaml_check_range(source, key, file->buses[i].bitrate_bit_s, BUS_BITRATE_MIN_BIT_S, 1e6);
        snprintf(key, sizeof key, "buses[%u]", i);
        check_floor(source, file, key, file->buses[i].writer, file->buses[i].floor_hz);
    }
}

// Where packages install what programs need. Elsewhere are people's files and sockets, which are
// not a target's to ask for.
static void check_visible(struct yaml_source *source, const struct target_file *file)
{
    static const char *const below[] = {"/opt/", "/etc/", "/srv/"};
    for (unsigned i = 0; i < file->visible_count; i++) {
        const char *path = file->visible[i];
        char key[64];
        bool allowed = false;
        for (size_t j = 0; j < sizeof below / sizeof below[0]; j++)
            allowed |= strncmp(path, below[j], strlen(below[j])) == 0;
        snprintf(key, sizeof key, "visible[%u]", i);
        if (!allowed || strstr(path, "/.") != NULL || path[strlen(path) - 1] == '/')
            yaml_complain(source, key, "%s: not a path below /opt, /etc or /srv; name one", path);
        else if (access(path, R_OK) != 0)
            yaml_complain(source, key, "%s: %s; install it or leave it out", path, strerror(errno));
    }
}

// After the defaults are in: what is absent or 0 is in range.
static void check_limits(struct yaml_source *source, const struct limits *limits)
{
    yaml_check_range(source, "limits.processes", limits->processes, 16, LIMITS_PROCESSES_MAX);
    yaml_check_range(source, "limits.open_files", limits->open_files, 64, LIMITS_OPEN_FILES_MAX);
    yaml_check_range(source, "limits.memory_MB", limits->memory_MB, 32, LIMITS_MB_MAX);
    yaml_check_range(source, "limits.file_MB", limits->file_MB, 1, LIMITS_MB_MAX);
    yaml_check_range(source, "limits.output_MB", limits->output_MB, 1, LIMITS_MB_MAX);
    yaml_check_range(source, "limits.turn_s", limits->turn_s, 0.1, LIMITS_TIME_MAX_S);
    if (limits->wall_s != 0)
        yaml_check_range(source, "limits.wall_s", limits->wall_s, 1, LIMITS_TIME_MAX_S);
}

static void folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(folder, size, "%.*s", slash == NULL ? 1 : (int)(slash - path),
             slash == NULL ? "." : path);
}

static void check_paths(struct yaml_source *source, struct target_file *file, const char *path)
{
    char folder[PATH_MAX_LENGTH], key[64];
    folder_of(path, folder, sizeof folder);
    program_check_inside(source, "robot", file->robot);
    program_check_inside(source, "description", file->description);
    for (unsigned i = 0; i < file->processes_count; i++) {
        snprintf(key, sizeof key, "processes[%u].program", i);
        program_place(source, key, folder, file->processes[i].program,
                      sizeof file->processes[i].program);
    }
}

// Where that stands which can only be checked when a trial is to be run.
static void note_lines(struct target *target, const struct yaml_source *source)
{
    char key[64];
    target->robot_line = yaml_line(source, "robot");
    target->description_line = yaml_line(source, "description");
    target->channels_line = yaml_line(source, "channels");
    target->buses_line = yaml_line(source, "buses");
    for (unsigned i = 0; i < target->process_count; i++) {
        snprintf(key, sizeof key, "processes[%u].program", i);
        target->process[i].line = yaml_line(source, key);
    }
    for (unsigned i = 0; i < target->channel_count; i++) {
        snprintf(key, sizeof key, "channels[%u].schema", i);
        target->channel[i].line = yaml_line(source, key);
    }
}

static void fill(struct target *target, const struct target_file *file, const char *path)
{
    text_copy(target->name, sizeof target->name, file->name);
    text_copy(target->robot, sizeof target->robot, file->robot);
    text_copy(target->description, sizeof target->description, file->description);
    text_copy(target->file, sizeof target->file, path);
    folder_of(path, target->folder, sizeof target->folder);
    target->process_count = file->processes_count;
    target->channel_count = file->channels_count;
    target->bus_count = file->buses_count;
    target->limits = file->limits;
    target->visible_count = file->visible_count;
    for (unsigned i = 0; i < file->visible_count; i++)
        text_copy(target->visible[i], sizeof target->visible[i], file->visible[i]);
    memcpy(target->process, file->processes, file->processes_count * sizeof *file->processes);
    memcpy(target->channel, file->channels, file->channels_count * sizeof *file->channels);
    if (file->buses_count > 0)
        memcpy(target->bus, file->buses, file->buses_count * sizeof *file->buses);
}

enum status target_load(const char *path, struct target **target)
{
    *target = NULL;
    struct yaml_source *source;
    void *data;
    enum status status = yaml_open(path, &target_schema, &source, &data);
    if (status != STATUS_OK)
        return status;
    char file[PATH_MAX_LENGTH];
    yaml_copy(source, "name", path, file, sizeof file);
    yaml_check_name(source, "name", ((struct target_file *)data)->name);
    check_processes(source, data);
    check_paths(source, data, path);
    check_channels(source, data);
    check_buses(source, data);
    check_visible(source, data);
    limits_complete(&((struct target_file *)data)->limits);
    check_limits(source, &((struct target_file *)data)->limits);
    status = yaml_status(source);
    if (status == STATUS_OK) {
        *target = calloc(1, sizeof **target);
        if (*target == NULL) {
            status = STATUS_NO_MEMORY;
        } else {
            fill(*target, data, path);
            note_lines(*target, source);
        }
    }
    yaml_close(source);
    return status;
}

void target_free(struct target *target)
{
    free(target);
}

enum status target_find(const char *name, char *path, size_t size)
{
    char relative[2 * NAME_MAX_LENGTH];
    if (name[0] == '.' || strchr(name, '/') != NULL) // would lead elsewhere
        return STATUS_NOT_FOUND;
    snprintf(relative, sizeof relative, "targets/%.47s/target.yaml", name);
    return places_find(relative, path, size);
}

enum status target_of(struct yaml_source *source, const char *name, struct target **target)
{
    char path[PATH_MAX_LENGTH];
    yaml_check_name(source, "target", name);
    if (yaml_status(source) != STATUS_OK)
        return STATUS_INVALID;
    const enum status status = target_find(name, path, sizeof path);
    if (status == STATUS_OK)
        return target_load(path, target);
    if (status == STATUS_NOT_FOUND)
        yaml_complain(
            source, "target",
            "%s: there is no targets/%s/target.yaml; see `ukemi list targets`, or add its "
            "folder to UKEMI_PATH",
            name, name);
    else
        yaml_complain(source, "target", "%s: cannot be used, see above", name);
    return STATUS_INVALID;
}
