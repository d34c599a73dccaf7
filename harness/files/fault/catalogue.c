#include "harness/files/fault/catalogue.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/nearest.h"
#include "base/trouble.h"
#include "base/text.h"
#include "harness/files/yaml/file_table.h"
#include "harness/files/places.h"
#include "harness/files/fault/fault_place.h"
#include "harness/files/program.h"
#include "harness/files/trusted.h"

#define LOOK_NAME(name) [LOOK_##name] = #name,
static const char *const looks[] = {FAULT_LOOKS(LOOK_NAME) NULL};
#undef LOOK_NAME
static const char *const halts[] = {
    [HALTS_NOTHING] = "nothing", [HALTS_ENDED] = "ended", [HALTS_STOPPED] = "stopped", NULL};
static const char *const loads[] = {[LOADS_NOTHING] = "nothing",   [LOADS_CPU] = "cpu",
                                    [LOADS_MEMORY] = "memory",     [LOADS_CACHE] = "cache",
                                    [LOADS_NETWORK] = "network",   [LOADS_DISK] = "disk",
                                    [LOADS_PRIORITY] = "priority", NULL};
static const char *const undoings[] = {[UNDO_NEVER] = "never",
                                       [UNDO_PROGRAM] = "program",
                                       [UNDO_RESTART] = "restart",
                                       [UNDO_RESTART_ASKED] = "restart-if-asked",
                                       NULL};
static const char *const struck[] = {
    [STRUCK_PROCESS] = "process", [STRUCK_BUS] = "bus",         [STRUCK_NETWORK] = "network",
    [STRUCK_CHANNEL] = "channel", [STRUCK_MACHINE] = "machine", NULL};
static const char *const shows[] = {[SHOWS_NOTHING] = "nothing", [SHOWS_MISSING] = "missing",
                                    [SHOWS_LATE] = "late",       [SHOWS_REPEATED] = "repeated",
                                    [SHOWS_SAME] = "same",       [SHOWS_DISORDERED] = "disordered",
                                    [SHOWS_ALTERED] = "altered", [SHOWS_SHORTENED] = "shortened",
                                    [SHOWS_REFUSED] = "refused", NULL};
static const char *const names[] = {
    [NAMES_NOTHING] = "nothing", [NAMES_CABLE] = "cable", [NAMES_HOST] = "host", NULL};
static const char *const clocks[] = {[false] = "any", [true] = "wall", NULL};

static const struct file_row parameter_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct fault_parameter, name), .unique = true,
     .help = "as scenarios write it"},
    {"summary", VALUE_TEXT, false, FIELD(struct fault_parameter, summary), .help = "what it is"},
    {"default", VALUE_TEXT, false, FIELD(struct fault_parameter, fallback),
     .help = "value if the scenario does not set it"},
    {"one_of", VALUE_TEXT, false, LIST(struct fault_parameter, choice, choice_count),
     .unique = true, .least = 1, .most = PARAMETERS_MAX,
     .help = "the words that are allowed; without them it is a number"},
    {"min", VALUE_NUMBER, false, FIELD(struct fault_parameter, min), .help = "of a number"},
    {"max", VALUE_NUMBER, false, FIELD(struct fault_parameter, max), .help = "of a number"},
    {"nonzero", VALUE_TRUTH, false, FIELD(struct fault_parameter, nonzero), .absent = "false",
     .help = "`true`: a scenario may not write 0, with which the fault would do nothing"},
    {"text", VALUE_TRUTH, false, FIELD(struct fault_parameter, text), .absent = "false",
     .help = "`true`: any text is allowed"},
    {"names", VALUE_WORD, false, FIELD(struct fault_parameter, names), .words = names,
     .absent = "nothing",
     .help = "what of the struck network it names; `any` is allowed only if it is the default"},
    {"field", VALUE_TRUTH, false, FIELD(struct fault_parameter, field), .absent = "false",
     .help =
         "`true`: it is the path of a floating-point number in the messages of the channel that "
         "is struck; a scenario must give it"},
    {.key = NULL}};

static const struct file_row kind_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct fault_kind, name), .unique = true,
     .help = "what scenarios write as `kind`"},
    {"summary", VALUE_TEXT, true, FIELD(struct fault_kind, summary), .help = "what it does"},
    {"colour", VALUE_TEXT, true, FIELD(struct fault_kind, colour),
     .help = "of its window in plots, as in `\"#1f77b4\"`"},
    {"proves", VALUE_NAME, false, FIELD(struct fault_kind, proves),
     .help = "name of the parameter, a time in seconds, that the lab measures the effect by, with "
             "`shows: late` and `look: turns`; needed if several parameters are times"},
    {"look", VALUE_WORD, false, FIELD(struct fault_kind, look), .words = looks,
     .help = "what the lab itself looks at, in addition to the program's own proof. `process`: its "
             "state. `bus`: the counts of the bus. `channel`: what its writer put, compared with "
             "what its readers got. `calls`: what shimmed programs did, on the channel `io`. "
             "`clock`: the stamps of the process's messages. `turns`: how far apart its messages "
             "are. `world`: a formula over channels. "
             "`worker`: a process that the program left works until the fault is undone, and is "
             "gone then. `priority`: the process is no longer SCHED_FIFO"},
    {"halts", VALUE_WORD, false, FIELD(struct fault_kind, halts), .words = halts,
     .absent = "nothing", .help = "what happens to the process; used with `look: process`"},
    {"shows", VALUE_WORD, false, FIELD(struct fault_kind, shows), .words = shows,
     .absent = "nothing",
     .help = "what happens to frames between writer and readers, or to the data of a call; used "
             "with `look: channel` or `calls`"},
    {"holds", VALUE_TEXT, false, FIELD(struct fault_kind, holds),
     .help = "a formula of one instant over the target's channels that holds while the fault acts, "
             "and does not hold once it is undone; used with `look: world`"},
    {"loads", VALUE_WORD, false, FIELD(struct fault_kind, loads), .words = loads,
     .absent = "nothing", .help = "what it takes from everything that runs"},
    {"falsifies", VALUE_TRUTH, false, FIELD(struct fault_kind, falsifies), .absent = "false",
     .help = "`true`: readings are false while it acts, and no check of the bus detects it"},
    {"silences", VALUE_TRUTH, false, FIELD(struct fault_kind, silences), .absent = "false",
     .help =
         "`true`: nothing comes through while it acts, from the node or cable that it names, or "
         "on all of the bus; what strikes there within that time is refused"},
    {"undo", VALUE_WORD, false, FIELD(struct fault_kind, undo), .words = undoings,
     .help = "`program`: it undoes the fault after `duration_s`; `restart`: the process is started "
             "again after `duration_s`; `restart-if-asked`: after `restart_after_s`"},
    {"strikes", VALUE_WORD, false, FIELD(struct fault_kind, struck), .words = struck,
     .absent = "process",
     .help =
         "what `component` names; `machine` is everything that runs: write `component: machine`"},
    {"clock", VALUE_WORD, false, FIELD(struct fault_kind, wall_only), .words = clocks,
     .absent = "any",
     .help = "`wall`: it takes real time from the target and means nothing on the virtual clock, "
             "where its trials are SKIP"},
    {"proof_later", VALUE_TRUTH, false, FIELD(struct fault_kind, proof_later), .absent = "false",
     .help = "`true`: effect and undoing show only with time; the program is called with `effect` "
             "before the undoing and with `settled` at the end"},
    {"scratch", VALUE_TRUTH, false, FIELD(struct fault_kind, scratch), .absent = "false",
     .help = "`true`: the program gets, as file descriptor 4, a file without a name on the disk of "
             "the current folder"},
    {"parameters", VALUE_MAP, false, LIST(struct fault_kind, parameter, parameter_count),
     .most = PARAMETERS_MAX, .rows = parameter_rows, .brief = true,
     .help =
         "what scenarios may set. A name alone is a parameter of the family's `common`; what an "
         "entry leaves out is as the one of that name there has it"},
    {.key = NULL}};
// All faults of a family may have these in common: all but the first four, a fault's own.
#define COMMON_ROWS (&kind_rows[4])

struct family {
    char program[PATH_MAX_LENGTH];
    unsigned program_line, count;
    struct fault_kind common; // what faults have that say nothing else
    struct fault_kind kind[CATALOGUE_MAX];
};

const struct file_row family_rows[] = {
    FORMAT_ROW(1),
    {"program", VALUE_TEXT, true, FIELD(struct family, program),
     .line = offsetof(struct family, program_line),
     .help =
         "program of the whole family: a file beside this one, else one below the build folder"},
    {"common", VALUE_MAP, false, FIELD(struct family, common), .rows = COMMON_ROWS,
     .elsewhere = true,
     .help = "what each fault has that does not say otherwise: any key of `faults[]` but `name`, "
             "`summary`, `colour` and `proves`"},
    {"faults", VALUE_MAP, true, LIST(struct family, kind, count), .least = 1, .most = CATALOGUE_MAX,
     .rows = kind_rows, .help = "the kinds of fault"},
    {.key = NULL}};

static bool check_value(const struct fault_parameter *parameter, const char *value, char *why,
                        size_t size)
{
    if (parameter->text || parameter->field || parameter->names != NAMES_NOTHING) {
        snprintf(why, size, "give a text");
        return *value != '\0';
    }
    if (parameter->choice_count == 0) {
        char *end;
        double number = strtod(value, &end);
        if (*value != '\0' && *end == '\0' && number >= parameter->min && number <= parameter->max)
            return true;
        snprintf(why, size, "use a number from %g to %g", parameter->min, parameter->max);
        return false;
    }
    snprintf(why, size, "use one of:");
    for (unsigned i = 0; i < parameter->choice_count; i++) {
        if (strcmp(parameter->choice[i], value) == 0)
            return true;
        text_add(why, size, " %s", parameter->choice[i]);
    }
    return false;
}

// Verdicts rest on what the lab looks at.
static void check_look(struct yaml_source *source, unsigned number, const struct fault_kind *kind)
{
    const struct yaml_key look = yaml_key("faults[%u].look", number);
    if ((kind->halts != HALTS_NOTHING) != (kind->look == LOOK_process))
        yaml_complain(source, look.text,
                      "%s: `halts` and `look: process` belong together; give both", kind->name);
    if (kind->look == LOOK_bus && kind->struck != STRUCK_BUS && kind->struck != STRUCK_NETWORK)
        yaml_complain(source, look.text,
                      "%s: strikes no bus; write `strikes: bus`, or another look", kind->name);
    const bool compares = kind->look == LOOK_channel || kind->look == LOOK_calls;
    if ((kind->shows != SHOWS_NOTHING) != compares)
        yaml_complain(source, look.text,
                      "%s: `shows` and `look: channel` or `calls` belong together; give both",
                      kind->name);
    if ((kind->holds[0] != '\0') != (kind->look == LOOK_world && kind->proof_later))
        yaml_complain(source, look.text,
                      "%s: `holds`, `look: world` and `proof_later` belong together; give all",
                      kind->name);
    if (kind->look == LOOK_calls && kind->struck != STRUCK_PROCESS)
        yaml_complain(source, look.text, "%s: strikes no process; leave out `strikes`", kind->name);
    if (kind->look == LOOK_channel && kind->struck != STRUCK_CHANNEL)
        yaml_complain(source, look.text,
                      "%s: strikes no channel; write `strikes: channel`, or another look",
                      kind->name);
    if (kind->halts != HALTS_NOTHING && kind->struck != STRUCK_PROCESS)
        yaml_complain(source, yaml_key("faults[%u].halts", number).text,
                      "%s: strikes no process; leave out `halts` or `strikes`", kind->name);
}

static bool is_time(const struct fault_parameter *parameter)
{
    const size_t length = strlen(parameter->name);
    return !parameter->text && !parameter->field && parameter->names == NAMES_NOTHING &&
           parameter->choice_count == 0 && length > 2 &&
           strcmp(parameter->name + length - 2, "_s") == 0;
}

static unsigned count_times(const struct fault_kind *kind)
{
    unsigned count = 0;
    for (unsigned i = 0; i < kind->parameter_count; i++)
        count += is_time(&kind->parameter[i]);
    return count;
}

// The lab measures by it, so it is a number, and a time.
static void check_proves(struct yaml_source *source, unsigned number, const struct fault_kind *kind)
{
    const struct yaml_key key = yaml_key("faults[%u].proves", number);
    const struct fault_parameter *parameter = catalogue_proves(kind);
    const bool needed = kind->shows == SHOWS_LATE || kind->look == LOOK_turns;
    if (kind->proves[0] != '\0' && !needed)
        yaml_complain(source, key.text,
                      "%s: belongs to `shows: late` and `look: turns`; leave it out", kind->proves);
    else if (needed && kind->proves[0] == '\0' && count_times(kind) > 1)
        yaml_complain(source, key.text,
                      "%s: it is not clear which parameter says how late it makes things; name it, "
                      "as in `proves: delay_s`",
                      kind->name);
    else if (needed && kind->proves[0] != '\0' && (parameter == NULL || !is_time(parameter)))
        yaml_complain(source, key.text,
                      "%s: not a parameter of %s that is a number of seconds; name one that ends "
                      "with _s",
                      kind->proves, kind->name);
}

static void check_kind(struct yaml_source *source, unsigned number, const struct fault_kind *kind)
{
    char why[160] = "";
    if (strlen(kind->colour) != 7 || kind->colour[0] != '#' ||
        strspn(kind->colour + 1, "0123456789abcdefABCDEF") != 6)
        yaml_complain(source, yaml_key("faults[%u].colour", number).text,
                      "%s: not a colour; write it as \"#1f77b4\"", kind->colour);
    check_look(source, number, kind);
    check_proves(source, number, kind);
    for (unsigned i = 0; i < kind->parameter_count; i++)
        if (!check_value(&kind->parameter[i], kind->parameter[i].fallback, why, sizeof why))
            yaml_complain(source, yaml_key("faults[%u].parameters[%u].default", number, i).text,
                          "%s: not a value of its own parameter; %s", kind->parameter[i].fallback,
                          why);
}

// Takes what `own`, a key of the file, does not say from what `from` says.
static void inherit(struct yaml_source *source, const struct file_row *rows, const char *own,
                    void *into, const char *from, const void *common)
{
    for (; rows->key != NULL; rows++) {
        const size_t size_B = rows->most > 0 ? rows->most * rows->size_B : rows->size_B;
        if (yaml_has(source, yaml_key("%s.%s", own, rows->key).text) ||
            !yaml_has(source, yaml_key("%s.%s", from, rows->key).text))
            continue;
        memcpy((char *)into + rows->offset, (const char *)common + rows->offset, size_B);
        if (rows->most > 0)
            memcpy((char *)into + rows->count, (const char *)common + rows->count,
                   sizeof(unsigned));
    }
}

static void complete_parameter(struct yaml_source *source, const char *key,
                               const struct fault_kind *common, struct fault_parameter *parameter)
{
    for (unsigned i = 0; i < common->parameter_count; i++)
        if (strcmp(common->parameter[i].name, parameter->name) == 0)
            inherit(source, parameter_rows, key, parameter,
                    yaml_key("common.parameters[%u]", i).text, &common->parameter[i]);
    if (parameter->summary[0] == '\0' || parameter->fallback[0] == '\0')
        yaml_complain(source, key,
                      "%s: has no `summary` or no `default`; give them here, or in an entry of "
                      "this name under common.parameters",
                      parameter->name);
}

static void complete_kind(struct yaml_source *source, unsigned number, struct family *family)
{
    struct fault_kind *kind = &family->kind[number];
    const struct yaml_key own = yaml_key("faults[%u]", number);
    static const char *const needed[] = {"look", "undo"};
    inherit(source, COMMON_ROWS, own.text, kind, "common", &family->common);
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!yaml_has(source, yaml_key("%s.%s", own.text, needed[i]).text) &&
            !yaml_has(source, yaml_key("common.%s", needed[i]).text))
            yaml_complain(source, yaml_key("%s.%s", own.text, needed[i]).text,
                          "missing; add it here, or under common");
    for (unsigned i = 0; i < kind->parameter_count; i++)
        complete_parameter(source, yaml_key("%s.parameters[%u]", own.text, i).text, &family->common,
                           &kind->parameter[i]);
}

static void add_kind(struct catalogue *catalogue, struct yaml_source *source,
                     const struct family *family, unsigned number)
{
    const struct fault_kind *kind = &family->kind[number];
    const struct yaml_key key = yaml_key("faults[%u].name", number);
    if (catalogue_find(catalogue, kind->name) != NULL) {
        yaml_complain(source, key.text, "%s: in the catalogue already; choose another name",
                      kind->name);
    } else if (catalogue->count == CATALOGUE_MAX) {
        yaml_complain(source, key.text, "%s: one too many; the catalogue holds at most %d faults",
                      kind->name, CATALOGUE_MAX);
    } else {
        struct fault_kind *new = &catalogue->kind[catalogue->count++];
        *new = *kind;
        new->program_line = family->program_line;
        text_copy(new->program, sizeof new->program, family->program);
        yaml_copy_path(source, new->file);
        check_kind(source, number, new);
    }
}

static enum status check_family(struct yaml_source *source, void *file, void *context)
{
    struct family *family = file;
    struct catalogue *catalogue = context;
    program_check_inside(source, "program", family->program);
    fault_place(source, &catalogue->folders, family->program, sizeof family->program);
    for (unsigned i = 0; i < family->count; i++) {
        complete_kind(source, i, family);
        if (yaml_status(source) == STATUS_OK)
            add_kind(catalogue, source, family, i);
    }
    return STATUS_OK;
}

static enum status load_family(struct catalogue *catalogue, const char *path)
{
    void *family = NULL;
    enum status status = trusted_path(path);
    if (status == STATUS_OK)
        status =
            file_load(path, family_rows, sizeof(struct family), check_family, catalogue, &family);
    free(family);
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
    if (places_are_stored()) // with the faults that were used, and no others
        return status == STATUS_OK          ? load_folder(catalogue, folders.folder[0])
               : status == STATUS_NOT_FOUND ? STATUS_OK
                                            : status;
    if (status == STATUS_NOT_FOUND) {
        char data[PATH_MAX_LENGTH];
        places_data(data, sizeof data);
        log_error("%s: no folder faults/ there, nor in UKEMI_PATH: the fault catalogue is missing; "
                  "install the lab again, or set UKEMI_ROOT to its data folder",
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
    return catalogue_load_family(NULL, catalogue);
}

enum status catalogue_load_family(const char *path, struct catalogue **catalogue)
{
    struct catalogue *new = calloc(1, sizeof *new);
    *catalogue = NULL;
    if (new == NULL)
        return STATUS_NO_MEMORY;
    const enum status status = path != NULL ? load_family(new, path) : load_folders(new);
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

const struct fault_parameter *catalogue_proves(const struct fault_kind *kind)
{
    for (unsigned i = 0; i < kind->parameter_count; i++)
        if (kind->proves[0] == '\0' ? is_time(&kind->parameter[i])
                                    : strcmp(kind->parameter[i].name, kind->proves) == 0)
            return &kind->parameter[i]; // the only one: check_proves
    return NULL;
}

static bool does_something(const struct fault_parameter *parameter, const char *value, char *why,
                           size_t size)
{
    if (!parameter->nonzero || strtod(value, NULL) != 0)
        return true;
    snprintf(why, size, "with 0 it would do nothing; use another number, or leave it out: %s",
             parameter->summary);
    return false;
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
            return check_value(&kind->parameter[i], equals + 1, why, size) &&
                   does_something(&kind->parameter[i], equals + 1, why, size);
    char word[NEAREST_LENGTH_MAX + 1], hint[NEAREST_HINT_MAX];
    struct nearest nearest = {.word = word};
    snprintf(word, sizeof word, "%.*s", (int)length, parameter);
    for (unsigned i = 0; i < kind->parameter_count; i++)
        nearest_try(&nearest, kind->parameter[i].name);
    snprintf(why, size, "%s has no such parameter%s; see `ukemi list faults`", kind->name,
             nearest_hint(&nearest, hint));
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

void fault_complete(const struct fault_kind *kind, struct fault_request *request)
{
    request->struck = kind->struck;
    request->halts = kind->halts;
    request->loads = kind->loads;
    request->falsifies = kind->falsifies;
    request->restarts = kind->undo == UNDO_RESTART;
}
