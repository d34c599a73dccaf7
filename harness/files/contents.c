#include "harness/files/contents.h"

#include <fts.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/text.h"
#include "harness/cell/cell.h"
#include "harness/files/campaign_file.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/fault/fault_place.h"
#include "harness/files/program.h"
#include "harness/files/scenario.h"
#include "harness/files/storm_file.h"
#include "harness/files/yaml/yaml_source.h"

#define DEPTH_MAX 16
#define BLOCK_B 65536
#define HASH_SIZE 33

// ---- hashes -------------------------------------------------------------------------------------

static void print_hash(XXH128_hash_t hash, char hex[HASH_SIZE])
{
    snprintf(hex, HASH_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

static bool hash_bytes(const char *path, char hex[HASH_SIZE])
{
    FILE *file = fopen(path, "rbe");
    XXH3_state_t *state = file != NULL ? XXH3_createState() : NULL;
    char *block = state != NULL ? malloc(BLOCK_B) : NULL;
    bool whole = false;
    if (block != NULL) {
        XXH3_128bits_reset(state);
        for (size_t got; (got = fread(block, 1, BLOCK_B, file)) > 0;)
            XXH3_128bits_update(state, block, got);
        whole = ferror(file) == 0;
        print_hash(XXH3_128bits_digest(state), hex);
    }
    free(block);
    XXH3_freeState(state);
    if (file != NULL)
        (void)fclose(file); // only read
    return whole;
}

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), size = strlen(ending);
    return length >= size && strcmp(path + length - size, ending) == 0;
}

static void hash_file(const struct content *item, char hex[HASH_SIZE])
{
    if ((!item->spoken || yaml_meaning(item->path, hex) != STATUS_OK) &&
        !hash_bytes(item->path, hex))
        hex[0] = '\0';
}

static bool begins(const char *name, const char *kind)
{
    return strncmp(name, kind, strlen(kind)) == 0;
}

// Whether an item of this name is a YAML file of ours.
static bool is_spoken(const char *name)
{
    return begins(name, "campaign ") || begins(name, "scenario ") || begins(name, "faults ") ||
           strcmp(name, "target target.yaml") == 0;
}

void content_hash(const char *name, const char *path, char hash[HASH_SIZE])
{
    struct content item = {.spoken = is_spoken(name)};
    snprintf(item.path, sizeof item.path, "%s", path); // cut off, it is none
    hash_file(&item, hash);
}

// ---- the list -----------------------------------------------------------------------------------

static const struct content *find(const struct contents *contents, const char *name)
{
    for (unsigned i = 0; i < contents->count; i++)
        if (strcmp(contents->item[i].name, name) == 0)
            return &contents->item[i];
    return NULL;
}

// NULL: it is there already, or there is no memory.
static struct content *add(struct contents *contents, const char *name)
{
    if (find(contents, name) != NULL)
        return NULL;
    if (contents->count == contents->room) {
        const unsigned room = contents->room == 0 ? 64 : 2 * contents->room;
        struct content *grown = realloc(contents->item, room * sizeof *grown);
        if (grown == NULL) {
            contents->digest[0] = '-'; // told at the end
            return NULL;
        }
        contents->item = grown;
        contents->room = room;
    }
    struct content *item = &contents->item[contents->count++];
    *item = (struct content){.hash = ""};
    text_copy(item->name, sizeof item->name, name);
    return item;
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

// From / on, but else as it was given: what links it goes through is seen when it is read.
static void make_whole(const char *path, char *whole, size_t size)
{
    char here[PATH_MAX];
    if (path[0] == '/' || getcwd(here, sizeof here) == NULL ||
        strlen(here) + 1 + strlen(path) >= size)
        here[0] = '\0';
    whole[0] = '\0';
    text_add(whole, size, "%s%s%s", here, here[0] != '\0' ? "/" : "", path);
}

// A file that is there; each once.
__attribute__((format(printf, 4, 5))) static void
add_file(struct contents *contents, const char *given, bool judges, const char *format, ...)
{
    char name[PATH_MAX_LENGTH], path[2 * PATH_MAX_LENGTH];
    struct stat about;
    make_whole(given, path, sizeof path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return;
    const struct content *same = find(contents, name);
    if (same != NULL && strcmp(same->path, path) != 0) // another of this name
        text_add(name, sizeof name, " (%s)", path);
    struct content *item = add(contents, name);
    if (item == NULL)
        return;
    text_copy(item->path, sizeof item->path, path);
    item->about = about;
    item->judges = judges;
    item->spoken = is_spoken(name);
    hash_file(item, item->hash);
}

// ---- what belongs to it -------------------------------------------------------------------------

// Hidden files, and what an interpreter leaves behind, are no part of a target; nor are the
// templates of its reports, or the sources of its compiled programs.
static bool is_apart(const FTSENT *entry)
{
    static const char *const endings[] = {".pyc", ".c", ".h", ".md", "~"};
    bool apart = entry->fts_level > 0 && entry->fts_name[0] == '.';
    apart |= strcmp(entry->fts_name, "__pycache__") == 0;
    apart |= entry->fts_level == 1 && strcmp(entry->fts_name, "reports") == 0;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        apart |= entry->fts_info == FTS_F && ends_with(entry->fts_name, endings[i]);
    return apart;
}

static void add_folder(struct contents *contents, const char *folder, const char *word, bool judges)
{
    char path[2 * PATH_MAX_LENGTH];
    char *const folders[] = {path, NULL};
    text_copy(path, sizeof path, folder);
    FTS *walk = fts_open(folders, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; walk != NULL && (entry = fts_read(walk)) != NULL;) {
        if (is_apart(entry) || entry->fts_level > DEPTH_MAX)
            (void)fts_set(walk, entry, FTS_SKIP);
        else if (entry->fts_info == FTS_F)
            add_file(contents, entry->fts_path, judges, "%s %s", word,
                     entry->fts_path + strlen(folder) + (entry->fts_level > 0));
    }
    if (walk != NULL)
        (void)fts_close(walk);
}

static void add_program(struct contents *contents, const struct target *target,
                        const char *build_folder, const char *program, bool judges)
{
    char path[2 * PATH_MAX_LENGTH];
    if (program[0] == '\0' || strncmp(program, CELL_TARGET "/", sizeof CELL_TARGET) == 0)
        return; // none, or in the target's folder
    program_outside(target, build_folder, program, path, sizeof path);
    add_file(contents, path, judges, "program %s",
             program[0] == '/' ? last_name(program) : program);
}

static void add_target(struct contents *contents, const struct target *target,
                       const char *build_folder)
{
    if (target->folder[0] != '\0')
        add_folder(contents, target->folder, "target", true);
    for (unsigned i = 0; i < target->process_count; i++)
        for (unsigned w = 0; w < target->process[i].run_count; w++)
            if (w == 0 || target->process[i].run[w][0] == '/') // a script for an interpreter
                add_program(contents, target, build_folder, target->process[i].run[w], false);
    for (unsigned i = 0; i < target->visible_count; i++)
        add_folder(contents, target->visible[i], target->visible[i], false);
}

// Where a program lies that stands beside its scenario, by the way that leads to the scenario.
static void find_beside(const struct scenario *scenario, const char *program, char *path,
                        size_t size)
{
    char folder[2 * PATH_MAX_LENGTH], real[PATH_MAX];
    const char *slash = strrchr(scenario->file, '/');
    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - scenario->file),
             slash == NULL ? "." : scenario->file);
    const size_t length = realpath(folder, real) != NULL ? strlen(real) : 0;
    const bool below = length > 0 && strncmp(program, real, length) == 0 && program[length] == '/';
    snprintf(path, size, "%s%s", below ? folder : "", below ? program + length : program);
}

// A program that stands beside its scenario sees the files of its folder. Those of its own ending
// are its modules, the others perhaps results.
static void add_beside(struct contents *contents, const struct scenario *scenario,
                       const char *program)
{
    char path[2 * PATH_MAX_LENGTH], pattern[2 * PATH_MAX_LENGTH + NAME_MAX];
    glob_t found;
    find_beside(scenario, program, path, sizeof path);
    add_file(contents, path, true, "program %s", last_name(path));
    const char *ending = strrchr(last_name(path), '.');
    if (ending == NULL)
        return;
    snprintf(pattern, sizeof pattern, "%.*s*%s", (int)(last_name(path) - path), path, ending);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (strcmp(found.gl_pathv[i], path) != 0)
            add_file(contents, found.gl_pathv[i], true, "beside %s", last_name(found.gl_pathv[i]));
    globfree(&found);
}

static void add_fault(struct contents *contents, const struct catalogue *catalogue,
                      const char *name, const struct target *target, const char *build_folder)
{
    char path[2 * PATH_MAX_LENGTH];
    const struct fault_kind *kind = catalogue != NULL ? catalogue_find(catalogue, name) : NULL;
    if (kind == NULL)
        return;
    add_file(contents, kind->file, true, "faults %s", last_name(kind->file));
    fault_place_outside(&catalogue->folders, kind->program, path, sizeof path);
    add_program(contents, target, build_folder, path, false);
}

static void add_scenario(struct contents *contents, const struct scenario *scenario,
                         const struct target *target, const char *build_folder)
{
    if (scenario->file[0] != '\0')
        add_file(contents, scenario->file, true, "scenario %s", last_name(scenario->file));
    add_program(contents, target, build_folder, scenario->operator_program, false);
    for (unsigned i = 0; i < scenario->replacement_count; i++)
        add_program(contents, target, build_folder, scenario->replacement[i].program, false);
    for (unsigned i = 0; i < scenario->promise_count; i++)
        if (scenario->promise[i].beside)
            add_beside(contents, scenario, scenario->promise[i].program);
        else
            add_program(contents, target, build_folder, scenario->promise[i].program, true);
    for (unsigned i = 0; i < scenario->fault_count; i++)
        add_fault(contents, scenario->catalogue, scenario->fault[i].kind, target, build_folder);
    for (unsigned i = 0; i < scenario->replaced_count; i++)
        add_fault(contents, scenario->catalogue, scenario->replaced[i], target, build_folder);
}

static void add_words(char *words, size_t size, const struct fault_request *fault)
{
    text_add(words, size, "|%s|%s|%d|%.17g|%.17g|%.17g|%.17g|%s|%.17g|%.17g|%d", fault->kind,
             fault->component, (int)fault->at.kind, fault->at.time_min_s, fault->at.time_max_s,
             fault->at.phase_min, fault->at.phase_max, fault->at.when, fault->duration_s,
             fault->restart_after_s, fault->untold);
    for (unsigned i = 0; i < fault->parameter_count; i++)
        text_add(words, size, "|%s", fault->parameter[i]);
}

// What the campaign makes of its scenario; not the number of its trials, of which a resumed
// campaign knows by itself which are missing: but they, too, are the campaign's. Of a storm there
// are always more.
static void add_square(struct contents *contents, const struct campaign *campaign,
                       const struct campaign_square *square)
{
    char words[8192], name[PATH_MAX_LENGTH];
    const struct scenario *scenario = square->scenario;
    snprintf(name, sizeof name, "square %s, %s", square->row, square->column);
    struct content *item = add(contents, name);
    if (item == NULL)
        return;
    snprintf(words, sizeof words, "%s|%u|%s|%s|%d|%d", scenario->name,
             campaign->storm != NULL ? 0 : square->trials, square->expected, scenario->claim,
             scenario->must_stand, scenario->must_complete);
    for (unsigned i = 0; i < scenario->fault_count; i++)
        add_words(words, sizeof words, &scenario->fault[i]);
    print_hash(XXH3_128bits(words, strlen(words)), item->hash);
}

static void add_lab(struct contents *contents, const char *build_folder)
{
    char path[2 * PATH_MAX_LENGTH], self[PATH_MAX];
    static const char *const libraries[] = {"libukemi.so", "libukemi-shim.so"};
    if (realpath("/proc/self/exe", self) != NULL)
        add_file(contents, self, false, "lab %s", last_name(self));
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        snprintf(path, sizeof path, "%s/lib/%s", build_folder, libraries[i]);
        add_file(contents, path, false, "lab %s", libraries[i]);
    }
}

// ---- the whole ----------------------------------------------------------------------------------

static int by_name(const void *one, const void *other)
{
    return strcmp(((const struct content *)one)->name, ((const struct content *)other)->name);
}

static enum status conclude(struct contents *contents)
{
    XXH3_state_t *state = contents->digest[0] == '\0' ? XXH3_createState() : NULL;
    if (state == NULL)
        return STATUS_NO_MEMORY;
    qsort(contents->item, contents->count, sizeof *contents->item, by_name);
    XXH3_128bits_reset(state);
    for (unsigned i = 0; i < contents->count; i++) {
        const struct content *item = &contents->item[i];
        XXH3_128bits_update(state, item->name, strlen(item->name) + 1);
        XXH3_128bits_update(state, item->hash, sizeof item->hash);
    }
    print_hash(XXH3_128bits_digest(state), contents->digest);
    XXH3_freeState(state);
    return STATUS_OK;
}

enum status contents_make(const struct campaign *campaign, const struct target *target,
                          const char *build_folder, struct contents **contents)
{
    struct contents *new = calloc(1, sizeof *new);
    *contents = NULL;
    if (new == NULL)
        return STATUS_NO_MEMORY;
    if (campaign->file[0] != '\0')
        add_file(new, campaign->file, true, "campaign %s", last_name(campaign->file));
    add_target(new, target, build_folder);
    for (unsigned i = 0; i < campaign->square_count; i++) {
        add_scenario(new, campaign->square[i].scenario, target, build_folder);
        add_square(new, campaign, &campaign->square[i]);
    }
    for (unsigned i = 0; campaign->storm != NULL && i < campaign->storm->row_count; i++)
        add_fault(new, campaign->storm->scenario->catalogue, campaign->storm->row[i].kind, target,
                  build_folder);
    add_lab(new, build_folder);
    const enum status status = conclude(new);
    if (status == STATUS_OK)
        *contents = new;
    else
        contents_free(new);
    return status;
}

void contents_free(struct contents *contents)
{
    if (contents != NULL)
        free(contents->item);
    free(contents);
}

// A file that is written, or replaced, has another of these.
static bool is_untouched(const struct stat *then, const struct stat *now)
{
    return then->st_ino == now->st_ino && then->st_dev == now->st_dev &&
           then->st_size == now->st_size && then->st_ctim.tv_sec == now->st_ctim.tv_sec &&
           then->st_ctim.tv_nsec == now->st_ctim.tv_nsec;
}

const char *contents_changed(const struct contents *contents)
{
    for (unsigned i = 0; i < contents->count; i++) {
        const struct content *item = &contents->item[i];
        struct stat now;
        char hash[HASH_SIZE] = "";
        if (item->path[0] == '\0' ||
            (stat(item->path, &now) == 0 && is_untouched(&item->about, &now)))
            continue;
        hash_file(item, hash);
        if (strcmp(hash, item->hash) != 0)
            return item->name;
    }
    return NULL;
}
